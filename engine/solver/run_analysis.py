"""Where a run was lost: verdicts on the positions of a run, found with few searches.

A position is won if one of its successors is won, and every position after a lost one is lost. So the verdicts of a run
are found by bisection: the middle of the undecided positions is searched first, and each verdict decides all positions
before it or after it.
"""

from collections.abc import Iterable
from typing import NamedTuple

from cadogan.engine.moves import Move
from cadogan.engine.solver.solution import Solution, Verdict


class RunAnalysis:
    """The verdicts on the positions of a run.

    `played` are the moves of the run in their order; None takes the last one back. Position 0 is the deal, each other
    one was reached by the move `moves[n]` from the position `parents[n]`, which is below `n`; both are None for the
    deal. A move that was taken back and played again leads to the same position again. `path` has the position before
    the first move and after each item of `played`. `verdicts[n]` is None until `learn` gets it, or a verdict that
    implies it.

    >>> deal, redeal = (Move(word, (), 0, word) for word in ("deal", "redeal"))
    >>> run = RunAnalysis([deal, redeal, None, redeal])
    >>> run.path, run.next_position()
    ([0, 1, 2, 1, 2], 1)
    >>> run.learn(1, Solution("lost", (), nodes=10, deepest=3, home=4))
    >>> run.verdicts, run.next_position()
    ([None, 'lost', 'lost'], 0)
    """

    def __init__(self, played: Iterable[Move | None]) -> None:
        self.parents: list[int | None] = [None]
        self.moves: list[Move | None] = [None]
        self.path = [0]
        self._following: list[dict[Move, int]] = [{}]
        for move in played:
            self.path.append(self._take_back() if move is None else self._play(move))
        self.verdicts: list[Verdict | None] = [None] * len(self.parents)
        self._winning_lines: dict[int, _WinningLine] = {}

    def _play(self, move: Move) -> int:
        before = self.path[-1]
        position = self._following[before].setdefault(move, len(self.parents))
        if position == len(self.parents):
            self.parents.append(before)
            self.moves.append(move)
            self._following.append({})
        return position

    def _take_back(self) -> int:
        before = self.parents[self.path[-1]]
        if before is None:
            raise ValueError("there is no move to take back")
        return before

    def next_position(self) -> int | None:
        """Return the position to search next; None when there is a verdict on every position.

        It is the middle of the longest stretch without a verdict on the way to the last position that has none. So
        unsuccessful searches are spread along the run.
        """
        position: int | None = max((n for n, verdict in enumerate(self.verdicts) if verdict is None), default=None)
        longest: list[int] = []
        stretch: list[int] = []
        while position is not None:
            if self.verdicts[position] is None:
                stretch.append(position)
                longest = max(longest, stretch, key=len)
            else:
                stretch = []
            position = self.parents[position]
        return longest[len(longest) // 2] if longest else None

    def learn(self, position: int, found: Solution) -> None:
        """Store the result of a search at a position, and all verdicts that it implies."""
        if found.verdict == "won":
            self._win(position, found.line)
        elif found.verdict == "lost":
            self._lose(position)
        elif self.verdicts[position] is None:
            self.verdicts[position] = "unknown"

    def losing_positions(self) -> list[int]:
        """Return the positions that are lost although the position before them was won, in their order."""
        return [
            position
            for position, before in enumerate(self.parents)
            if before is not None and self.verdicts[before] == "won" and self.verdicts[position] == "lost"
        ]

    def line(self, position: int) -> tuple[Move, ...]:
        """Return moves that win from a position; none if it is not known to be won."""
        moves, winning_line = list[Move](), self._winning_lines.get(position)
        while winning_line is not None and winning_line.following is not None:
            move = self.moves[winning_line.following]
            assert move is not None
            moves.append(move)
            winning_line = self._winning_lines[winning_line.following]
        return (*moves, *winning_line.found[winning_line.start :]) if winning_line else ()

    def _win(self, position: int, line: tuple[Move, ...]) -> None:
        self._store_winning_line(position, _WinningLine(len(line), line))
        after = position
        for played, move in enumerate(line, 1):  # the rest of the line, where the player followed it
            if (found := self._following[after].get(move)) is None:
                break
            after = found
            self._store_winning_line(after, _WinningLine(len(line) - played, line, played))
        while (before := self.parents[position]) is not None:
            if not self._store_winning_line(
                before, _WinningLine(self._winning_lines[position].length + 1, following=position)
            ):
                break
            position = before

    def _store_winning_line(self, position: int, winning_line: "_WinningLine") -> bool:
        """Store the way if it is the shortest from this position; return whether it is."""
        self.verdicts[position] = "won"
        is_shorter = position not in self._winning_lines or winning_line.length < self._winning_lines[position].length
        if is_shorter:
            self._winning_lines[position] = winning_line
        return is_shorter

    def _lose(self, position: int) -> None:
        waiting = [position]
        for lost in waiting:
            self.verdicts[lost] = "lost"
            waiting.extend(after for after in self._following[lost].values() if self.verdicts[after] != "lost")


class _WinningLine(NamedTuple):
    """A way to win from a position: a part of a line found by a search, or a move to the position `following`."""

    length: int
    found: tuple[Move, ...] = ()
    start: int = 0
    following: int | None = None
