"""A cache of players by id, as others see them, which batches concurrent lookups into one query."""

import time
from collections.abc import Awaitable, Callable, Iterable

from cadogan.server.core import ids
from cadogan.wire.values import Player

CACHE_SECONDS = 10.0
"""The lifetime of an entry in seconds, after which a newly claimed name is shown everywhere."""
MAX_CACHED_PLAYERS = 10_000
Lookup = Callable[[Iterable[str]], Awaitable[dict[str, Player]]]


class PlayerCache:
    """Loads players with `lookup` and caches them for `CACHE_SECONDS`. `clock` returns seconds."""

    def __init__(self, lookup: Lookup, clock: Callable[[], float] = time.monotonic) -> None:
        self._lookup = lookup
        self._clock = clock
        self._known: dict[str, Player] = {}
        self._since = clock()

    async def player(self, player: str) -> Player:
        """Return the player with this id; for an erased one a `placeholder`."""
        return (await self.players((player,)))[player]

    async def players(self, wanted: Iterable[str]) -> dict[str, Player]:
        """Return every one of these players by id; for an erased one a `placeholder`."""
        if self._clock() - self._since > CACHE_SECONDS or len(self._known) > MAX_CACHED_PLAYERS:
            self._known = {}
            self._since = self._clock()
        wanted = tuple(wanted)
        missing = [player for player in wanted if player not in self._known]
        if missing:
            self._known |= {player: placeholder(player) for player in missing} | await self._lookup(missing)
        return {player: self._known[player] for player in wanted}

    def forget(self, player: str) -> None:
        """Drop this player from the cache."""
        self._known.pop(player, None)

    def cached_player(self, player: str) -> Player:
        """Return the player with this id as last looked up, or a `placeholder`. It does not block."""
        return self._known.get(player) or placeholder(player)


def placeholder(player: str) -> Player:
    """Return what is shown in place of an erased player."""
    return Player(id=player, name="Nobody", guest=True, bot=ids.is_bot(player), left=True)
