"""Napoleon at St. Helena: what may fill an empty column."""

from tests.games.position import Position


def test_a_single_card_does_not_move_to_another_empty_column() -> None:
    columns = {f"tableau.{number}": "9C 4H" for number in range(2, 10)}
    legal = Position("napoleon-at-st-helena", {"tableau.0": "KS", **columns}).legal
    assert legal == {f"tableau.{number}/tableau.1" for number in range(2, 10)}


def test_an_empty_column_takes_the_card_of_the_waste_but_none_of_the_stock() -> None:
    position = Position("napoleon-at-st-helena", {"stock": "-4C", "waste": "7H", "tableau.0": "KS"})
    assert "waste/tableau.1" in position.legal
    assert not any(move.startswith("stock/") for move in position.legal)


def test_each_suit_has_two_foundations_of_its_own() -> None:
    position = Position("napoleon-at-st-helena", {"waste": "AD"})
    assert {move for move in position.legal if "foundation" in move} == {"waste/foundation.2", "waste/foundation.6"}
