"""The Kings: the deal, which plays by itself."""

from cadogan import engine
from cadogan.engine.games.kings import wings
from cadogan.engine.table import Table
from tests.games.position import Position

ACES = {f"foundation.{number}": f"A{suit}" for number, suit in enumerate("SSHHDDCC")}


def dealt(words: str) -> Position:
    """The wings dealt from these cards, the first one drawn first."""
    stock = " ".join("-" + word for word in reversed(words.split()))
    position = Position("kings", {**ACES, "stock": stock})
    game = engine.game("kings")
    table = Table(position.state, [group.face_down for group in game.declaration.groups for _ in group])
    wings(table)
    position.state = table.state()
    return position


def test_a_card_played_in_the_deal_is_replaced_and_may_let_the_one_opposite_be_played() -> None:
    position = dealt("5S 3C 9D 9C 6S 2D 9S KD 7H 8H")
    assert position["foundation.2"] == "AH 2D 3C"
    assert (position["left.1"], position["right.1"]) == ("KD", "9S")
    assert (position["right.2"], position["right.3"]) == ("7H", "8H")


def test_a_card_goes_to_the_first_of_two_equal_foundations_of_its_own_row() -> None:
    position = dealt("5S 5H 2S 9C")
    assert (position["foundation.4"], position["foundation.5"]) == ("AD 2S", "AD")
    assert position["left.2"] == "9C"


def test_the_last_card_of_all_is_not_played_in_the_deal() -> None:
    position = dealt("5S 5H 5D 2C")
    assert position["left.3"] == "2C"
    assert "left.3/foundation.0" in position.legal


def test_the_columns_grow_outwards_on_the_left_and_right_in_turn() -> None:
    position = dealt("5S 6S 7S 8S 9S TS JS QS 5H 6H")
    assert (position["left.0"], position["left.1"], position["right.3"]) == ("5S 5H", "6S 6H", "QS")
