"""Nested rollout policy adaptation: game after game is played by a policy, which learns from the best game so far.

The method is that of Christopher D. Rosin, *Nested Rollout Policy Adaptation for Monte Carlo Tree Search* (IJCAI 2011),
with a bias towards moves that improve the estimate, as in Tristan Cazenave, *Generalized Nested Rollout Policy
Adaptation* (2020). All that decides is whole numbers, so the same games are played everywhere.
"""

from collections.abc import Generator, Iterator, Sequence
from math import isqrt
from typing import NamedTuple

from cadogan.engine.cards import FACE
from cadogan.engine.moves import TRANSFER, Move
from cadogan.engine.solver.problem import Outcome, Problem, Trail
from cadogan.engine.solver.restarts import FACTOR, MODULUS
from cadogan.engine.state import State

LEVELS = 2
"""How many policies are nested."""
ITERATIONS = 50
"""So often a level learns from the best game so far, before it gives this game to the level above."""
DOUBLE = 256
"""A move that has so much more weight than another is twice as likely."""
LEARNING = 64
"""The weight that a move of the best game gains each time; all moves that were legal there lose as much together."""
CARD_WEIGHT = 256
"""What a card at home is worth, in weight."""
BLOCKED_WEIGHT = 64
"""What a blocked card costs, in weight."""
FIRST_MOVES = 500
"""A game has fewer moves than this."""
MOVES_WITHOUT_GAIN = 200
"""A game ends when so many moves and one more have led to no better position."""

Code = tuple[str, int, tuple[int, ...], tuple[int, ...]]
Policy = dict[Code, int]
"""The weights of moves; 0 for any other."""


class Option(NamedTuple):
    """A legal move of a game: what the policy knows it by, and the gain of the estimate, which is its bias."""

    code: Code
    gain: int


class Step(NamedTuple):
    options: list[Option]
    chosen: int


class Played(NamedTuple):
    """A game up to its best position, which is worth so much."""

    worth: int
    steps: list[Step]


def _powers() -> list[int]:
    """Return 2 ** (20 - n / 256) for n from 0 to 255, rounded down, computed by whole numbers."""
    return [_root(1 << 20 * DOUBLE - n) for n in range(DOUBLE)]


def _root(number: int) -> int:
    """Return the root of degree 256, rounded down: eight square roots."""
    for _ in range(8):
        number = isqrt(number)
    return number


POWERS = _powers()
"""The likelihoods of moves that have so much less weight than the likeliest one, up to `DOUBLE`."""


class NestedRollouts:
    """Plays the deal from the start repeatedly, by chance, and never returns to a position of the same game.

    A policy has a weight for each move, and a move is the more likely, the more weight it has and the more it improves
    the estimate. The lowest level plays; every level makes the moves of its best game more likely, and begins with the
    policy of the level above. It never proves that a deal is lost. `nodes` counts the positions that were searched,
    `deepest` the moves of the longest game.
    """

    def __init__(self, problem: Problem) -> None:
        self.nodes = 0
        self.deepest = 0
        self._problem = problem
        self._number = 1
        self._won: Trail | None = None
        self._known: set[bytes] = set()
        self._walk = self._runs()

    @property
    def held(self) -> int:
        """How many positions it remembers: those of the present game.

        Its policies, of some 10,000 moves, are not counted.
        """
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

    def _runs(self) -> Iterator[int]:
        """Begin with an empty policy again and again, until a game is won; yields how many nodes were searched."""
        while self._won is None:
            yield from self._learn(LEVELS, {})

    def _learn(self, level: int, policy: Policy) -> Generator[int, None, Played]:
        """Return the best game of a level, and change its policy."""
        best: Played | None = None
        for _ in range(ITERATIONS):
            if level == 1:
                played = yield from self._play(policy)
            else:
                played = yield from self._learn(level - 1, policy.copy())
            if best is None or played.worth >= best.worth:
                best = played
            if self._won:
                break
            adapt(policy, best)
        assert best is not None
        return best

    def _play(self, policy: Policy) -> Generator[int, None, Played]:
        """Play one game."""
        problem, state, trail = self._problem, self._problem.start, None
        known = self._known = {problem.key(state)}
        worth = best = self._worth(state, problem.progress(state))
        steps, kept, stale = list[Step](), 0, 0
        for length in range(1, FIRST_MOVES):
            self.nodes += 1
            options, choices = list[Option](), list[tuple[Move, State, bytes]]()
            for move, after in problem.successors(state):
                key = problem.key(after)
                if key in known:
                    continue
                progress = problem.progress(after)
                if problem.is_won(after, progress):
                    self._won = Trail(trail, move, length)
                    self.deepest = max(self.deepest, length)
                    return Played(best, steps[:kept])
                options.append(Option(_code(state, move), self._worth(after, progress) - worth))
                choices.append((move, after, key))
            yield self.nodes
            if not choices:
                break
            chosen = self._choose(likelihoods_of(policy, options))
            steps.append(Step(options, chosen))
            move, state, key = choices[chosen]
            worth += options[chosen].gain
            trail = Trail(trail, move, length)
            known.add(key)
            self.deepest = max(self.deepest, length)
            stale += 1
            if worth > best:
                best, kept, stale = worth, len(steps), 0
            if stale > MOVES_WITHOUT_GAIN:
                break
        return Played(best, steps[:kept])

    def _worth(self, state: State, progress: float) -> int:
        """Return what a position is worth, in weight: both products are exact, and cut to whole numbers."""
        return int(CARD_WEIGHT * progress) - int(BLOCKED_WEIGHT * self._problem.estimate.blocked(state))

    def _choose(self, likelihoods: Sequence[int]) -> int:
        """Return the place of one of them, by the generator of numbers that `GreedyRestarts` has."""
        self._number = self._number * FACTOR % MODULUS
        left, chosen = self._number * sum(likelihoods) // MODULUS, 0
        while left >= likelihoods[chosen]:
            left -= likelihoods[chosen]
            chosen += 1
        return chosen


def _code(state: State, move: Move) -> Code:
    """Return what a policy knows a move by: its verb, cards and piles, and the card that each pile gives or has on top.

    For cards that go together from pile to pile, this is the lowest of them.
    """
    tops = [state.piles[index][-1] & FACE if state.piles[index] else 0 for index in move.piles]
    if move.verb == TRANSFER:
        tops[0] = state.piles[move.piles[0]][-move.cards] & FACE
    return move.verb, move.cards, move.piles, tuple(tops)


def likelihoods_of(policy: Policy, options: Sequence[Option]) -> list[int]:
    """Return how likely each move is; the likeliest has 2 to the power of 20, and other moves may have 0."""
    weights = [policy.get(code, 0) + gain for code, gain in options]
    most = max(weights)
    return [POWERS[(most - weight) % DOUBLE] >> (most - weight) // DOUBLE for weight in weights]


def adapt(policy: Policy, best: Played) -> None:
    """Make the moves of a game more likely: Rosin's step along the gradient, with shares rounded down."""
    changes: Policy = {}
    for options, chosen in best.steps:
        likelihoods = likelihoods_of(policy, options)
        total = sum(likelihoods)
        for (code, _), likelihood in zip(options, likelihoods, strict=True):
            changes[code] = changes.get(code, 0) - LEARNING * likelihood // total
        code = options[chosen].code
        changes[code] += LEARNING
    for code, change in changes.items():
        policy[code] = policy.get(code, 0) + change
