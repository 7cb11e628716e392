"""The simple bot: it plays any legal move."""

import random
from collections.abc import Sequence

from cadogan.sdk.moves import Move
from cadogan.sdk.session import Session
from cadogan.wire.bodies import PilePlace

MAX_MOVES = 200
"""The bot gives up after this many moves: some games may go on for ever."""


class RandomBot:
    """Plays one game with random legal moves."""

    def __init__(self, places: Sequence[PilePlace], generator: random.Random) -> None:
        self._generator = generator

    def choose(self, session: Session) -> Move | None:
        """Return a random legal move; None if there is none, or after MAX_MOVES."""
        if not session.moves or session.played >= MAX_MOVES:
            return None
        return self._generator.choice(session.moves)
