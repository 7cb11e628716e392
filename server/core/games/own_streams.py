"""A competition with streams of its own: matches, tournaments, seasons, each folded from the events that it declares.

    class Duplicates(StreamedCompetition[Match]):     the competition, and its streams in memory
    class Match(StreamState)                          one of them at one version: `apply`, and `due_at` for the clock
    events                                            in the rules: `CompetitionRules.events`

The server does the rest. Streams are read, locked, kept while in use and caught up with other nodes like every
aggregate (`cadogan.server.core.eventlog.aggregate`). Whoever comes first, a timer or anybody who asks, does what is
due, as of the moment for which it was due: the events are the same whoever writes them.
"""

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar

import structlog

from cadogan.server.core.clock import Clock
from cadogan.server.core.cluster.bus import ENDED_TOPIC
from cadogan.server.core.errors import NotFound
from cadogan.server.core.eventlog.aggregate import Aggregate, Change, FoldedAggregates, Topics
from cadogan.server.core.eventlog.background_tasks import WAKE_UP_SECONDS, as_unavailable
from cadogan.server.core.eventlog.commits import Commit, CommitPublisher
from cadogan.server.core.eventlog.event_store import (
    NewEvent,
    Store,
    StoredEvent,
    StreamIncomplete,
    VersionConflict,
)
from cadogan.server.core.eventlog.events import CompetitionEvent
from cadogan.server.core.eventlog.projections import Row
from cadogan.server.core.eventlog.streams import id_of
from cadogan.server.core.games.competition import Competition
from cadogan.server.core.games.stream_state import StreamState
from cadogan.server.core.ranking import ranks
from cadogan.server.core.rate_limits import TokenBucket

log = structlog.stdlib.get_logger("cadogan.competitions")

MAX_TIMER_SECONDS = 24 * 60 * 60.0
"""Seconds after which a timer looks again at a moment that lies further away."""
RETRY_SECONDS = 1.0
"""Seconds until a timer looks again at what is due and could not be done, because clocks parted."""


State = TypeVar("State", bound=StreamState)


class StreamCommitted(Commit[StreamState], frozen=True):
    """A stream of a competition that has changed. It `is_end` if cards may be shown now that were hidden before."""

    @classmethod
    def of(cls, changes: Sequence[Change[Any]], written_here: bool) -> Self:
        """Return the notification of subscribers for these changes."""
        return cls(changes[-1].after, written_here, any([change.after.reveals for change in changes]))


class Standing(NamedTuple):
    """One line of a standing: a player or a team, its points, and the sort key; the smallest key comes first.

    Points need not be the sum over deals or rounds, and the order may depend on other figures.
    """

    subject: str
    key: tuple[Any, ...]
    points: float


def ranked(standings: Sequence[Standing]) -> list[tuple[int, Standing]]:
    """Return the lines in their order, each with its rank; equal keys share one.

    >>> [(rank, line.subject) for rank, line in ranked([Standing("b", (-2,), 2), Standing("a", (-3,), 3)])]
    [(1, 'a'), (2, 'b')]
    """
    ordered = sorted(standings, key=lambda line: (line.key, line.subject))
    return list(zip(ranks([line.key for line in ordered]), ordered, strict=True))


class Clocks(Protocol):
    """Says whether the time is known (`cadogan.server.core.clock_check.ClockCheck`)."""

    async def agree(self) -> bool: ...


class Host(Protocol):
    """The services of a server that the streams of a competition need."""

    @property
    def store(self) -> Store: ...
    @property
    def commits(self) -> CommitPublisher: ...
    @property
    def now(self) -> Clock: ...
    @property
    def bus(self) -> Topics: ...
    @property
    def clocks(self) -> Clocks: ...


class StreamEntry(Aggregate[State], Generic[State]):
    """One stream in memory; `timer` runs while the clock has something to do in it.

    `is_published` is whether subscribers were handed it since it was read: the first read publishes nothing.
    """

    __slots__ = ("is_published", "timer")

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self.is_published = False
        self.timer: asyncio.TimerHandle | None = None


class StreamedCompetition(FoldedAggregates[StreamEntry[State], State], Competition):
    """A competition with streams of its own, those of one node in memory.

    A subclass names the class of its states, says what its clock does (`advance`), and may have the hooks of a part.
    """

    entry_class = StreamEntry
    commit_class = StreamCommitted
    idle_milliseconds = 2**63  # viewers of a game wait for what its stream reveals
    state_class: type[State]

    def __init__(self, server: Host) -> None:
        super().__init__(server.store, server.commits, server.now, server.bus)
        self.prefix = f"{self.rules.key}/"
        self.bring_up_to_date = self._settle
        self._clocks = server.clocks
        self._knows_open = self._is_closed = False

    @abstractmethod
    async def advance(self, state: State, at: int) -> Sequence[CompetitionEvent]:
        """Do what is due at that moment, which `due_at` gave, and return the events that say so.

        It may run more than once, on several nodes: what it does must have the same outcome each time. Called with the
        stream locked.
        """

    def standings(self, state: State) -> Sequence[Standing]:
        """Return the lines of the standing, in any order; `ranked` numbers them."""
        return ()

    async def get(self, id: str, reader: TokenBucket | None = None) -> State:
        """Return the state as this node and the clock have it. Raises as `Aggregates.get`."""
        state = await super().get(id, reader)
        if not self._is_due(state):
            return state
        entry = self.entry(id)
        async with entry.lock:
            known = entry.state  # a crowd waits for the clock: whoever came first has done what was due
            return known if known is not None and not self._is_due(known) else await self._settle(entry)

    async def get_latest(self, id: str) -> State:
        """Return the latest state from the log, with due events written. Raises NotFound."""
        entry = self.entry(id)
        async with entry.lock:
            return await self._settle(entry)

    async def read_state(self, id: str, *, fresh: bool = False) -> State:
        """Return the state as it is in memory or in the log, without a lock: a move must not wait. Raises NotFound.

        A `fresh` one is read from the log: another node may have written.
        """
        state = None if fresh else self.cached(id)
        if state is None:
            state = await self._read(StreamEntry(self.prefix + id))
        return state

    async def begin(self, id: str, *events: CompetitionEvent) -> State:
        """Begin a stream with these events, unless it was begun before; return its state."""
        entry = self.entry(id)
        async with entry.lock:
            if entry.state is None:
                with suppress(VersionConflict):
                    await self.append(entry, self.seal(entry, events, self._now()))
            return await self._settle(entry)

    async def write(self, id: str, decide: Callable[[State], Sequence[CompetitionEvent]]) -> State:
        """Write the events that `decide` returns, if any; after a version conflict, decide again.

        Raises NotFound, and what `decide` raises.
        """
        entry = self.entry(id)
        return await self.change(id, lambda state: self.seal(entry, decide(state), max(self._now(), state.changed_at)))

    async def run_due(self) -> float | None:
        """Find the streams that have not ended, if any may be unknown here, and do what is due in those in memory.

        One that cannot be read or advanced is logged, and tried again at the next call; the others go on.
        """
        found = set[str]()
        if not self._knows_open:
            self._knows_open = True
            try:
                found = await self._find_unpublished()
            except BaseException:
                self._knows_open = False
                raise
        for id in sorted(found | {entry.id for entry in self.entries() if self._is_due(entry.state)}):
            try:
                await self._publish_latest(id)
            except Exception as error:
                task, stream = f"{type(self).__name__}.run_due", self.prefix + id
                if as_unavailable(error) is None:
                    log.exception("background_task_failed", task=task, stream=stream)
                else:
                    log.warning("background_task_retried", task=task, stream=stream, reason=type(error).__name__)
                self._knows_open = self._knows_open and self.cached(id) is not None
        return None

    def on_wake_up(self, id: str, version: int) -> None:
        """Catch up in the background with a stream that another node has written to, or begun."""
        self.background.start_for(WAKE_UP_SECONDS, self._catch_up_with_node, id, version)

    async def resync(self, topics: Collection[str] | None) -> None:
        """Bring up every stream in memory, and look for new ones when that is due."""
        self._knows_open = self._knows_open and topics is not None and ENDED_TOPIC not in topics
        await super().resync(topics)

    async def close(self) -> None:
        """Wait for running tasks, and cancel all timers."""
        self._is_closed = True
        await super().close()
        for entry in self.entries():
            if entry.timer is not None:
                entry.timer.cancel()

    def schedule_settlement(self, id: str) -> None:
        """Write the due events of a stream in the background."""
        self.background.start(self._settle_if_there, id)

    async def _settle(self, entry: StreamEntry[State]) -> State:
        state = await self.catch_up(entry)
        while (due := state.due_at) is not None and due <= self._now() and await self._clocks.agree():
            changes = self.seal(entry, await self.advance(state, due), max(due, state.changed_at))
            if not changes:
                break
            with suppress(VersionConflict):
                await self.append(entry, changes)
            state = await self.catch_up(entry)
        self._set_timer(entry, state)
        return state

    async def _settle_if_there(self, id: str) -> None:
        with suppress(NotFound):
            await self.get_latest(id)

    def _is_due(self, state: State | None) -> bool:
        return state is not None and state.due_at is not None and state.due_at <= self._now()

    async def _find_unpublished(self) -> set[str]:
        """Return the ids of the streams that have not ended and were not published on this node."""
        streams = [stream async for stream in self._store.stream_names(self.prefix)]
        open_ids = set(map(id_of, {*streams} - await self._store.find_ended(streams)))
        return open_ids - {entry.id for entry in self.entries() if entry.is_published}

    async def _publish_latest(self, id: str) -> None:
        """Bring a stream up to date, and publish it if it was read here without that: it may have revealed cards."""
        entry = self.entry(id)
        try:
            await self.get_latest(id)
        finally:
            if entry.state is not None and not entry.is_published:
                entry.is_published = True
                self._commits.publish(StreamCommitted(entry.state, written_here=False, is_end=True))

    async def _catch_up_with_node(self, id: str, version: int) -> None:
        try:
            await self._publish_latest(id)
        except NotFound:
            raise StreamIncomplete(self.prefix + id, 1) from None
        await self.catch_up_to(id, version)

    def _set_timer(self, entry: StreamEntry[State], state: State) -> None:
        if entry.timer is not None:
            entry.timer.cancel()
            entry.timer = None
        if state.due_at is not None and not self._is_closed:
            left = (state.due_at - self._now()) / 1000
            seconds = min(left, MAX_TIMER_SECONDS) if left > 0 else RETRY_SECONDS
            entry.timer = asyncio.get_running_loop().call_later(seconds, self.schedule_settlement, entry.id)

    def _take(self, entry: StreamEntry[State], changes: Sequence[Any], *, written_here: bool) -> None:
        entry.is_published = entry.is_published or entry.state is None  # none before: it was begun here
        super()._take(entry, changes, written_here=written_here)
        self._set_timer(entry, changes[-1].after)

    def _rows(self, changes: Sequence[Any]) -> tuple[Row, ...]:
        row = changes[-1].after.list_row()
        return () if row is None else (row,)

    def _is_unused(self, entry: StreamEntry[State]) -> bool:
        return entry.timer is None and super()._is_unused(entry)

    def _apply(self, entry: StreamEntry[State], state: State | None, event: NewEvent | StoredEvent) -> State:
        before: State = self.state_class(stream=entry.stream) if state is None else state
        return before.follow(event)

    def _not_found(self) -> NotFound:
        return NotFound("There is nothing at this address.")
