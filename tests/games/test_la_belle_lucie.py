"""La Belle Lucie and the two houses: the redeal."""

from tests.games.position import Scene


def test_a_redeal_lays_threes_from_the_first_place_and_the_rest_last() -> None:
    scene = Scene("la-belle-lucie", {"tableau.3": "KS QS", "tableau.7": "KH QH", "tableau.17": "KD"}).play("redeal")
    sizes = [len(scene[f"tableau.{number}"].split()) for number in range(18)]
    assert sizes == [3, 2] + [0] * 16


def test_two_redeals_and_no_third() -> None:
    scene = Scene("la-belle-lucie", {"tableau.0": "KS QH"}).play("redeal", "redeal")
    assert scene.counter("redeals") == 0
    assert scene.legal == set()


def test_nothing_is_left_to_redeal_when_all_is_home() -> None:
    scene = Scene("la-belle-lucie", {"foundation.0": "AS", "tableau.0": "2S"}).play("tableau.0/foundation.0")
    assert scene.legal == set()


def test_in_the_wood_a_card_goes_over_to_the_other_copy_of_the_next() -> None:
    scene = Scene("house-in-the-wood", {"tableau.0": "9D 4S 3S", "tableau.1": "4S"}, redeals=0)
    assert scene.play("tableau.0/tableau.1")["tableau.1"] == "4S 3S"
    assert "tableau.1/tableau.0" in scene.legal


def test_on_the_hill_ace_and_king_are_no_neighbours() -> None:
    assert Scene("house-on-the-hill", {"tableau.0": "AH", "tableau.1": "KH"}, redeals=0).legal == {
        "tableau.0/foundation.1",
        "tableau.1/foundation.5",
    }
