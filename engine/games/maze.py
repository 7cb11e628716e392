"""Maze: forty-eight cards in fifty-four places, moved one at a time into gaps until four runs stand in line."""

from itertools import pairwise

from cadogan.engine.cards import of_rank, pack, rank, suit
from cadogan.engine.declaration import Declaration, Group, Route, lay_out
from cadogan.engine.layout import at, grid
from cadogan.engine.parts import packets, shuffle
from cadogan.engine.relations import Relation, in_suit, up
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

maze, kings = lay_out(
    Group("maze", 54, "tableau", grid(9, 0, 0, 1.05, 1.05)),
    Group("kings", 1, "discard", at((10, 5.25))),
)
BLANKS = (8, 17)
ACES, QUEENS = of_rank("A"), of_rank("Q")
ace_after_queen = Relation(lambda low, top: rank(low) == 1 and rank(top) == 12)
queen_before_ace = Relation(lambda high, top: rank(high) == 12 and rank(top) == 1)
follows = (in_suit & up) | ace_after_queen
"""By card: the cards that may stand at its right."""
precedes = Relation(lambda low, top: suit(low) == suit(top) and rank(low) == rank(top) - 1) | queen_before_ace
"""By card: the cards that may stand at its left."""


def remove_kings(table: Table) -> None:
    """Move every king to `kings`, in order of its place."""
    for index in maze:
        if table.piles[index] and rank(table.piles[index][-1]) == 13:
            table.move(index, kings.start)


def takes(position: Position, gap: int) -> int:
    """The cards that may fill a gap: by its left or right neighbour, or because it is the first or last place."""
    piles = position.piles
    if piles[gap]:
        return 0
    left = piles[gap - 1] if gap > maze.start else ()
    right = piles[gap + 1] if gap < maze.stop - 1 else ()
    fitting = ACES if gap == maze.start else QUEENS if gap == maze.stop - 1 else 0
    if left:
        fitting |= follows.table[left[-1]]
    if right:
        fitting |= precedes.table[right[-1]]
    return fitting


def score(position: Position) -> int:
    """One if an ace stands first, and one for every card that follows the card before it correctly, gaps left out."""
    line = [pile[-1] for pile in maze.of(position) if pile]
    if not line:
        return 0
    table = follows.table
    return (rank(line[0]) == 1) + sum([table[before] >> number & 1 for before, number in pairwise(line)])


GAME = Declaration(
    name="Maze",
    summary="Move single cards into the gaps of a maze until the four suits stand in four runs from ace to queen.",
    groups=(maze, kings),
    pack=pack(),
    deal=(shuffle(), packets(maze, [number not in BLANKS for number in range(54)]), remove_kings),
    routes=(Route(maze, maze, takes=takes),),
    in_brief={
        "maze": (
            translatable("A gap takes a card that fits the card on its left or the card on its right."),
            translatable(
                "To the right the suit goes up by one rank, to the left it goes down; an ace may follow any queen."
            ),
        ),
    },
    score=score,
    maximum=48,
    won=lambda position: score(position) == 48,
    home=score,
    tall={"maze": grid(9, 0, 0, 1.04, 1.04)},
    wide={"maze": grid(9, 0, 0, 1.08, 1.02)},
)
