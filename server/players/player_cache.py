"""Players by their ids, as others see them, remembered for a few seconds so that a crowd costs one question."""

import time
from collections.abc import Awaitable, Callable, Iterable

from clients.wire.values import Player
from server.core import ids

SECONDS = 10.0
"""How long a name is remembered; a player who claims a name is called by it everywhere after so long."""
MOST = 10_000
Lookup = Callable[[Iterable[str]], Awaitable[dict[str, Player]]]


class PlayerCache:
    """Asks `lookup` for players and remembers the answers for a while."""

    def __init__(self, lookup: Lookup, clock: Callable[[], float] = time.monotonic) -> None:
        self._lookup = lookup
        self._clock = clock
        self._known: dict[str, Player] = {}
        self._since = clock()

    async def player(self, player: str) -> Player:
        """One player; one who was erased is called nobody."""
        return (await self.players((player,)))[player]

    async def players(self, wanted: Iterable[str]) -> dict[str, Player]:
        """Players by id, every one that was asked for."""
        if self._clock() - self._since > SECONDS or len(self._known) > MOST:
            self._known = {}
            self._since = self._clock()
        wanted = tuple(wanted)
        missing = [player for player in wanted if player not in self._known]
        if missing:
            self._known |= {player: nobody(player) for player in missing} | await self._lookup(missing)
        return {player: self._known[player] for player in wanted}

    def remembered(self, player: str) -> Player:
        """One player without asking, as last heard of; for where nothing may wait."""
        return self._known.get(player) or nobody(player)


def nobody(player: str) -> Player:
    """A player who was erased."""
    return Player(id=player, name="Nobody", guest=True, bot=ids.is_bot(player))
