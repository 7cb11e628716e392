"""The log: events are appended to streams, read back in order, and never changed.

Errors:

    StoreError
    ├── VersionConflict       another append took that version of the stream first
    ├── DuplicateCommand      the stream already holds an event of that command
    ├── AttemptConflict       the player already has a ranked game of that deal
    └── StoreUnavailable      not written, or nobody knows: look again before saying anything
        └── StoreClosed       the store takes no more appends
"""

from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from server.eventlog.projections import GameRow, Row


class StoreError(Exception):
    """An append did not go in."""


class VersionConflict(StoreError):
    """Another append took a version of this stream first."""

    def __init__(self, stream: str, version: int) -> None:
        super().__init__(f"{stream} already has a version {version} or a later one of this append")
        self.stream = stream
        self.version = version


class DuplicateCommand(StoreError):
    """The stream already holds an event of this command; `Store.command` finds it."""

    def __init__(self, stream: str, command_id: str) -> None:
        super().__init__(f"{stream} already holds command {command_id!r}")
        self.stream = stream
        self.command_id = command_id


class AttemptConflict(StoreError):
    """The player already has a ranked game of this deal, in another stream."""

    def __init__(self, stream: str) -> None:
        super().__init__(f"{stream} would be a second ranked attempt at its deal")
        self.stream = stream


class StoreUnavailable(StoreError):
    """The transaction failed. If the connection broke during the commit the events may be in: read before answering."""


class StoreClosed(StoreUnavailable):
    """The store is closed."""


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to be appended. `data` is canonical JSON, `recorded_at` milliseconds since 1970, `hash` 32 bytes.

    Raises ValueError for a hash of another length.
    """

    version: int
    type: str
    schema: int
    data: str
    recorded_at: int
    hash: bytes

    def __post_init__(self) -> None:
        if len(self.hash) != 32:
            raise ValueError(f"a hash is 32 bytes, not {len(self.hash)}")


@dataclass(frozen=True, slots=True)
class Append:
    """What goes into one stream at once, all of it or nothing, with the projection rows that follow from it.

    `events` is not empty and its versions are contiguous. The command id is kept with the first event.

    Raises ValueError for a name or id with control characters: no database may refuse an append, and with it all that
    are committed together, for its spelling.
    """

    stream: str
    command_id: str | None
    events: tuple[NewEvent, ...]
    rows: tuple[Row, ...] = ()

    def __post_init__(self) -> None:
        if not (self.stream.isprintable() and (self.command_id is None or self.command_id.isprintable())):
            raise ValueError(f"{self.stream!r} and {self.command_id!r} must be printable")


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as it stands in the log. `position` is unique but no cursor: rows commit out of order."""

    position: int
    stream: str
    version: int
    command_id: str | None
    type: str
    schema: int
    data: str
    recorded_at: int
    hash: bytes


class Store(Protocol):
    """Where the events are kept."""

    async def append(self, append: Append) -> None:
        """Write one append and return when it is durable.

        Of two appends of the same version of a stream exactly one goes in. A gap in the versions is not looked for. A
        caller who is cancelled while waiting does not take the append back.

        Raises `DuplicateCommand`, else `VersionConflict`, else `AttemptConflict`; or `StoreUnavailable`.
        """

    async def read(self, stream: str, after: int = 0) -> list[StoredEvent]:
        """Return the events of a stream later than version `after`, in order; nothing for an unknown stream."""

    async def later(self, after: Mapping[str, int]) -> dict[str, list[StoredEvent]]:
        """Return the events of each of these streams later than its version, in order; streams without any left out."""

    async def command(self, stream: str, command_id: str) -> StoredEvent | None:
        """Return the first event that a command wrote to a stream."""

    async def versions(self, streams: Collection[str]) -> dict[str, int]:
        """Return how far each of these streams has come; those that have not begun are left out."""

    def streams(self, prefix: str = "") -> AsyncIterator[str]:
        """Iterate over the names of all streams that begin with `prefix`, sorted byte by byte."""

    async def close(self) -> None:
        """Write what waits, as far as it can be, then refuse every append with `StoreClosed`.

        Reading still works; closing twice is once.
        """


class MemoryStore:
    """A store that lives as long as its process: for tests, and the plainest statement of what a store does."""

    def __init__(self) -> None:
        self.rows: dict[tuple[type[Row], str], Row] = {}
        self._streams: dict[str, dict[int, StoredEvent]] = {}
        self._commands: dict[tuple[str, str], StoredEvent] = {}
        self._attempts: dict[tuple[str, str], str] = {}
        self._position = 0
        self._closed = False

    async def append(self, append: Append) -> None:
        if self._closed:
            raise StoreClosed("the store is closed")
        self._check(append)
        stream = self._streams.setdefault(append.stream, {})
        command_id = append.command_id
        for event in append.events:
            self._position += 1
            stored = stream[event.version] = StoredEvent(
                self._position,
                append.stream,
                event.version,
                command_id,
                event.type,
                event.schema,
                event.data,
                event.recorded_at,
                event.hash,
            )
            if command_id is not None:
                self._commands[append.stream, command_id] = stored
                command_id = None
        for row in append.rows:
            self.rows[type(row), row.key] = row
            if isinstance(row, GameRow) and row.ranked:
                self._attempts[row.deal, row.player] = row.id

    def _check(self, append: Append) -> None:
        if append.command_id is not None and (append.stream, append.command_id) in self._commands:
            raise DuplicateCommand(append.stream, append.command_id)
        taken = self._streams.get(append.stream, {})
        if any(event.version in taken for event in append.events):
            raise VersionConflict(append.stream, append.events[0].version)
        for row in append.rows:
            if isinstance(row, GameRow) and row.ranked and self._attempts.get((row.deal, row.player), row.id) != row.id:
                raise AttemptConflict(append.stream)

    async def read(self, stream: str, after: int = 0) -> list[StoredEvent]:
        return [event for version, event in sorted(self._streams.get(stream, {}).items()) if version > after]

    async def later(self, after: Mapping[str, int]) -> dict[str, list[StoredEvent]]:
        found = {stream: await self.read(stream, version) for stream, version in after.items()}
        return {stream: events for stream, events in found.items() if events}

    async def command(self, stream: str, command_id: str) -> StoredEvent | None:
        return self._commands.get((stream, command_id))

    async def versions(self, streams: Collection[str]) -> dict[str, int]:
        return {stream: max(self._streams[stream]) for stream in streams if stream in self._streams}

    async def streams(self, prefix: str = "") -> AsyncIterator[str]:
        for stream in sorted(self._streams):
            if stream.startswith(prefix):
                yield stream

    async def close(self) -> None:
        self._closed = True
