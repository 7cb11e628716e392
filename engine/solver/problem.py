"""One deal as a search sees it: which positions follow, which are the same, and how promising each is."""

from typing import Literal, NamedTuple, Optional

from engine.game import Game
from engine.moves import Move
from engine.solver.estimate import Estimate
from engine.solver.safe_moves import SafeMoves
from engine.state import State

Outcome = Literal["won", "lost"]
"""How a search has ended: a win was found, or every position that can be reached was searched."""


class Trail(NamedTuple):
    """How a position was reached: the last move, what was before it, and how many moves there are in all."""

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

    `home` is the most cards at home that `is_won` has seen.
    """

    def __init__(self, game: Game, start: State, seed: bytes) -> None:
        self.start = start
        self.estimate = Estimate(game, start)
        self.home = game.home(start)
        self._game = game
        self._seed = seed
        self._safe_moves = SafeMoves(game.declaration)
        self._alike = [(slice(one.piles.start, one.piles.stop), one.when) for one in game.declaration.interchangeable]

    def successors(self, state: State) -> list[tuple[Move, State]]:
        """Return every legal move with the position after it; if one of them is safe, only this one."""
        play, seed, moves = self._game.play_legal, self._seed, self._game.legal_moves(state)
        safe = self._safe_moves.find(state, moves)
        return [(move, play(state, move, seed).state) for move in ([safe] if safe else moves)]

    def key(self, state: State) -> bytes:
        """Return what tells the position from others.

        Two positions have one key only if they differ in nothing but the order of piles that the game declares to be
        interchangeable: whatever can be won from one can be won from the other.
        """
        piles = [bytes(pile) for pile in state.piles]
        for places, when in self._alike:
            if when is None or when(state):
                piles[places] = sorted(piles[places])
        key = b"\0".join(piles)
        return key + repr(state.counters).encode() if state.counters else key

    def is_won(self, state: State) -> bool:
        """Return whether the position is won, and take note of the cards at home."""
        home = self._game.home(state)
        if home > self.home:
            self.home = home
        return self._game.declaration.won(state)
