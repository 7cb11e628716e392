"""Greedy play with restarts: many games that take the most promising move, and choose differently each time."""

from collections.abc import Iterator

from cadogan.engine.moves import Move
from cadogan.engine.solver.problem import Outcome, Problem, Trail
from cadogan.engine.state import State

FIRST_MOVES = 500
"""Maximum number of moves of the first game. Each later game may be one move longer."""
FACTOR, MODULUS = 48_271, 2**31 - 1
"""Park and Miller's generator of numbers, which gives the same choices everywhere (Minimal Standard, 1993)."""


class GreedyRestarts:
    """Plays the deal from the start repeatedly, and never returns to a position of the same game.

    Each move leads to the most promising position; of several such moves, or if none is better than the present
    position, one is chosen by a fixed pseudo-random sequence. This finds wins in long games in which most moves do
    little harm. It never proves that a deal is lost. `blocked_cost` is what a blocked card costs, in cards at home.
    `nodes` counts the positions that were searched, `deepest` the moves of the longest game.
    """

    def __init__(self, problem: Problem, blocked_cost: float) -> None:
        self.nodes = 0
        self.deepest = 0
        self._problem = problem
        self._blocked_cost = blocked_cost
        self._number = 1
        self._won: Trail | None = None
        self._known: set[bytes] = set()
        self._walk = self._games()

    @property
    def held(self) -> int:
        """How many positions it remembers: those of the present game."""
        return len(self._known)

    def run(self, nodes: int) -> Outcome | None:
        """Search up to `nodes` more nodes. Return ``won``, or None if nothing was found."""
        for _ in range(nodes):
            if next(self._walk, None) is None:
                return "won"
        return None

    def line(self) -> tuple[Move, ...]:
        """Return the moves that win, after ``won``; otherwise none."""
        return self._won.line() if self._won else ()

    def _games(self) -> Iterator[int]:
        """Play game after game until one is won; yields how many positions were searched."""
        problem, limit = self._problem, FIRST_MOVES
        while True:
            state, trail = problem.start, None
            known = self._known = {problem.key(state)}
            value = problem.progress(state) - self._blocked_cost * problem.estimate.blocked(state)
            for length in range(1, limit):
                self.nodes += 1
                best, choices = value, list[tuple[Move, State, bytes, float]]()
                for move, after in problem.successors(state):
                    key = problem.key(after)
                    if key in known:
                        continue
                    progress = problem.progress(after)
                    if problem.is_won(after, progress):
                        self._won = Trail(trail, move, length)
                        self.deepest = max(self.deepest, length)
                        return
                    worth = progress - self._blocked_cost * problem.estimate.blocked(after)
                    if worth > best:
                        best, choices = worth, []
                    if worth == best or best == value:
                        choices.append((move, after, key, worth))
                yield self.nodes
                if not choices:
                    break
                self._number = self._number * FACTOR % MODULUS
                move, state, key, value = choices[self._number % len(choices)]
                trail = Trail(trail, move, length)
                known.add(key)
                self.deepest = max(self.deepest, length)
            limit += 1
