"""La Belle Lucie and the two houses: the redeal."""

from tests.games.position import Position


def test_a_redeal_lays_threes_from_the_first_place_and_the_rest_last() -> None:
    position = Position("la-belle-lucie", {"tableau.3": "KS QS", "tableau.7": "KH QH", "tableau.17": "KD"}).play(
        "redeal"
    )
    sizes = [len(position[f"tableau.{number}"].split()) for number in range(18)]
    assert sizes == [3, 2] + [0] * 16


def test_there_are_two_redeals_and_no_third() -> None:
    position = Position("la-belle-lucie", {"tableau.0": "KS QH"}).play("redeal", "redeal")
    assert position.counter("redeals") == 0
    assert position.legal == set()


def test_there_is_no_redeal_when_every_card_is_on_a_foundation() -> None:
    position = Position("la-belle-lucie", {"foundation.0": "AS", "tableau.0": "2S"}).play("tableau.0/foundation.0")
    assert position.legal == set()


def test_in_the_wood_a_card_moves_to_the_other_copy_of_the_next_card() -> None:
    position = Position("house-in-the-wood", {"tableau.0": "9D 4S 3S", "tableau.1": "4S"}, redeals=0)
    assert position.play("tableau.0/tableau.1")["tableau.1"] == "4S 3S"
    assert "tableau.1/tableau.0" in position.legal


def test_on_the_hill_an_ace_and_a_king_are_not_neighbours() -> None:
    assert Position("house-on-the-hill", {"tableau.0": "AH", "tableau.1": "KH"}, redeals=0).legal == {
        "tableau.0/foundation.1",
        "tableau.1/foundation.5",
    }
