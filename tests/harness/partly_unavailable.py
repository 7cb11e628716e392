"""A log that is partly unavailable, as when one of its machines is down."""

from collections.abc import Collection

from cadogan.server.core.eventlog.event_store import Append, StoredEvent
from cadogan.server.core.storage.sql_store import SqlStore


class PartlyUnavailableStore(SqlStore):
    """A log that cannot read or write some of its streams, as when the machine with them is down."""

    away: Collection[str] = ()

    async def append(self, append: Append) -> None:
        self._require_here(append.stream)
        await super().append(append)

    async def read(self, stream: str, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
        self._require_here(stream)
        return await super().read(stream, after, limit)

    async def read_later(self, stream: str, after: int) -> list[StoredEvent]:
        self._require_here(stream)
        return await super().read_later(stream, after)

    def is_partly_unavailable(self, error: BaseException) -> bool:
        return isinstance(error, ConnectionRefusedError)

    def _require_here(self, stream: str) -> None:
        if stream in self.away:
            raise ConnectionRefusedError
