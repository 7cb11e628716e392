"""The result of a search."""

from typing import Literal, NamedTuple

from cadogan.engine.moves import Move

SOLVER_VERSION = 9
"""Increase it with every change that can alter a verdict of `solve`, or a line of `solve` or `shorten`."""
SOLVER_VERSIONS = (5, 6, 7, 8, SOLVER_VERSION)
"""The versions that `solve` can follow: a deal of a day is searched by the one that was announced."""

Verdict = Literal["won", "lost", "unknown"]


class Solution(NamedTuple):
    """The verdict on a position, and figures of the search.

    `verdict` is ``won``, ``lost`` (no position that can be reached is won) or ``unknown`` (the nodes
    ran out). `line` has the moves that win, and is empty for any other verdict. `nodes` is the number of positions
    whose moves were played. `deepest` is the number of moves of the longest line that was followed, and `home` the most
    cards that came home on any line.
    """

    verdict: Verdict
    line: tuple[Move, ...]
    nodes: int
    deepest: int
    home: int
