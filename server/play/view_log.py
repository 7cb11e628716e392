"""The log of views: which games a viewer saw while the deal was secret. One stream for each deal and viewer.

Each game is in the stream once, as the event `game_watched`. The game's id is the event's command id, so a repeated
view is detected, whichever node wrote the first.
"""

from cadogan.server.core.clock import Clock
from cadogan.server.eventlog import hash_chain
from cadogan.server.eventlog.event_store import Append, Store, VersionConflict, require_contiguous
from cadogan.server.eventlog.events import GameWatched
from cadogan.server.eventlog.streams import view_stream

MAX_REMEMBERED = 100_000
"""Maximum number of logged views that are cached, to avoid reading the log."""


class ViewLog:
    """Writes views into the log."""

    def __init__(self, store: Store, now: Clock) -> None:
        self._store = store
        self._now = now
        self._written: set[tuple[str, str]] = set()

    async def write(self, player: str, game: str, deal: str) -> None:
        """Log that the player sees the game; return when the event is stored. Raises StoreUnavailable."""
        if (player, game) in self._written:
            return
        event = GameWatched(player, game, deal)
        stream = view_stream(deal, player)
        while True:
            before = await self._store.read(stream)
            require_contiguous(stream, 0, before)
            if any(stored.command_id == game for stored in before):
                break
            head, at = (before[-1].hash, before[-1].recorded_at) if before else (hash_chain.START_HASH, 0)
            sealed = hash_chain.chain_event(head, stream, len(before) + 1, event, max(at, self._now()))
            try:
                await self._store.append(Append(stream, game, (sealed,)))
            except VersionConflict:
                continue
            break
        if len(self._written) >= MAX_REMEMBERED:
            self._written.clear()
        self._written.add((player, game))
