"""The outbox: work that waits in a table until one node claims it, and that is tried again until it succeeds.

Sending what waits for many destinations: each has its own worker, so a slow one holds up only what waits for it.

A destination is proven once something has arrived there, as long as it answers. Anybody may name others, so these share
a few workers, of which one person has at most `UNPROVEN_OF_A_PERSON`, and each attempt there has little time. A
destination that does not answer rests, longer each time.

What waits in a table: claimed in small batches by one node, until the claim ends, and due again after a pause.

A node that stops in the middle of a batch loses nothing: when its claim is over, another one takes the rows. The
findings of a node are stored only as long as its claim holds, so nothing is recorded twice.
"""

import asyncio
import random
from abc import ABC, abstractmethod
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import structlog
from sqlalchemy import ColumnElement, FromClause, Table, and_, func, literal, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.database.connections import Database
from cadogan.server.core.dates import LAST_MOMENT
from cadogan.server.core.eventlog.background_tasks import as_unavailable

log = structlog.stdlib.get_logger("cadogan.outbox")
AT_ONCE = 32
"""Destinations to which one node sends at the same time, of those that are proven."""
UNPROVEN_AT_ONCE = 8
"""Destinations to which one node sends at the same time, of the others."""
UNPROVEN_OF_A_PERSON = 2
BATCH = 4
"""How much is sent at the same time to one destination that is proven; to others one thing after the other."""
BACKOFF_MILLISECONDS = 60_000
"""The first backoff of a destination that has not answered.

It doubles each further time, plus up to a quarter at random.
"""
MAX_BACKOFF_MILLISECONDS = 3_600_000
MAX_REMEMBERED = 10_000
"""Destinations of which it is remembered how often they have not answered."""
MAX_DOUBTFUL = 500
"""So many of those that did not answer the last time count as not proven, the latest."""
Item = TypeVar("Item")


class Destination(NamedTuple):
    """Something is due to be sent there. `person` has named it, where it is not proven."""

    name: str
    is_proven: bool = True
    person: str = ""


class Answer(NamedTuple):
    """The result of an attempt: a status if there is one, the reason of a failure, and the requested delay in seconds.

    With `no_answer` the destination itself did not answer, and not only to this item. `result` is what the attempt has
    found, where work has a result.
    """

    status: int | None = None
    problem: str | None = None
    retry_after: int = 0
    no_answer: bool = False
    result: Any = None


class Queue(Protocol[Item]):
    """A queue of items for one kind of destination, and the way in which they are sent."""

    async def due(
        self, busy: Collection[str], doubtful: Collection[str], proven: bool, most: int
    ) -> Sequence[Destination]:
        """Return up to so many destinations that something is due for, without those that are busy.

        They are proven and not among the `doubtful` ones, or else any of the others.
        """
        ...

    async def claim(self, destination: str, most: int) -> Sequence[Item]:
        """Claim up to `most` due items of a destination; other nodes cannot claim them until the claim ends."""
        ...

    async def send(self, item: Item, is_proven: bool, stopping: asyncio.Event | None) -> Answer | None:
        """Send this item and return the result; None if the server was `stopping` before that was known.

        What raises has failed, unless the database is unavailable: then it is due again when its claim ends.
        """
        ...

    async def record(self, answered: Sequence[tuple[Item, Answer]]) -> None:
        """Store the results of attempts at claimed items."""
        ...

    async def pause(self, destination: str, milliseconds: int) -> None:
        """Delay all items of a destination; the default implementation does nothing."""
        return

    async def close(self) -> None:
        """Close the connections for sending, if there are any; sending opens them again."""
        return


class Outbox(Generic[Item]):
    """The outbox of one node for one kind of destination.

    `on_free` is called whenever a worker has ended, so that others can begin. At most so many `batches` are sent to one
    destination before the next `start_due`, which bounds the pace.
    """

    def __init__(
        self, queue: Queue[Item], on_free: Callable[[], None] = lambda: None, batches: int | None = None
    ) -> None:
        self._queue = queue
        self._on_free = on_free
        self._batches = batches
        self._workers: dict[str, asyncio.Task[None]] = {}
        self._persons = Counter[str]()
        self._unanswered: OrderedDict[str, int] = OrderedDict()
        self._sent = 0
        self._starting, self._sending = asyncio.Lock(), asyncio.Lock()

    async def start_due(self, stopping: asyncio.Event | None = None) -> None:
        """Start workers for due items, as far as there are free places; a worker runs until nothing is due.

        `stopping` ends them between two requests.
        """
        async with self._starting:
            await self._start(stopping)

    async def _start(self, stopping: asyncio.Event | None) -> None:
        for is_proven, places in ((True, AT_ONCE), (False, UNPROVEN_AT_ONCE)):
            free = places - sum(one.get_name() == str(is_proven) for one in self._workers.values())
            if free <= 0 or (stopping and stopping.is_set()):
                continue
            # Of the others more than there are places for: one person may have named all of the first ones.
            doubtful = [*self._unanswered][-MAX_DOUBTFUL:]
            found = await self._queue.due([*self._workers], doubtful, is_proven, free if is_proven else 1000)
            for one in found:
                if free and one.name not in self._workers and self._has_place(one):
                    free -= 1
                    self._persons[one.person] += not is_proven
                    work = self._work(one, stopping)
                    self._workers[one.name] = asyncio.create_task(work, name=str(is_proven))

    async def send_due(self, stopping: asyncio.Event | None = None) -> int:
        """Send everything that is due, wait until it is sent, and return how much was.

        If a number of batches bounds the pace, send only as much as is due to be sent at once.
        """
        async with self._sending:
            before = self._sent
            try:
                await self.start_due(stopping)
                while self._workers:
                    await asyncio.wait([*self._workers.values()], return_when=asyncio.FIRST_COMPLETED)
                    if self._batches is None:
                        await self.start_due(stopping)
            except asyncio.CancelledError:
                for task in self._workers.values():
                    task.cancel()
                raise
            finally:
                await self.close()
            return self._sent - before

    async def close(self) -> None:
        """Wait for the workers, which `stopping` has to have ended, and close all connections."""
        try:
            await self.wait_until_idle()
        finally:
            await self._queue.close()

    async def wait_until_idle(self) -> None:
        """Wait for the workers. If this is cancelled, so are they."""
        await asyncio.gather(*self._workers.values(), return_exceptions=True)

    def _has_place(self, one: Destination) -> bool:
        return one.is_proven or self._persons[one.person] < UNPROVEN_OF_A_PERSON

    async def _work(self, destination: Destination, stopping: asyncio.Event | None) -> None:
        batches = self._batches
        try:
            while not (stopping and stopping.is_set()) and batches != 0:
                batches = batches and batches - 1
                claimed = await self._queue.claim(destination.name, BATCH if destination.is_proven else 1)
                if not claimed or not await self._send(destination, claimed, stopping) or not destination.is_proven:
                    break
        except Exception as error:
            log.warning("background_task_retried", task="sending", reason=type(error).__name__)
        else:
            self._on_free()
        finally:
            del self._workers[destination.name]
            self._persons[destination.person] -= not destination.is_proven
            self._persons = +self._persons

    async def _send(self, destination: Destination, claimed: Sequence[Item], stopping: asyncio.Event | None) -> bool:
        """Send what was claimed, and return whether the destination has answered."""
        sending = (self._queue.send(one, destination.is_proven, stopping) for one in claimed)
        outcomes = await asyncio.gather(*sending, return_exceptions=True)
        answered = [(one, each) for one, each in zip(claimed, outcomes, strict=True) if isinstance(each, Answer)]
        errors = [(one, each) for one, each in zip(claimed, outcomes, strict=True) if isinstance(each, Exception)]
        failed = [(one, error) for one, error in errors if as_unavailable(error) is None]
        for _, error in failed:
            log.error("background_task_failed", task="sending", exc_info=error)
        await self._queue.record([*answered, *((one, Answer(problem="failed")) for one, _ in failed)])
        self._sent += len(answered)
        for _, error in errors:
            if as_unavailable(error) is not None:
                raise error
        if not answered or not all(answer.no_answer for _, answer in answered):
            self._unanswered.pop(destination.name, None)
            return True
        times = self._unanswered.pop(destination.name, 0)
        self._unanswered[destination.name] = times + 1
        if len(self._unanswered) > MAX_REMEMBERED:
            self._unanswered.popitem(last=False)
        rest = min(BACKOFF_MILLISECONDS << min(times, 10), MAX_BACKOFF_MILLISECONDS)
        await self._queue.pause(destination.name, rest + random.randrange(rest // 4))
        return False


INTERVAL_SECONDS = 5.0
CLEAR_INTERVAL_MILLISECONDS = 3600 * 1000


async def run_periodically(
    task: str,
    work: Callable[[asyncio.Event], Awaitable[object]],
    clear: Callable[[], Awaitable[None]] | None,
    now: Callable[[], int],
    call: asyncio.Event,
    stopping: asyncio.Event,
    interval_seconds: float = INTERVAL_SECONDS,
) -> None:
    """Do this work every `interval_seconds` or at a `call`, and `clear` once an hour, until the server is `stopping`.

    `task` is what the log calls it when it fails.
    """
    cleared_at = 0
    while not stopping.is_set():
        await _wait(call, stopping, interval_seconds)
        call.clear()
        if stopping.is_set():
            return
        try:
            await work(stopping)
            if clear is not None and now() - cleared_at >= CLEAR_INTERVAL_MILLISECONDS:
                await clear()
                cleared_at = now()
        except Exception as error:
            log.warning("background_task_retried", task=task, reason=type(error).__name__)


async def _wait(call: asyncio.Event, stopping: asyncio.Event, seconds: float) -> None:
    waiting = [asyncio.create_task(one.wait()) for one in (call, stopping)]
    with suppress(TimeoutError):
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for one in waiting:
        one.cancel()


class Claimed(Protocol):
    """A row that this node may work on until its claim ends. `attempts` counts the claims."""

    @property
    def attempts(self) -> int: ...


StoredItem = TypeVar("StoredItem", bound=Claimed)


class StoredQueue(Queue[StoredItem], ABC):
    """Rows of a table, with the columns `next_at` and `attempts`. `now` returns milliseconds since 1970.

    While a node works on a row, `next_at` is when its claim ends.
    """

    table: ClassVar[Table]
    key: ClassVar[ColumnElement[str]]
    """The primary key; items have an attribute of its name."""
    destination: ClassVar[ColumnElement[str]]
    is_proven: ClassVar[ColumnElement[bool]] = true()
    """Whether something has arrived at the row's destination."""
    person: ClassVar[ColumnElement[str]] = literal("")
    """Who has named the destination."""
    source: ClassVar[FromClause]
    """The table, joined with whatever `is_proven` and `person` need."""
    is_waiting: ClassVar[ColumnElement[bool]] = true()
    order: ClassVar[Sequence[ColumnElement[Any]]]
    """What is sent first: columns whose smallest value counts, of one destination and among destinations."""
    claim_milliseconds: ClassVar[int] = 60_000

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    def is_due(self) -> ColumnElement[bool]:
        """Return the condition of rows that may be claimed now."""
        return and_(self.is_waiting, self.table.c.next_at <= self._now())

    async def due(self, busy: Collection[str], doubtful: Collection[str], proven: bool, most: int) -> list[Destination]:
        """Return up to so many destinations that something is due for, as `Queue.due` says."""
        is_proven = self.is_proven & self.destination.not_in(doubtful)
        wanted = (
            select(self.destination.label("name"), func.min(self.person).label("person"))
            .select_from(self.source)
            .where(self.is_due(), self.destination.not_in(busy), is_proven if proven else ~is_proven)
            .group_by(self.destination)
            .order_by(*map(func.min, self.order))
        )
        rows = await self._database.fetch(wanted.limit(most))
        return [Destination(row.name, proven, row.person) for row in rows]

    async def claim(self, destination: str, most: int) -> Sequence[StoredItem]:
        """Claim up to `most` due items of a destination; other nodes cannot claim them until the claim ends."""
        first = select(self.key).where(self.is_due(), self.destination == destination)
        first = first.order_by(*self.order).limit(most).with_for_update(skip_locked=True)
        taken = {"next_at": self._now() + self.claim_milliseconds, "attempts": self.table.c.attempts + 1}
        async with self._database.writing() as connection:
            while ids := list(await connection.scalars(first)):
                await connection.execute(update(self.table).where(self.key.in_(ids)).values(taken))
                if items := await self.load(connection, ids):
                    return items
        return []

    async def record(self, answered: Sequence[tuple[StoredItem, Answer]]) -> None:
        """Store the results of attempts at claimed items."""
        async with self._database.writing() as connection:
            for item, answer in answered:
                await self.store_result(connection, item, answer)

    async def pause(self, destination: str, milliseconds: int) -> None:
        """Delay all queued items of a destination."""
        until = self._now() + milliseconds
        waiting = and_(self.is_waiting, self.destination == destination, self.table.c.next_at < until)
        async with self._database.writing() as connection:
            await connection.execute(update(self.table).where(waiting).values(next_at=until))

    def claimed_row(self, item: StoredItem) -> ColumnElement[bool]:
        """Return the condition that selects an item's row, unless it was claimed again later."""
        return and_(self.key == getattr(item, self.key.key or ""), self.table.c.attempts == item.attempts)

    @abstractmethod
    async def load(self, connection: AsyncConnection, ids: Sequence[str]) -> Sequence[StoredItem]:
        """Return the items of these rows, which were just claimed; delete the rows that are no longer to be sent."""

    @abstractmethod
    async def store_result(self, connection: AsyncConnection, item: StoredItem, answer: Answer) -> None:
        """Store the result of an attempt at one item: it was delivered, is due again, or is given up."""


def next_attempt_at(
    now: int, attempts: int, pauses: Sequence[int], retry_after: int = 0, until: int = LAST_MOMENT
) -> int | None:
    """Return the time of the next attempt after this many failed ones; None if there are no more pauses or it is late.

    Up to a quarter of a pause is added by chance. `retry_after` is in seconds; everything else in milliseconds.
    """
    if attempts > len(pauses):
        return None
    pause = pauses[attempts - 1]
    next_at = now + max(pause + random.randrange(pause // 4), retry_after * 1000)
    return next_at if next_at < until else None
