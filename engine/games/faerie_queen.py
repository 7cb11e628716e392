"""Spenser's Faerie Queen: kings begin columns of random length; then single cards are built down."""

from cadogan.engine.cards import FACE, pack, rank, suit
from cadogan.engine.declaration import Action, Declaration, Group, Interchangeable, Route, lay_out
from cadogan.engine.layout import DOWNWARDS, at, grid, row
from cadogan.engine.parts import all_hold, cards_in, holds_cards, is_empty, rest, set_out, shuffle
from cadogan.engine.relations import Relation, down, following, in_suit
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

stock, foundation, columns = lay_out(
    Group("stock", 1, "stock", at((9.3, 0))),
    Group("foundation", 8, "foundation", row(0, 0)),
    Group("columns", 8, "tableau", row(0, 1.25), DOWNWARDS),
)
on_a_king = Relation(lambda card, top: rank(top) == 13 and rank(card) != 13)


def deal(table: Table) -> None:
    """An ace goes to its foundation, a king opens the next column, any other card goes on the column opened last."""
    number = table.piles[stock.start][-1] & FACE
    homes = [index for index in foundation.vacancies(table) if (index - foundation.start) % 4 == suit(number)]
    closed = columns.vacancies(table)
    if rank(number) == 1 and homes:
        target = homes[0]
    elif rank(number) == 13 and closed:
        target = closed[0]
    else:
        target = max(columns.filled(table), default=columns.start)
    table.move(stock.start, target)


GAME = Declaration(
    name="Spenser's Faerie Queen",
    summary="Kings head columns of chance length; single kings are the resting places for building ace to queen.",
    also_known_as=("Faerie Queen", "Fairie Queen"),
    groups=(stock, foundation, columns),
    pack=pack(2),
    deal=(set_out(columns, "KS"), shuffle(), rest(stock)),
    routes=(
        Route(columns, foundation, onto=in_suit & following("A23456789TJQ")),
        Route(columns, columns, onto=down | on_a_king, when=is_empty(stock)),
    ),
    actions=(Action("deal", holds_cards(stock), deal),),
    interchangeable=(Interchangeable(columns, is_empty(stock)),),
    in_brief={
        "columns": (
            translatable("Once the stock is empty, build down in any suit."),
            translatable("Once the stock is empty, a lone king takes any card."),
            translatable("Kings never move."),
        ),
    },
    score=cards_in(foundation),
    maximum=96,
    won=all_hold(foundation, 12),
    wide={
        "foundation": grid(3, 0, 0, 1.08, 1.08),
        "stock": at((2.16, 2.16)),
        "columns": row(3.3, 0, 1.08),
    },
)
