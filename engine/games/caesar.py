"""Caesar: nine cards, ace to nine, in a square; they are exchanged until all eight lines count fifteen."""

from collections.abc import Iterable
from itertools import combinations

from cadogan.engine.cards import members, of_rank, of_suit, rank
from cadogan.engine.declaration import Declaration, Group, Special, lay_out
from cadogan.engine.layout import grid
from cadogan.engine.parts import rows, shuffle
from cadogan.engine.state import Position

(cell,) = lay_out(Group("cell", 9, "tableau", grid(3, 0, 0)))
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
PAIRS = tuple(combinations(cell, 2))


def exchanges(position: Position) -> Iterable[tuple[int, int]]:
    """Any two cards."""
    filled = cell.filled(position)
    return PAIRS if len(filled) == len(cell) else combinations(filled, 2)


def fifteens(position: Position) -> int:
    """How many lines count fifteen."""
    pips = [rank(pile[-1]) if pile else 0 for pile in cell.of(position)]
    return sum([pips[a] + pips[b] + pips[c] == 15 for a, b, c in LINES])


GAME = Declaration(
    name="Caesar",
    summary="Nine cards in a square change places until all eight lines count fifteen.",
    groups=(cell,),
    pack=tuple(members(of_rank("A23456789") & of_suit(1))),
    deal=(shuffle(), rows(cell)),
    specials=(Special("~", exchanges, lambda table, piles: table.exchange(*piles)),),
    score=fifteens,
    maximum=8,
    won=lambda position: fifteens(position) == 8,
    home=fifteens,
    tall={"cell": grid(3, 0, 0, 1.08, 1.08)},
    wide={"cell": grid(3, 0, 0, 1.08, 1.04)},
)
