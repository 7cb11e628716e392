"""An event store in memory. It is also the simplest description of what a store does."""

from collections.abc import AsyncIterator, Collection

from cadogan.server.core.eventlog.event_store import Append, AttemptConflict, StoreClosed, StoredEvent, VersionConflict
from cadogan.server.core.eventlog.events import ENDING_EVENTS
from cadogan.server.core.eventlog.projections import GameRow, Row


class MemoryStore:
    """A store in memory."""

    def __init__(self) -> None:
        self.rows: dict[tuple[type[Row], str], Row] = {}
        self._streams: dict[str, dict[int, StoredEvent]] = {}
        self._attempts: dict[tuple[str, str], str] = {}
        self._ended: set[str] = set()
        self._closed = False

    async def append(self, append: Append) -> None:
        if self._closed:
            raise StoreClosed("the store is closed")
        self._check(append)
        stream = self._streams.setdefault(append.stream, {})
        command_id = append.command_id
        for event in append.events:
            stream[event.version] = StoredEvent(
                append.stream,
                event.version,
                command_id,
                event.type,
                event.schema,
                event.data,
                event.recorded_at,
                event.hash,
            )
            command_id = None
        if append.events[-1].type in ENDING_EVENTS:
            self._ended.add(append.stream)
        for row in append.rows:
            self.rows[type(row), row.key] = row
            if isinstance(row, GameRow) and row.ranked:
                self._attempts[row.deal, row.player] = row.id

    def _check(self, append: Append) -> None:
        taken = self._streams.get(append.stream, {})
        if any(event.version in taken for event in append.events):
            raise VersionConflict(append.stream, append.events[0].version)
        for row in append.rows:
            if isinstance(row, GameRow) and row.ranked and self._attempts.get((row.deal, row.player), row.id) != row.id:
                raise AttemptConflict(append.stream)

    async def read(self, stream: str, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
        return [event for version, event in sorted(self._streams.get(stream, {}).items()) if version > after][:limit]

    async def read_later(self, stream: str, after: int) -> list[StoredEvent]:
        return await self.read(stream, after)

    async def last_versions(self, streams: Collection[str]) -> AsyncIterator[tuple[str, int]]:
        for stream in streams:
            if stream in self._streams:
                yield stream, max(self._streams[stream])

    async def find_ended(self, streams: Collection[str]) -> set[str]:
        return self._ended.intersection(streams)

    def is_partly_unavailable(self, error: BaseException) -> bool:
        return False

    async def stream_names(self, prefix: str = "") -> AsyncIterator[str]:
        for stream in sorted(self._streams):
            if stream.startswith(prefix):
                yield stream

    async def close(self) -> None:
        self._closed = True
