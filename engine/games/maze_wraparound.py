"""Maze (wrap-around): the places form a ring, and an ace does not ask for a queen."""

from dataclasses import replace

from cadogan.engine.declaration import Route
from cadogan.engine.games.maze import GAME as MAZE
from cadogan.engine.games.maze import follows, maze
from cadogan.engine.relations import down, in_suit
from cadogan.engine.state import Position

precedes = in_suit & down


def takes(position: Position, gap: int) -> int:
    """The cards that may fill a gap, by its left or its right neighbour in the ring."""
    piles = position.piles
    if piles[gap]:
        return 0
    left, right = piles[(gap - 1) % len(maze)], piles[(gap + 1) % len(maze)]
    return (follows.table[left[-1]] if left else 0) | (precedes.table[right[-1]] if right else 0)


GAME = replace(
    MAZE,
    name="Maze (wrap-around)",
    summary="The Maze whose last place joins the first: four runs from ace to queen, gaps wherever they fall.",
    routes=(Route(maze, maze, takes=takes),),
)
