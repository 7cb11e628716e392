"""A game file that contradicts itself is refused when it is loaded."""

from dataclasses import replace
from typing import Any

import pytest

from cadogan import engine
from cadogan.engine import Game, WrongDeclaration
from cadogan.engine.declaration import Route

KLONDIKE = engine.game("klondike").declaration
FOUNDATION, TABLEAU, WASTE, STOCK = KLONDIKE.groups


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"groups": (FOUNDATION, TABLEAU, STOCK, WASTE)}, "groups must be numbered by lay_out"),
        ({"groups": (FOUNDATION, TABLEAU, replace(WASTE, name="stock"), STOCK)}, "two piles share a name"),
        ({"routes": (Route(WASTE, TABLEAU),)}, "a route that never offers a move"),
    ],
)
def test_a_declaration_that_contradicts_itself_is_refused(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(WrongDeclaration, match=reason):
        Game("klondike", replace(KLONDIKE, **changes))


def test_a_deal_that_leaves_cards_in_hand_is_refused() -> None:
    unfinished = Game("klondike", replace(KLONDIKE, deal=KLONDIKE.deal[:-1]))
    with pytest.raises(WrongDeclaration, match="the deal leaves cards in hand"):
        unfinished.deal(bytes(32))


def test_the_cards_of_a_stock_lie_face_down() -> None:
    assert STOCK.face_down
    assert not any(group.face_down for group in (FOUNDATION, TABLEAU, WASTE))
