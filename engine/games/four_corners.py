"""The Four Corners: twelve piles dealt in rounds; during the deal a side feeds only its neighbour."""

from functools import partial
from typing import Any

from cadogan.engine.cards import pack
from cadogan.engine.declaration import Action, Declaration, Group, Route, counters, lay_out
from cadogan.engine.layout import at, column, joined, row
from cadogan.engine.parts import (
    all_hold,
    any_left,
    base,
    cards_in,
    holds_cards,
    is_empty,
    rest,
    shuffle,
    take_up,
    turn_until_placed,
)
from cadogan.engine.relations import down, in_suit, neighbour, up
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

corners, sides, foundation, stock = lay_out(
    Group("corners", 4, "tableau", at((1.4, 0), (1.4, 5.1), (7.4, 0), (7.4, 5.1))),
    Group("sides", 8, "tableau", joined((4, column(2.6, 0.9)), (4, column(6.2, 0.9)))),
    Group("foundation", 8, "foundation", joined((4, column(3.8, 0.9)), (4, column(5, 0.9)))),
    Group("stock", 1, "stock", at((0, 2.5))),
)
upcoming, redeals = counters(next=0, redeals=2)
ORDER = (*corners[0], *sides[0:4], *corners[1:3], *sides[4:8], *corners[3])
ACES, KINGS = base("A"), base("K")
lay = partial(turn_until_placed, group=foundation, bases=lambda number: KINGS(number) if number > 3 else ACES(number))
"""``lay(table, source, target)``: turn cards until one stays on the pile; bases go to their foundations."""


def deal(table: Table) -> None:
    """Lay a card on the next pile of the dealing order."""
    at_turn = upcoming.of(table)
    upcoming.put(table, (at_turn + 1) % len(ORDER))
    lay(table, stock.start, ORDER[at_turn])


def deal_round(table: Table) -> None:
    """Deal a first round, until the stock is empty."""
    for _ in ORDER:
        if table.piles[stock.start]:
            deal(table)


def redeal(table: Table) -> None:
    """Take up the piles in the dealing order, turn them over, and deal a first round."""
    take_up(ORDER, stock)(table)
    redeals.add(table, -1)
    upcoming.put(table, 0)
    deal_round(table)


def withdraw(table: Table, source: int, target: int) -> None:
    """Move a card to a foundation; while the stock lasts, another one replaces it."""
    table.move(source, target)
    lay(table, stock.start, source)


def going_up(*piles: Group, **conditions: Any) -> tuple[Route, Route]:
    """The routes from these piles to the foundations, which aces begin upwards and kings downwards."""
    return (
        Route(piles, foundation[0:4], onto=in_suit & up, empty=ACES, play=withdraw, **conditions),
        Route(piles, foundation[4:8], onto=in_suit & down, empty=KINGS, play=withdraw, **conditions),
    )


DEALING, DEALT = holds_cards(stock), is_empty(stock)
GAME = Declaration(
    name="The Four Corners",
    summary="Twelve piles are dealt in rounds: a corner serves every foundation, a side pile only the one beside it.",
    also_known_as=("Les Quatre Coins", "Cornerstones"),
    groups=(corners, sides, foundation, stock),
    counters=(upcoming, redeals),
    pack=pack(2),
    deal=(shuffle(), rest(stock), deal_round),
    routes=(
        *going_up(corners),
        *going_up(sides, when=DEALING, between=int.__eq__),
        *going_up(sides, when=DEALT),
        Route((corners, sides), (corners, sides), onto=in_suit & neighbour, when=DEALT),
    ),
    actions=(
        Action("deal", DEALING, deal),
        Action("redeal", DEALT & holds_cards(corners, sides) & any_left(redeals), redeal),
    ),
    in_brief={
        "sides": (translatable("While the stock lasts, a side pile serves only the foundation beside it."),),
        "stock": (translatable("Piles take cards of other piles only once it is empty."),),
    },
    score=cards_in(foundation),
    maximum=104,
    won=all_hold(foundation, 13),
    wide={
        "corners": at((0, 0), (6.1, 0), (0, 3.24), (6.1, 3.24)),
        "sides": joined((4, row(1.43, 0, 1.08)), (4, row(1.43, 3.24, 1.08))),
        "foundation": joined((4, row(1.43, 1.08, 1.08)), (4, row(1.43, 2.16, 1.08))),
    },
)
