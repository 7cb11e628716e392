"""Salic Law: kings begin columns as they turn up, queens take no part, aces are built up to jacks in any suit."""

from cadogan.engine.cards import pack, rank
from cadogan.engine.declaration import PACK, Action, Declaration, Group, Interchangeable, Route, lay_out
from cadogan.engine.layout import DOWNWARDS, at, grid, row
from cadogan.engine.parts import all_hold, cards_in, holds_cards, is_empty, rest, shuffle
from cadogan.engine.relations import Relation, anything, up
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

kings, foundation, queens, stock = lay_out(
    Group("kings", 8, "tableau", row(0, 2.3), DOWNWARDS),
    Group("foundation", 8, "foundation", row(0, 1.1)),
    Group("queens", 8, "discard", row(0, 0)),
    Group("stock", 1, "stock", at((9.2, 0))),
)
HOMES = {1: foundation, 12: queens, 13: kings}
to_jacks = up & Relation(lambda card, top: rank(card) <= 11)


def first_king(table: Table) -> None:
    """Begin the first packet with the king nearest the top of the pack; the other cards keep their order."""
    in_hand = table.piles[PACK]
    place = max(place for place, card in enumerate(in_hand) if rank(card) == 13)
    table.piles[PACK] = (*in_hand[:place], *in_hand[place + 1 :], in_hand[place])
    table.move(PACK, kings.start)


def deal(table: Table) -> None:
    """Turn one card: a king, an ace or a queen opens a place of its own, any other card goes on the last king."""
    last = max(kings.filled(table), default=kings.start)
    home = HOMES.get(rank(table.piles[stock.start][-1]))
    table.move(stock.start, min(home.vacancies(table), default=last) if home else last)


GAME = Declaration(
    name="Salic Law",
    summary="Kings begin columns as they turn up, queens look on, and eight aces rise to jacks whatever the suit.",
    groups=(kings, foundation, queens, stock),
    pack=pack(2),
    deal=(shuffle(), first_king, rest(stock)),
    routes=(
        Route(kings, foundation, onto=to_jacks, keep=1),
        Route(kings, kings, onto=anything, room=2, keep=2, when=is_empty(stock)),
    ),
    actions=(Action("deal", holds_cards(stock), deal),),
    interchangeable=(Interchangeable(foundation), Interchangeable(queens)),
    in_brief={
        "kings": (
            translatable("Cards are dealt on the last king."),
            translatable("Cards go to the foundations only."),
            translatable("Once the stock is empty, a lone king takes any card."),
        ),
    },
    score=cards_in(foundation),
    maximum=88,
    won=all_hold(foundation, 11),
    tall={"queens": row(0, 0, 1.08), "foundation": row(0, 1.08, 1.08)},
    wide={
        "queens": grid(4, 0, 0, 1.08, 1.08),
        "foundation": grid(4, 0, 2.16, 1.08, 1.08),
        "stock": at((4.46, 0)),
        "kings": row(5.68, 0, 1.08),
    },
)
