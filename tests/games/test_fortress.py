"""Fortress: which end of a row is open."""

from cadogan.engine import game
from cadogan.engine.cards import FACE
from cadogan.engine.shuffle import shuffle
from cadogan.engine.state import State
from tests.games.walks import seed


def dealt(state: State, pile: str) -> list[int]:
    return list(state.piles[game("fortress").piles.index(pile)])


def test_the_rows_are_dealt_straight_across_so_that_the_first_card_on_the_left_is_outermost() -> None:
    fortress = game("fortress")
    state = fortress.deal(seed(1))
    order = [card & FACE for card in shuffle(fortress.declaration.pack, seed(1), "deal")][::-1]
    assert dealt(state, "left.0") == order[:6][::-1]
    assert dealt(state, "right.0") == order[6:12]
    assert dealt(state, "left.1") == order[12:17][::-1]
    assert dealt(state, "right.4") == order[47:]
