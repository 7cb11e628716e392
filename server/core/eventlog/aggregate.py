"""Event-sourced aggregates in memory: games, races, days. Each is the fold of one stream.

    lock ─ catch up ─ decide ─ append ─(committed)─ take the new state, publish it to the subscribers
             └──────────────────┴─ another writer was first: catch up, decide again

They are read from the log on demand, cached while in use, and evicted when idle. A cached copy may lag behind the log,
when another node has written or when the outcome of an append is unknown; `catch_up` then reads the missing events and
publishes them. The log is the source of truth.
"""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from time import perf_counter
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from cadogan.server.core import ids
from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import NotFound
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.background_tasks import WAKE_UP_SECONDS, BackgroundPart
from cadogan.server.core.eventlog.commits import Commit, CommitPublisher
from cadogan.server.core.eventlog.event_store import (
    Append,
    NewEvent,
    Store,
    StoredEvent,
    StreamIncomplete,
    VersionConflict,
)
from cadogan.server.core.eventlog.events import Event
from cadogan.server.core.eventlog.projections import Row
from cadogan.server.core.eventlog.streams import id_of
from cadogan.server.core.rate_limits import TokenBucket
from cadogan.server.core.shares import SharedLock

SWEEP_INTERVAL_MILLISECONDS = 30 * 1000
"""Milliseconds between two searches for idle aggregates."""


class Folded(Protocol):
    """The state of an aggregate at one version, which never changes; `head` is the hash of the last event."""

    @property
    def version(self) -> int: ...
    @property
    def head(self) -> bytes: ...


State = TypeVar("State", bound=Folded)


class Change(NamedTuple, Generic[State]):
    """An event, about to be written or read back, and the state after it. Subclasses may hold more."""

    sealed: NewEvent | StoredEvent
    after: State


class Topics(Protocol):
    """The part of the bus that subscribes a node to topics."""

    def subscribe(self, topic: str) -> None: ...
    def unsubscribe(self, topic: str) -> None: ...


class Aggregate(Generic[State]):
    """One aggregate in memory. Hold `lock` while changing it; `state` is None until it has been read.

    `is_doubtful` is True after an append whose outcome is unknown.
    """

    __slots__ = ("id", "is_doubtful", "lock", "state", "stream", "used_at")

    def __init__(self, stream: str) -> None:
        self.id = id_of(stream)
        self.stream = stream
        self.lock = SharedLock()
        self.state: State | None = None
        self.is_doubtful = False
        self.used_at = 0

    @property
    def version(self) -> int:
        """The version of its state; 0 until it has been read."""
        return 0 if self.state is None else self.state.version

    def advance(self, changes: Sequence[Any]) -> None:
        """Apply these changes, which follow directly after the current state."""
        self.state = changes[-1].after


Entry = TypeVar("Entry", bound=Aggregate[Any])


class Aggregates(BackgroundPart, ABC, Generic[Entry, State]):
    """The aggregates of one kind in the memory of one node."""

    prefix: str
    """The prefix of the names of their streams."""
    entry_class: type[Any]
    commit_class: type[Commit[Any]]
    idle_milliseconds = 5 * 60 * 1000
    """Milliseconds after which an unused and unwatched aggregate is evicted."""
    max_in_memory = 2_000
    """Maximum number in memory; above it, all unused and unwatched ones are evicted at the next load."""

    def __init__(
        self,
        store: Store,
        commits: CommitPublisher,
        now: Clock,
        topics: Topics | None = None,
        is_watched: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """Read and write in this store. `is_watched(id)` returns whether an aggregate has watchers on this node.

        The node subscribes to the topic of each one in memory; without `topics` it receives wake-ups in another way.
        """
        super().__init__()
        self._store = store
        self._commits = commits
        self._now = now
        self._topics = topics
        self._is_watched = is_watched
        self._entries: dict[str, Entry] = {}
        self._swept_at = 0
        self.bring_up_to_date: Callable[[Entry], Awaitable[State]] = self.catch_up
        """Brings a locked aggregate up to date: it catches up, and may do more that the owner needs."""
        self.on_append: Callable[[float], object] = lambda seconds: None
        """Called with the duration of each append in seconds."""

    @abstractmethod
    async def _read(self, entry: Entry) -> State:
        """Return the state of an aggregate that is not in memory. Raises NotFound."""

    @abstractmethod
    async def _follow(self, entry: Entry, events: Sequence[StoredEvent]) -> Sequence[Any]:
        """Return the changes of these events, which follow directly after the state of a locked aggregate."""

    @abstractmethod
    def _not_found(self) -> NotFound: ...

    def _rows(self, changes: Sequence[Any]) -> tuple[Row, ...]:
        return ()

    def _topic(self, id: str) -> str:
        return self.prefix + id

    def _is_id(self, id: str) -> bool:
        return ids.is_valid(id)

    def _is_unused(self, entry: Entry) -> bool:
        return not entry.lock.locked() and not self._is_watched(entry.id)

    def __len__(self) -> int:
        return len(self._entries)

    def entry(self, id: str) -> Entry:
        """Return the aggregate with this id, empty if it has not been read; lock it, then call `load` or `catch_up`.

        Raises NotFound for a text that does not have the form of an id.
        """
        entry = self._entries.get(id)
        if entry is None:
            if not self._is_id(id):
                raise self._not_found()
            self._sweep()
            entry = self._entries[id] = self.entry_class(self.prefix + id)
            if self._topics is not None:
                self._topics.subscribe(self._topic(id))
        entry.used_at = self._now()
        return entry

    def cached(self, id: str) -> State | None:
        """Return the cached state of an aggregate, which may be old; None if it is not in memory."""
        entry = self._entries.get(id)
        return entry.state if entry else None

    def entries(self) -> list[Entry]:
        """Return all aggregates in memory."""
        return list(self._entries.values())

    async def load(self, entry: Entry, reader: TokenBucket | None = None) -> State:
        """Return the state of a locked aggregate, reading from the log what is missing. Raises the same as `get`."""
        if entry.state is None:
            try:
                if reader is not None:
                    reader.take()
                entry.state, entry.is_doubtful = await self._read(entry), False
            except BaseException:
                if self._entries.get(entry.id) is entry:
                    self.drop(entry.id)
                raise
            if reader is not None:
                reader.charge_later(entry.version - 1)
        elif entry.is_doubtful:
            return await self.catch_up(entry)
        state: State = entry.state
        return state

    async def get(self, id: str, reader: TokenBucket | None = None) -> State:
        """Return an aggregate's state on this node, which may lag slightly behind the log.

        If it must be read, `reader` is charged one token for each event. Raises NotFound, and RateLimited while the
        bucket is in debt.
        """
        entry = self.entry(id)
        state: State | None = entry.state
        if state is not None and not entry.is_doubtful:
            return state
        async with entry.lock:
            return await self.load(entry, reader)

    async def get_latest(self, id: str) -> State:
        """Return an aggregate's state at its last version in the log. Raises NotFound."""
        entry = self.entry(id)
        async with entry.lock:
            return await self.catch_up(entry)

    async def catch_up(self, entry: Entry) -> State:
        """Read the events after the state of a locked aggregate, and publish them. Raises NotFound."""
        if entry.state is None:
            return await self.load(entry)
        changes = await self._follow(entry, await self._store.read_later(entry.stream, entry.version))
        entry.is_doubtful = False
        if changes:
            self._take(entry, changes, written_here=False)
        state: State = entry.state
        return state

    async def change(self, id: str, decide: Callable[[State], Sequence[Any]]) -> State:
        """Write the changes that `decide` returns, if any; after a version conflict, decide again.

        Returns the state after them. Raises NotFound, what `decide` raises, and what `append` raises except conflicts.
        """
        entry = self.entry(id)
        async with entry.lock:
            while True:
                state = await self.bring_up_to_date(entry)
                changes = decide(state)
                if not changes:
                    return state
                with suppress(VersionConflict):
                    await self.append(entry, changes)
                    after: State = changes[-1].after
                    return after

    async def append(self, entry: Entry, changes: Sequence[Any], command_id: str | None = None) -> None:
        """Append changes of a locked aggregate to the log, apply them, and publish them.

        Raises VersionConflict if another writer was first, and otherwise the same as `Store.append`.
        """
        try:
            events = tuple([change.sealed for change in changes])
            append = Append(entry.stream, command_id, events, self._rows(changes))
            started = perf_counter()
            await self._store.append(append)
            self.on_append(perf_counter() - started)
        except VersionConflict:
            raise
        except BaseException:
            entry.is_doubtful = True
            raise
        self._take(entry, changes, written_here=True)

    async def catch_up_to(self, id: str, version: int) -> None:
        """Catch up with an aggregate in memory of which another node has written this version; ignore others.

        Raises StreamIncomplete while this version is not visible in the log; retry later.
        """
        entry = self._entries.get(id)
        if entry is None or entry.version >= version:
            return
        async with entry.lock:
            if entry.state is not None and entry.version < version:
                state = await self.bring_up_to_date(entry)
                if state.version < version:
                    raise StreamIncomplete(entry.stream, state.version + 1)

    def wake_up_handlers(self) -> Mapping[str, Callable[[str, int], object]]:
        """Return the wake-up handler for aggregates of this kind."""
        return {self.prefix: self.on_wake_up}

    def on_wake_up(self, id: str, version: int) -> None:
        """Catch up in the background with an aggregate of which another node reports this version."""
        if id in self._entries:
            self.background.start_for(WAKE_UP_SECONDS, self.catch_up_to, id, version)

    async def resync(self, topics: Collection[str] | None) -> None:
        """Catch up with every aggregate in memory that has new events, of these topics or of all if None."""
        versions = {
            entry.stream: entry.version
            for entry in self._entries.values()
            if entry.state is not None and (topics is None or self._topic(entry.id) in topics)
        }
        async for stream, version in self._store.last_versions(versions):
            if version > versions[stream]:
                await self.catch_up_to(id_of(stream), version)

    def drop_unused(self, id: str) -> None:
        """Evict an aggregate from memory, unless it is used or watched."""
        entry = self._entries.get(id)
        if entry is not None and self._is_unused(entry):
            self.drop(id)

    def drop(self, id: str) -> None:
        """Evict an aggregate from memory; it is read again on demand. Its lock must be free."""
        del self._entries[id]
        if self._topics is not None:
            self._topics.unsubscribe(self._topic(id))

    def _take(self, entry: Entry, changes: Sequence[Any], *, written_here: bool) -> None:
        entry.advance(changes)
        entry.is_doubtful = False
        self._commits.publish(self.commit_class.of(changes, written_here))

    def _sweep(self) -> bool:
        """Evict idle aggregates if the interval has passed; return whether it had."""
        now, is_full = self._now(), len(self._entries) >= self.max_in_memory
        if now - self._swept_at < SWEEP_INTERVAL_MILLISECONDS and not is_full:
            return False
        self._swept_at = now
        for entry in self.entries():
            if is_full or now - entry.used_at >= self.idle_milliseconds:
                self.drop_unused(entry.id)
        return True


class FoldedAggregates(Aggregates[Entry, State]):
    """Aggregates with short streams, which are read as a whole and folded at once."""

    @abstractmethod
    def _apply(self, entry: Entry, state: State | None, event: NewEvent | StoredEvent) -> State:
        """Return the state after the next event; `state` is the state before it, None for the first event."""

    def seal(self, entry: Entry, events: Sequence[Event], at: int) -> list[Change[State]]:
        """Return these events as changes of a locked aggregate, recorded at the time `at`; nothing is written."""
        state: State | None = entry.state
        changes: list[Change[State]] = []
        for event in events:
            version, head = (state.version, state.head) if state is not None else (0, hash_chain.START_HASH)
            sealed = hash_chain.chain_event(head, entry.stream, version + 1, event, at)
            state = self._apply(entry, state, sealed)
            changes.append(Change(sealed, state))
        return changes

    async def _read(self, entry: Entry) -> State:
        changes = await self._follow(entry, await self._store.read(entry.stream))
        if not changes:
            raise self._not_found()
        return changes[-1].after

    async def _follow(self, entry: Entry, events: Sequence[StoredEvent]) -> list[Change[State]]:
        state: State | None = entry.state
        changes: list[Change[State]] = []
        for event in events:
            state = self._apply(entry, state, event)
            changes.append(Change(event, state))
        return changes
