"""Best-first search: it drops no position, and can therefore also prove that a deal is lost."""

from heapq import heappop, heappush

from cadogan.engine.moves import Move
from cadogan.engine.solver.problem import Outcome, Problem, Trail
from cadogan.engine.state import State


class BestFirstSearch:
    """Always expands the most promising position found so far, and none twice.

    `blocked_cost` is what a blocked card costs, in cards at home (`cadogan.engine.solver.estimate`). `nodes` counts the
    positions that were searched, `deepest` the moves of the longest line.
    """

    def __init__(self, problem: Problem, blocked_cost: float) -> None:
        self.nodes = 0
        self.deepest = 0
        self._problem = problem
        self._blocked_cost = blocked_cost
        self._known = {problem.key(problem.start)}
        self._frontier: list[tuple[float, int, State, Trail | None]] = [(0.0, 0, problem.start, None)]
        self._won: Trail | None = None

    @property
    def held(self) -> int:
        """How many positions it remembers."""
        return len(self._known)

    def run(self, nodes: int) -> Outcome | None:
        """Search up to `nodes` more nodes. Return how the search ended, or None if it can continue."""
        problem, known, frontier = self._problem, self._known, self._frontier
        for _ in range(nodes):
            if not frontier:
                return "lost"
            _, _, state, before = heappop(frontier)
            self.nodes += 1
            length = before.length + 1 if before else 1
            for move, after in problem.successors(state):
                key = problem.key(after)
                if key in known:
                    continue
                known.add(key)
                self.deepest = max(self.deepest, length)
                trail, progress = Trail(before, move, length), problem.progress(after)
                if problem.is_won(after, progress):
                    self._won = trail
                    return "won"
                value = self._blocked_cost * problem.estimate.blocked(after) - progress
                heappush(frontier, (value, -len(known), after, trail))
        return None if frontier else "lost"

    def line(self) -> tuple[Move, ...]:
        """Return the moves that win, after ``won``; otherwise none."""
        return self._won.line() if self._won else ()
