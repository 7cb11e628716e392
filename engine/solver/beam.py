"""Beam search: only the most promising positions of each level are kept; narrow beams are followed by wider ones."""

from collections.abc import Iterator, Sequence
from heapq import nlargest
from typing import NamedTuple

from cadogan.engine.moves import Move
from cadogan.engine.solver.problem import Outcome, Problem, Trail
from cadogan.engine.state import State

FIRST_WIDTH = 4
"""How many positions the first beam keeps of each level. Each wider beam keeps four times as many as the one before."""
LEVELS_WITHOUT_GAIN = 150
"""A beam ends after this many levels without a better score."""


class _Candidate(NamedTuple):
    value: float
    number: int
    progress: float
    state: State
    trail: Trail | None


class BeamSearch:
    """Expands every kept position by one move, keeps the most promising results, and continues from these.

    It finds long wins that a best-first search misses. It proves that a deal is lost only if a beam drops no position.
    `blocked_costs` are what a blocked card costs in the beams of one width, one beam after the other; `choice_worth` is
    what a legal move is worth, in cards at home. `first_width` is the width of the first beams. `nodes` counts the
    positions that were searched, again in each beam; `deepest` the moves of the longest line.
    """

    def __init__(
        self, problem: Problem, blocked_costs: Sequence[float], choice_worth: float, first_width: int = FIRST_WIDTH
    ) -> None:
        self.nodes = 0
        self.deepest = 0
        self._problem = problem
        self._blocked_costs = blocked_costs
        self._choice_worth = choice_worth
        self._first_width = first_width
        self._won: Trail | None = None
        self._known: set[bytes] = set()
        self._walk = self._beams()

    @property
    def held(self) -> int:
        """How many positions it remembers: those of the present beam."""
        return len(self._known)

    def run(self, nodes: int) -> Outcome | None:
        """Search up to `nodes` more nodes. Return how the search ended, or None if it can continue."""
        for _ in range(nodes):
            if next(self._walk, None) is None:
                return "won" if self._won else "lost"
        return None

    def line(self) -> tuple[Move, ...]:
        """Return the moves that win, after ``won``; otherwise none."""
        return self._won.line() if self._won else ()

    def _beams(self) -> Iterator[int]:
        """Search node by node, until a win is found or a beam dropped nothing; yield the number of searched nodes."""
        problem, dropped = self._problem, True
        beams = ((width, cost) for width in self._widths() for cost in self._blocked_costs)
        while dropped:
            width, blocked_cost = next(beams)
            known = self._known = {problem.key(problem.start)}
            level = [_Candidate(0.0, 0, 0.0, problem.start, None)]
            best, stale, dropped = problem.estimate.progress(problem.start), 0, False
            while level:
                found: list[_Candidate] = []
                for candidate in level:
                    self.nodes += 1
                    self._search(candidate, known, found, blocked_cost)
                    if self._won:
                        return
                    yield self.nodes
                dropped = dropped or len(found) > width
                level = nlargest(width, found)
                progress = max([one.progress for one in level], default=best)
                best, stale = (progress, 0) if progress > best else (best, stale + 1)
                if stale > LEVELS_WITHOUT_GAIN:
                    dropped = True
                    break

    def _widths(self) -> Iterator[int]:
        width = self._first_width
        while True:
            yield width
            width *= 4

    def _search(self, candidate: _Candidate, known: set[bytes], found: list[_Candidate], blocked_cost: float) -> None:
        """Add every new successor of this position to `found`."""
        problem = self._problem
        _, _, _, state, before = candidate
        length = before.length + 1 if before else 1
        self.deepest = max(self.deepest, length)
        successors = problem.successors(state)
        worth = self._choice_worth * len(successors)
        for move, after in successors:
            key = problem.key(after)
            if key in known:
                continue
            known.add(key)
            trail, progress = Trail(before, move, length), problem.progress(after)
            if problem.is_won(after, progress):
                self._won = trail
                return
            value = progress - blocked_cost * problem.estimate.blocked(after) + worth
            found.append(_Candidate(value, -len(known), progress, after, trail))
