"""What a search has found."""

from typing import Literal, NamedTuple

from cadogan.engine.moves import Move

SOLVER_VERSION = 5
"""Raise it with every change after which `solve` may answer otherwise, or `solve` or `shorten` with another line."""

Verdict = Literal["won", "lost", "unknown"]


class Solution(NamedTuple):
    """The verdict on a position, and what the search saw.

    `verdict` is ``won``, ``lost`` (every position that can be reached was searched, and none is won) or ``unknown``
    (the nodes ran out). `line` has the moves that win, and is empty for any other verdict. `nodes` is the number of
    positions whose moves were played. `deepest` is the number of moves of the longest line that was followed, and
    `home` the most cards that came home on any line.
    """

    verdict: Verdict
    line: tuple[Move, ...]
    nodes: int
    deepest: int
    home: int
