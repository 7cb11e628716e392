"""The Congress: vacancies, and what changes when the stock is out."""

from tests.games.position import Position

HELPS = {"aids.0": "KS", "aids.1": "KH", "aids.2": "KD", "aids.3": "KC"}
RIVERS = {f"rivers.{number}": "9C" for number in range(8)}


def test_any_of_several_vacant_rivers_of_one_length_may_be_filled_first() -> None:
    rivers = {**RIVERS, "rivers.2": "", "rivers.5": ""}
    assert Position("congress", {**HELPS, **rivers, "stock": "-5D"}).legal == {"stock/rivers.2", "stock/rivers.5"}


def test_one_empty_help_place_prevents_the_next_row() -> None:
    position = Position("congress", {**HELPS, **RIVERS, "aids.1": "", "stock": "-5D"})
    assert position.legal == {"stock/aids.1"}


def test_a_help_card_never_goes_to_an_empty_help_place() -> None:
    position = Position("congress", {**HELPS, "rivers.0": "9C 5D"})
    assert position.legal == {f"rivers.0/aids.{number}" for number in range(4, 8)}


def test_the_last_row_may_be_short_and_vacant_rivers_then_stay() -> None:
    position = Position("congress", {**HELPS, **RIVERS, "stock": "-5D -6D"}).play("deal")
    assert (position["rivers.0"], position["rivers.1"], position["rivers.2"]) == ("9C 6D", "9C 5D", "9C")
    assert position.counter("rows") == 2
    assert not any(move.startswith("stock") for move in position.legal)
