"""A position in a game, with its legal moves and status, and the points of a finished run."""

from typing import NamedTuple

from cadogan.engine.finish import find_finish
from cadogan.engine.game import Game
from cadogan.engine.game import Status as PositionStatus
from cadogan.engine.moves import Move
from cadogan.engine.state import State, pack_state, unpack_state


class Position:
    """A state of the piles, with properties that are computed on first use and then cached."""

    __slots__ = ("_finish", "_home", "_legal", "_score", "_status", "rules", "state")

    def __init__(self, rules: Game, state: State) -> None:
        self.rules = rules
        self.state = state
        self._finish: tuple[Move, ...] | None = None
        self._home: int | None = None
        self._legal: dict[str, Move] | None = None
        self._score: int | None = None
        self._status: PositionStatus | None = None

    @property
    def finish(self) -> tuple[Move, ...]:
        """The moves that finish the game if nothing is left to decide (`cadogan.engine.finish`); else none."""
        if self._finish is None:
            self._finish = find_finish(self.rules, self.state, list(self.legal.values()))
        return self._finish

    def after(self, move: str, state: State) -> "Position":
        """Return the position to which a move with this text has led. Moves that finish the game stay known."""
        position = Position(self.rules, state)
        if self._finish and self._finish[0].text == move:
            position._finish = self._finish[1:]
        return position

    @property
    def legal(self) -> dict[str, Move]:
        """The legal moves by their text."""
        if self._legal is None:
            self._legal = {move.text: move for move in self.rules.legal_moves(self.state)}
        return self._legal

    @property
    def score(self) -> int:
        """The score by the rules of the game."""
        if self._score is None:
            self._score = self.rules.score(self.state)
        return self._score

    @property
    def home(self) -> int:
        """How many cards are home; if the rules use this count as the score, it is computed once."""
        if self._home is None:
            declared = self.rules.declaration
            self._home = self.score if declared.home is declared.score else self.rules.home(self.state)
        return self._home

    @property
    def status(self) -> PositionStatus:
        """``playing``, ``stuck`` or ``won``."""
        if self._status is None:
            self._status = self.rules.status(self.state, list(self.legal.values()))
        return self._status


class Past(NamedTuple):
    """A state to which a take-back returns, whether the move played in it revealed something, and the state before it.

    The state is stored as bytes, because a long game has thousands of them.
    """

    packed: bytes
    revealed: bool
    before: "Past | None"

    @classmethod
    def of(cls, state: State, revealed: bool, before: "Past | None") -> "Past":
        """Return the entry for a move that was played in this state."""
        return cls(pack_state(state), revealed, before)

    def state(self, rules: Game) -> State:
        """Return the state, in a game by these rules."""
        return unpack_state(self.packed, len(rules.piles))


FULL_POINTS = 1000
"""The points of a run that reached the highest score of the game."""
WIN_BONUS = 250
"""Extra points for a win."""


def run_points(score: int, first: int, maximum: int, *, won: bool) -> int:
    """Return the points of a run that ended with this score.

    `first` is the score of the cards as they were dealt, `maximum` the highest score of the game. Points are never
    below zero.

    >>> run_points(26, 0, 52, won=False)
    500
    >>> run_points(208, -52, 208, won=True)
    1250
    >>> run_points(-57, -52, 208, won=False)
    0
    """
    distance = max(1, maximum - first)
    return max(0, FULL_POINTS * (score - first) // distance) + (WIN_BONUS if won else 0)
