"""TriPeaks: three peaks of overlapping cards are played off, up or down in rank, on the card last turned."""

from cadogan.engine.cards import DOWN, pack, rank
from cadogan.engine.declaration import WELL_KNOWN, Declaration, Forgotten, Group, Route, lay_out
from cadogan.engine.layout import at, joined, row
from cadogan.engine.parts import deal_to, is_empty, rest, rows, shuffle
from cadogan.engine.relations import down_around, up_around
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

peak, waste, stock = lay_out(
    Group(
        "peak",
        28,
        "reserve",
        joined(
            (3, row(1.65, 0, 3.3)),
            (6, lambda number: (1.1 + 3.3 * (number // 2) + 1.1 * (number % 2), 0.5)),
            (9, row(0.55, 1)),
            (10, row(0, 1.5)),
        ),
    ),
    Group("waste", 1, "waste", at((5.5, 2.9))),
    Group("stock", 1, "stock", at((4.4, 2.9))),
)
COVERS = {
    **{number: 3 + 2 * number for number in range(3)},
    **{3 + 2 * number + side: 9 + 3 * number + side for number in range(3) for side in range(2)},
    **{9 + number: 18 + number for number in range(9)},
}
"""By the number of a card in the peaks: that of the left one of the two that cover it."""


def is_free(position: Position, index: int) -> bool:
    """Whether no card of the peaks covers this one."""
    left = COVERS.get(index)
    return left is None or not (position.piles[left] or position.piles[left + 1])


def hide(table: Table) -> None:
    """The first three rows lie face down."""
    for index in peak[:18]:
        table.turn(index, up=False)


def uncover(table: Table) -> None:
    """Turn up each card that is no longer covered."""
    for index in peak:
        pile = table.piles[index]
        if pile and pile[-1] & DOWN and is_free(table, index):
            table.turn(index)


def top_rank(position: Position) -> int:
    """The rank of the waste's top card, which is all that bears upon play."""
    pile = position.piles[waste.start]
    return rank(pile[-1]) if pile else 0


GAME = Declaration(
    name="TriPeaks",
    summary="Three peaks of cards are played off one by one, up or down in rank, on the card last turned.",
    also_known_as=("Tri Peaks", "Three Peaks", "Tri Towers", "Triple Peaks"),
    groups=(peak, waste, stock),
    pack=pack(),
    deal=(shuffle(), rows(peak), hide, rows(waste), rest(stock)),
    routes=(Route(peak, waste, onto=up_around | down_around, free=is_free),),
    actions=(deal_to(waste, stock),),
    automatic=(uncover,),
    in_brief={
        "peak": (translatable("A card is free when no card lies over it."),),
        "waste": (translatable("Play a card that is one rank higher or lower; ace and king are neighbours."),),
    },
    score=lambda position: 28 - peak.size(position),
    maximum=28,
    won=is_empty(peak),
    home=lambda position: 28 - peak.size(position),
    forgotten=(Forgotten(waste, but=top_rank),),
    shelf=WELL_KNOWN,
)
