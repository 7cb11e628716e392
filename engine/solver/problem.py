"""One deal as a search problem: the successors, the identity and the heuristic value of positions."""

from struct import Struct
from typing import Literal, NamedTuple, Optional

from cadogan.engine.game import Game
from cadogan.engine.moves import Move
from cadogan.engine.solver.estimate import Estimate
from cadogan.engine.solver.safe_moves import SafeMoves
from cadogan.engine.solver.solution import SOLVER_VERSION
from cadogan.engine.state import Pile, State

Outcome = Literal["won", "lost"]
"""How a search ended: a win was found, or every reachable position was searched."""

MANY_MOVES = 30
"""From this number of legal moves on, filtering equivalent moves is faster than playing them all."""


class Trail(NamedTuple):
    """How a position was reached: the last move, the trail before it, and the total number of moves."""

    before: Optional["Trail"]
    move: Move
    length: int

    def line(self) -> tuple[Move, ...]:
        """Return all moves, the first one first."""
        moves, trail = [], self
        while True:
            moves.append(trail.move)
            if trail.before is None:
                return tuple(reversed(moves))
            trail = trail.before


class Problem:
    """The deal to be solved, from the position `start`; later shuffles are drawn from `seed`.

    From `version` 8 of the solver on, it forgets the piles that the game declares forgotten. From the version that the
    game names on, it goes no further from positions that the game proves hopeless. `home` is the maximum number of
    cards at home in all calls of `progress`.
    """

    def __init__(self, game: Game, start: State, seed: bytes, version: int = SOLVER_VERSION) -> None:
        self.start = start
        self.estimate = Estimate(game, start, version)
        self.home = game.home(start)
        self._game = game
        self._score = game.declaration.score
        self._home = None if game.declaration.home is self._score else game.home
        self._seed = seed
        self._safe_moves = SafeMoves(game.declaration)
        self._number = _Numbers().__getitem__
        self._pack = Struct(f"{len(start.piles)}I{len(start.counters)}i").pack
        self._alike = [(slice(one.piles.start, one.piles.stop), one.when) for one in game.declaration.interchangeable]
        self._forgotten = [(one.piles, one.but) for one in game.declaration.forgotten] if version >= 8 else []
        self._hopeless = game.declaration.hopeless if version >= game.declaration.hopeless_since else None

    @property
    def has_proofs(self) -> bool:
        """Whether it can tell that positions are hopeless."""
        return self._hopeless is not None

    def is_hopeless(self, state: State) -> bool:
        """Return whether the game proves that this position cannot be won."""
        return self._hopeless is not None and self._hopeless(state)

    def successors(self, state: State) -> list[tuple[Move, State]]:
        """Return every legal move with the position after it; if one of them is safe, only this one.

        From a hopeless position there is none.
        """
        if self.is_hopeless(state):
            return []
        successor, seed, moves = self._game.successor, self._seed, self._game.legal_moves(state)
        safe = self._safe_moves.find(state, moves)
        if safe:
            moves = [safe]
        elif len(moves) >= MANY_MOVES:
            moves = self._without_twins(state, moves)
        return [(move, successor(state, move, seed)) for move in moves]

    def _without_twins(self, state: State, moves: list[Move]) -> list[Move]:
        """Remove moves that differ from others only by naming another equal, interchangeable pile."""
        same_piles: dict[int, int] = {}
        for places, when in self._alike:
            if when is None or when(state):
                first: dict[Pile, int] = {}
                for index, pile in enumerate(state.piles[places], places.start):
                    same_piles[index] = first.setdefault(pile, index)
        different: dict[tuple[str | int, ...], Move] = {}
        for move in moves:
            different.setdefault((move.verb, move.cards, *[same_piles.get(pile, pile) for pile in move.piles]), move)
        return list(different.values())

    def key(self, state: State) -> bytes:
        """Return a key that identifies the position.

        Two positions have the same key only if they differ at most in the order of piles that the game declares
        interchangeable, and in cards that it declares forgotten: then both are won or both are lost.
        """
        numbers = list(map(self._number, state.piles))
        for places, when in self._alike:
            if when is None or when(state):
                numbers[places] = sorted(numbers[places])
        for piles, but in self._forgotten:
            numbers[piles.start : piles.stop] = [0] * len(piles)
            if but is not None:
                numbers[piles.start] = but(state)
        return self._pack(*numbers, *state.counters)

    def progress(self, state: State) -> float:
        """Return the score, in cards, and update `home`."""
        score = self._score(state)
        home = score if self._home is None else self._home(state)
        if home > self.home:
            self.home = home
        return score / self.estimate.point

    def is_won(self, state: State, progress: float) -> bool:
        """Return whether the position is won; `progress` is its progress, and only the highest score can win."""
        return progress == self.estimate.complete and self._game.won(state)


class _Numbers(dict[Pile, int]):
    """A number for each pile, in the order in which the piles are seen first; equal piles have one number."""

    def __missing__(self, pile: Pile) -> int:
        number = self[pile] = len(self)
        return number
