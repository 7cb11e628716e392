"""Views: whose game was shown to whom, of deals that are not everybody's yet. One stream for each deal and viewer.

    watched/<deal>/<player>     game_watched, once for each game

The game's id is the event's command, so that the log takes each view once, from whichever node.
"""

from collections.abc import Callable

from server.eventlog import hash_chain
from server.eventlog.event_store import Append, DuplicateCommand, Store, VersionConflict
from server.eventlog.events import GameWatched

MOST = 100_000
"""Views that are remembered to be in the log, so that nothing is asked again."""


class ViewLog:
    """Writes views down. `now` gives the time in milliseconds since 1970."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store = store
        self._now = now
        self._written: set[tuple[str, str]] = set()

    async def write(self, player: str, game: str, deal: str) -> None:
        """The player is about to be shown the game: returns when that is in the log. Raises StoreUnavailable."""
        if (player, game) in self._written:
            return
        event = GameWatched(player, game, deal)
        stream = stream_of(deal, player)
        while True:
            before = await self._store.read(stream)
            if any(stored.command_id == game for stored in before):
                break
            head, at = (before[-1].hash, before[-1].recorded_at) if before else (hash_chain.START_HASH, 0)
            sealed = hash_chain.chain_event(head, stream, len(before) + 1, event, max(at, self._now()))
            try:
                await self._store.append(Append(stream, game, (sealed,)))
            except (VersionConflict, DuplicateCommand):
                continue
            break
        if len(self._written) >= MOST:
            self._written.clear()
        self._written.add((player, game))


def stream_of(deal: str, player: str) -> str:
    """The stream of what a player was shown of a deal."""
    return f"watched/{deal}/{player}"
