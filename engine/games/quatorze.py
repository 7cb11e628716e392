"""Quatorze: pairs that make fourteen in one row or column of a square of twenty-five."""

from cadogan.engine.cards import pack, rank
from cadogan.engine.declaration import Declaration, Group, Special, lay_out
from cadogan.engine.effects import KEPT
from cadogan.engine.layout import at, grid
from cadogan.engine.parts import cards_in, refill, rest, rows, shuffle
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

square, stock, discard = lay_out(
    Group("grid", 25, "reserve", grid(5, 2, 0)),
    Group("stock", 1, "stock", at((0, 0))),
    Group("discard", 1, "discard", at((0, 4.4))),
)
LINES = [(5 * r + c, 5 * r + d) for r in range(5) for c in range(5) for d in range(c + 1, 5)]
LINES += [(5 * r + c, 5 * s + c) for c in range(5) for r in range(5) for s in range(r + 1, 5)]
"""Every two places in one row or column, the lower first."""


def fourteens(position: Position) -> list[tuple[int, ...]]:
    """The pairs that may be taken."""
    values = [rank(pile[-1]) if pile else 0 for pile in square.of(position)]
    return [(a, b) for a, b in LINES if values[a] + values[b] == 14 and values[a] and values[b]]


def take(table: Table, piles: tuple[int, ...]) -> None:
    """Remove both cards, that of the lower place first."""
    for index in piles:
        table.move(index, discard.start)


def close_up(table: Table) -> None:
    """Move the cards behind an empty place forward; they keep their order."""
    filled = square.filled(table)
    if filled and filled[-1] >= len(filled):
        gathered = tuple(range(filled[-1] + 1))
        sizes = [len(table.piles[index]) for index in filled]
        table.redeal(gathered, sizes + [0] * (len(gathered) - len(filled)), KEPT)


GAME = Declaration(
    name="Quatorze",
    summary="Clear a square of twenty-five cards by taking pairs that make fourteen in one row or column.",
    groups=(square, stock, discard),
    pack=pack(),
    deal=(shuffle(), rows(square), rest(stock)),
    specials=(Special("+", fourteens, take),),
    automatic=(refill(square, stock, only_emptied=True), close_up),
    in_brief={
        "": (
            translatable(
                "Take two cards of one row or column that make fourteen. Aces count 1, jacks 11, queens 12, kings 13."
            ),
        ),
    },
    score=cards_in(discard),
    maximum=52,
    won=lambda position: not square.filled(position),
    home=cards_in(discard),
    tall={"grid": grid(5, 0, 0, 1.08, 1.08)},
    wide={"grid": grid(5, 0, 0, 1.08, 1.02)},
)
