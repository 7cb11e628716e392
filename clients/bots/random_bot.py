"""The plain bot: any legal move."""

import random
from collections.abc import Sequence

from clients.sdk.moves import Move
from clients.sdk.session import Session
from clients.wire.bodies import PilePlace

MOST_MOVES = 200
"""After so many it gives up: some games go on for ever."""


class Chance:
    """Plays one game by chance."""

    def __init__(self, places: Sequence[PilePlace], chance: random.Random) -> None:
        self._chance = chance

    def choose(self, session: Session) -> Move | None:
        """Any move; none when there is none, or have been enough."""
        if not session.moves or session.played >= MOST_MOVES:
            return None
        return self._chance.choice(session.moves)
