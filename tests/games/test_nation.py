"""The Nation: the count, choices in it, and the redeal."""

from tests.games.position import Position

SPADES = {"foundation.0": "AS 2S 3S 4S 5S 6S", "foundation.4": "KS QS JS TS 9S 8S"}


def test_a_card_played_uses_up_its_number() -> None:
    column = {"tableau.0": "2H 5D 7D 9D JD 4C 6C 8C TC"}
    position = Position("nation", {"foundation.1": "AH", **column}).play("redeal")
    assert (position["foundation.1"], position["tableau.0"], position["tableau.1"]) == (
        "AH 2H",
        "5D 7D 9D JD 4C 6C 8C",
        "TC",
    )
    assert position.counter("counted") == 9


def test_a_choice_at_the_last_card_ends_the_deal_when_it_is_made() -> None:
    position = Position("nation", {**SPADES, "tableau.0": "5D 7S"}).play("redeal")
    assert position.legal == {"waste/foundation.0", "waste/foundation.4"}
    moves = {f"tableau.0/tableau.{number}" for number in range(1, 12)}
    assert position.play("waste/foundation.4").legal == {"redeal"} | moves


def test_columns_are_dealt_again_from_the_last_each_from_its_first_card() -> None:
    position = Position("nation", {"tableau.0": "9C 8H", "tableau.4": "5D 7D", "tableau.11": "3S QC"}).play("redeal")
    assert position["tableau.0"] == "3S QC 5D 7D 9C 8H"


def test_a_card_that_lies_in_a_column_is_not_played_during_the_deal() -> None:
    position = Position("nation", {"foundation.1": "AH", "tableau.0": "3H 2H"}).play("redeal")
    assert (position["foundation.1"], position["tableau.0"]) == ("AH 2H", "3H")


def test_a_single_card_may_change_its_column_and_there_are_two_redeals() -> None:
    position = Position("nation", {"tableau.2": "9C"}, redeals=1)
    assert "tableau.2/tableau.7" in position.legal
    assert position.play("redeal").legal == {f"tableau.0/tableau.{number}" for number in range(1, 12)}
