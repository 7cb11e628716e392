"""Babette: rows of eight fall on eight columns that are never refilled; each redeal reads the columns backwards."""

from cadogan.engine.cards import pack
from cadogan.engine.declaration import Action, Declaration, Group, Route, counters, lay_out
from cadogan.engine.layout import DOWNWARDS, at, grid, row
from cadogan.engine.parts import (
    all_hold,
    any_left,
    base,
    cards_in,
    deal_row,
    holds_cards,
    is_empty,
    rest,
    rows,
    shuffle,
    take_up,
)
from cadogan.engine.relations import down, in_suit, up
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

stock, foundation, garden = lay_out(
    Group("stock", 1, "stock", at((9.4, 0))),
    Group("foundation", 8, "foundation", row(0, 0)),
    Group("garden", 8, "reserve", row(0, 1.3), DOWNWARDS),
)
(redeals,) = counters(redeals=2)
next_row = deal_row(garden, stock)


def redeal(table: Table) -> None:
    """Gather the columns, the last one first, each from its first row down, and deal the first row again."""
    take_up(garden[::-1], stock)(table)
    redeals.add(table, -1)
    next_row(table)


GAME = Declaration(
    name="Babette",
    summary="Rows of eight fall one below another, gaps are never closed, and each redeal reads the rows backwards.",
    groups=(stock, foundation, garden),
    counters=(redeals,),
    pack=pack(2),
    deal=(shuffle(), rows(garden), rest(stock)),
    routes=(
        Route(garden, foundation[0:4], onto=in_suit & up, empty=base("A")),
        Route(garden, foundation[4:8], onto=in_suit & down, empty=base("K")),
    ),
    actions=(
        Action("deal", holds_cards(stock), next_row),
        Action("redeal", is_empty(stock) & holds_cards(garden) & any_left(redeals), redeal),
    ),
    in_brief={
        "garden": (translatable("Cards go to the foundations only."),),
    },
    score=cards_in(foundation),
    maximum=104,
    won=all_hold(foundation, 13),
    wide={
        "foundation": grid(3, 0, 0, 1.08, 1.08),
        "stock": at((2.16, 2.16)),
        "garden": row(3.3, 0, 1.08),
    },
)
