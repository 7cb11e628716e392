"""The event store: events are appended to streams, read back in order, and never changed.

Errors:

    StoreError
    ├── VersionConflict       another append took that version of the stream first
    ├── AttemptConflict       the player already has a ranked game of that deal
    └── StoreUnavailable      not written, or unknown: read again before answering
        ├── StreamIncomplete  an event of a stream is not visible yet: read again
        └── StoreClosed       the store accepts no more appends

A read returns the visible events. For a moment some may be missing: in a distributed database one event of a stream may
become visible before an earlier one. Readers that follow a stream therefore call `require_contiguous`.
"""

from collections.abc import AsyncIterator, Callable, Collection, Iterable
from typing import Protocol

from msgspec import Struct

from cadogan.server.core.event_loop import PAUSE_SECONDS, Find, Key, Value
from cadogan.server.core.eventlog.projections import Row


class StoreError(Exception):
    """An append was not written, or a stream could not be read."""


class VersionConflict(StoreError):
    """Another append took a version of this stream first."""

    def __init__(self, stream: str, version: int) -> None:
        super().__init__(f"{stream} already has a version {version} or a later one of this append")
        self.stream = stream
        self.version = version


class AttemptConflict(StoreError):
    """The player already has a ranked game of this deal, in another stream."""

    def __init__(self, stream: str) -> None:
        super().__init__(f"{stream} would be a second ranked attempt at its deal")
        self.stream = stream


class StoreUnavailable(StoreError):
    """The transaction failed.

    If the connection was lost during the commit, the events may have been written: read again before answering.
    """


class StreamIncomplete(StoreUnavailable):
    """An event of a stream cannot be read although it must be there. Usually it can be read a moment later.

    `version` is that of the event, or None if it is not known which one is missing.
    """

    def __init__(self, stream: str, version: int | None = None) -> None:
        which = "an event" if version is None else f"event {version}"
        super().__init__(f"{which} of {stream} cannot be read: try again")
        self.stream = stream
        self.version = version


class StoreClosed(StoreUnavailable):
    """The store is closed."""


class Versioned(Protocol):
    """Anything with an event version."""

    @property
    def version(self) -> int: ...


def require_contiguous(stream: str, after: int, events: Iterable[Versioned]) -> None:
    """Check that the versions of these events are contiguous, starting with `after` + 1.

    Raises StreamIncomplete, with the first version that is missing.
    """
    for expected, event in enumerate(events, after + 1):
        if event.version != expected:
            raise StreamIncomplete(stream, expected)


class NewEvent(Struct, frozen=True):
    """An event to append. `data` is canonical JSON, `recorded_at` is in milliseconds since 1970, `hash` has 32 bytes.

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


class Append(Struct, frozen=True):
    """Events for one stream that are written together or not at all, with the projection rows that follow from them.

    `events` is not empty, and its versions are contiguous. The command id is stored with the first event.

    Raises ValueError for a stream name or command id with control characters. A database could reject them, together
    with all other appends in the same transaction.
    """

    stream: str
    command_id: str | None
    events: tuple[NewEvent, ...]
    rows: tuple[Row, ...] = ()

    def __post_init__(self) -> None:
        if not (self.stream.isprintable() and (self.command_id is None or self.command_id.isprintable())):
            raise ValueError(f"{self.stream!r} and {self.command_id!r} must be printable")


class StoredEvent(Struct, frozen=True):
    """An event as it is stored."""

    stream: str
    version: int
    command_id: str | None
    type: str
    schema: int
    data: str
    recorded_at: int
    hash: bytes


class StreamBatcher(Protocol[Key, Value]):
    """Looks up values of streams like a `Batcher`, with separate queries for each part of the log."""

    async def get(self, key: Key) -> Value | None:
        """Return the value of a key, or None if it has none. Raises what the lookup raises."""

    async def get_many(self, keys: Iterable[Key], *, partly: bool = False) -> dict[Key, Value]:
        """Return the values of those of these keys that have one. Raises what the lookup raises.

        With `partly=True` the keys of an unavailable part of the log are left out.
        """


class Store(Protocol):
    """Stores the events: in a database (`cadogan.server.core.storage.sql_store`), or in memory."""

    async def append(self, append: Append) -> None:
        """Write one append, and return when it is durable.

        If two appends have the same version of a stream, exactly one of them is written. A gap in the versions is not
        detected. Cancelling the caller does not cancel the append.

        Raises VersionConflict, or else AttemptConflict; or StoreUnavailable.
        """

    async def read(self, stream: str, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
        """Return the events of a stream with versions above `after`, in order, the first `limit` of them.

        An unknown stream has no events.
        """

    async def read_later(self, stream: str, after: int) -> list[StoredEvent]:
        """Return the events of a stream with versions above `after`, in order, batched with concurrent calls.

        Concurrent calls, for any streams, share one query.
        """

    def last_versions(self, streams: Collection[str]) -> AsyncIterator[tuple[str, int]]:
        """Iterate over these streams and the last version of each; streams without events are left out.

        If some cannot be read now, the others are yielded first, then the error is raised.
        """

    async def find_ended(self, streams: Collection[str]) -> set[str]:
        """Return those of these streams that have an event of `ENDING_EVENTS` as the last one of an append.

        This does not read the streams, so in a distributed database it also works while they are unavailable.
        """

    def is_partly_unavailable(self, error: BaseException) -> bool:
        """Return whether an error only means that one of several parts of the log is unavailable."""

    def stream_names(self, prefix: str = "") -> AsyncIterator[str]:
        """Iterate over the names of all streams that begin with `prefix`, sorted byte by byte."""

    async def close(self) -> None:
        """Write queued appends as far as possible, then refuse every append with StoreClosed.

        Reading still works afterwards. A second call does nothing.
        """


class PartedStore(Store, Protocol):
    """A store that reads many streams at once, from one or several parts of the log, which may be unavailable."""

    def batcher(
        self, stream_of: Callable[[Key], str], find: Find[Key, Value], pause_seconds: float = PAUSE_SECONDS
    ) -> StreamBatcher[Key, Value]:
        """Return a batcher that calls `find` separately for each part of the log; `stream_of` returns a key's stream.

        An unavailable or slow part therefore delays only calls for its own streams.
        """

    async def changed_at(self, streams: Collection[str]) -> dict[str, int]:
        """Return when the last event of each of these streams was recorded, in milliseconds since 1970."""
