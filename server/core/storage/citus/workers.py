"""The workers of Citus: on which one each stream is, and group commits that concern one of them."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Generic

import asyncpg
import structlog
from sqlalchemy import ARRAY, Text, bindparam, select, text

from cadogan.server.core.database.connections import ANSWER_TIMEOUT_SECONDS, Database
from cadogan.server.core.database.tables import events
from cadogan.server.core.event_loop import PAUSE_SECONDS, Batcher, Find, Key, Value
from cadogan.server.core.eventlog.background_tasks import as_unavailable, is_no_answer
from cadogan.server.core.eventlog.event_store import Append, StoreClosed, StoreError, StoreUnavailable
from cadogan.server.core.storage import group_commit
from cadogan.server.core.storage.citus.extension import COMMIT_IN_TWO_PHASES, is_distributed
from cadogan.server.core.storage.group_commit import BatchWriter, GroupCommit, refuse
from cadogan.server.core.storage.writers import EventValues, PostgresqlBatchWriter

log = structlog.stdlib.get_logger("cadogan.workers")
MAX_STREAMS = 100_000
"""Maximum number of streams whose worker is cached."""
_WORKERS = text("""
SELECT stream, groupid FROM unnest(:streams) AS asked (stream)
JOIN pg_dist_placement ON shardid = get_shard_id_for_distribution_column('events', stream)
""").bindparams(bindparam("streams", type_=ARRAY(Text)))
_ASK_AGAIN = select(events.c.version).where(events.c.stream == bindparam("stream")).limit(1)
ONLY_WORKER = 0
"""The worker number of a log that is not distributed."""
ASK_AGAIN_SECONDS = 1.0
"""Seconds between two checks of a worker that did not answer in time."""


class WorkerUnreachable(ConnectionError):
    """A worker did not answer in time and has not answered since."""


class StreamWorkers:
    """Locates each stream: returns the number of its worker.

    Whether the log is distributed is queried once. The worker of a stream is queried once, and again after `forget`.

    A worker that did not answer in time (for example after a network failure) is polled by one task. Until it answers,
    all other calls to it fail at once.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._distributed = False if database.is_sqlite else None
        self._known: dict[str, int] = {}
        self._unknown = Batcher(self._ask, pause_seconds=0)
        self._silent: dict[int, asyncio.Task[None]] = {}

    @property
    def distributed(self) -> bool | None:
        """Whether the log is distributed; None if not queried yet."""
        return self._distributed

    def known(self, stream: str) -> int | None:
        """Return the cached worker of a stream; None if it must be looked up."""
        return ONLY_WORKER if self._distributed is False else self._known.get(stream)

    async def worker_of(self, stream: str) -> int:
        """Return the worker of a stream, from the cache or a lookup. Raises what the driver raises."""
        if (worker := self.known(stream)) is not None:
            return worker
        await self.look_up((stream,))
        return self.known(stream) or ONLY_WORKER

    async def look_up(self, streams: Collection[str]) -> None:
        """Look up and cache the workers of these streams. Raises what the driver raises."""
        await self._unknown.get_many(streams)

    def forget(self, stream: str) -> None:
        """Remove a stream from the cache, because it may have moved to another worker."""
        self._known.pop(stream, None)

    @contextmanager
    def read_from_worker(self, worker: int, stream: str) -> Iterator[None]:
        """Return a context for queries to a worker about one of its streams.

        Raises WorkerSilent at once if the worker is marked as silent. If the context ends with a timeout, the worker is
        marked as silent.
        """
        if worker in self._silent:
            raise WorkerUnreachable(f"the worker that has {stream} does not answer")
        try:
            yield
        except Exception as error:
            if self._distributed and is_no_answer(error) and worker not in self._silent:
                self._silent[worker] = asyncio.create_task(self._wait_for(worker, stream))
            raise

    async def close(self) -> None:
        """Stop polling silent workers."""
        for task in self._silent.values():
            task.cancel()
        await asyncio.gather(*self._silent.values(), return_exceptions=True)

    def is_unavailable(self, error: BaseException) -> bool:
        """Return whether an error only means that one of several workers is unavailable."""
        return self._distributed is True and as_unavailable(error) is not None

    async def _wait_for(self, worker: int, stream: str) -> None:
        log.warning("worker_silent", worker=worker)
        answers = False
        while not answers:
            await asyncio.sleep(ASK_AGAIN_SECONDS)
            with suppress(Exception):
                await self._database.fetch(_ASK_AGAIN, {"stream": stream})
                answers = True
        del self._silent[worker]
        log.info("worker_answers", worker=worker)

    async def _ask(self, streams: Collection[str]) -> Mapping[str, int]:
        async with self._database.reading() as connection:
            if self._distributed is None:
                self._distributed = await is_distributed(connection)
            if not self._distributed:
                return dict.fromkeys(streams, ONLY_WORKER)
            rows = await connection.execute(_WORKERS, {"streams": list(streams)})
            found = dict.fromkeys(streams, ONLY_WORKER) | {row.stream: row.groupid for row in rows}
        if len(self._known) + len(found) > MAX_STREAMS:
            self._known.clear()
        self._known.update(found)
        return found


class WorkerBatcher(Generic[Key, Value]):
    """Looks up values of streams like a `Batcher`, but with a separate query to each worker.

    An unavailable or slow worker therefore delays only calls for its own streams. `stream_of` returns the stream of a
    key.
    """

    def __init__(
        self,
        workers: StreamWorkers,
        stream_of: Callable[[Key], str],
        find: Find[Key, Value],
        pause_seconds: float = PAUSE_SECONDS,
    ) -> None:
        self._workers = workers
        self._stream_of = stream_of
        self._find = find
        self._pause_seconds = pause_seconds
        self._batchers: dict[int, Batcher[Key, Value]] = {}

    async def get(self, key: Key) -> Value | None:
        """Return the value of a key, or None if `find` returns none for it. Raises what `find` raises."""
        if self._workers.distributed is False:
            return await self._batcher(ONLY_WORKER).get(key)
        return (await self.get_many((key,))).get(key)

    async def get_many(self, keys: Iterable[Key], *, partly: bool = False) -> dict[Key, Value]:
        """Return the values of those of these keys for which `find` returns one. Raises what `find` raises.

        With `partly=True` the keys of an unavailable worker are left out.
        """
        if self._workers.distributed is False:
            return await self._batcher(ONLY_WORKER).get_many(keys)
        found, failures = await self._ask(keys)
        for failure in failures:
            if not (partly and self._workers.is_unavailable(failure)):
                raise failure
        return found

    async def each(self, keys: Iterable[Key]) -> AsyncIterator[tuple[Key, Value]]:
        """Iterate over the keys for which `find` returns a value; at the end raise what `find` raised."""
        found, failures = await self._ask(keys)
        for key, value in found.items():
            yield key, value
        for failure in failures:
            raise failure

    async def _ask(self, keys: Iterable[Key]) -> tuple[dict[Key, Value], list[BaseException]]:
        """Return the results of the workers that answer, and the errors of the others."""
        found, failures = dict[Key, Value](), list[BaseException]()
        by_worker = await self._by_worker(keys)
        asked = (self._batcher(worker).get_many(some) for worker, some in by_worker.items())
        for some, told in zip(by_worker.values(), await asyncio.gather(*asked, return_exceptions=True), strict=True):
            if isinstance(told, BaseException):
                failures.append(told)
                for key in some:
                    self._workers.forget(self._stream_of(key))
            else:
                found |= told
        return found, failures

    async def _by_worker(self, keys: Iterable[Key]) -> dict[int, list[Key]]:
        grouped: dict[int, list[Key]] = {}
        streams = {key: self._stream_of(key) for key in keys}
        if unknown := [stream for stream in streams.values() if self._workers.known(stream) is None]:
            await self._workers.look_up(unknown)
        for key, stream in streams.items():
            grouped.setdefault(self._workers.known(stream) or ONLY_WORKER, []).append(key)
        return grouped

    def _batcher(self, worker: int) -> Batcher[Key, Value]:
        if worker not in self._batchers:
            find = self._find if worker == ONLY_WORKER else partial(self._find_at, worker)
            self._batchers[worker] = Batcher(find, self._pause_seconds)
        return self._batchers[worker]

    async def _find_at(self, worker: int, keys: Collection[Key]) -> Mapping[Key, Value]:
        with self._workers.read_from_worker(worker, self._stream_of(next(iter(keys)))):
            return await self._find(keys)


_INSERT_ROW = """
INSERT INTO events (stream, version, command_id, type, schema, data, recorded_at, hash)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""


class WorkerCommits:
    """Commits each append in the group of its stream's worker, so an unavailable worker blocks no other streams.

    The appends of one worker are committed in the order of arrival.

    `find_conflict` returns the error for an append that the writer rejected even when alone.
    """

    def __init__(
        self, database: Database, workers: StreamWorkers, find_conflict: Callable[[Append], Awaitable[StoreError]]
    ) -> None:
        self._database = database
        self._workers = workers
        self._find_conflict = find_conflict
        self._groups: dict[int, GroupCommit] = {}
        self._waiting: deque[tuple[Append, asyncio.Future[None]]] = deque()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    async def append(self, append: Append) -> None:
        """Wait until the append is committed. Raises the same as `Store.append`."""
        if self._closed:
            raise StoreClosed("the store is closed")
        future = asyncio.get_running_loop().create_future()
        worker = self._workers.known(append.stream)
        if self._waiting or worker is None:
            self._waiting.append((append, future))
            if self._task is None or self._task.done():
                self._task = asyncio.create_task(self._find_workers())
        else:
            self._submit(append, worker, future)
        try:
            await future
        except StoreUnavailable:
            self._workers.forget(append.stream)
            raise

    async def close(self) -> None:
        """Commit queued appends as far as time allows; refuse the rest, and every later append."""
        self._closed = True
        if self._task is not None:
            _, late = await asyncio.wait([self._task], timeout=group_commit.CLOSE_TIMEOUT_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        for _, future in self._waiting:
            refuse(future, StoreClosed("the store was closed before the database took this"))
        await asyncio.gather(*(group.close() for group in self._groups.values()))

    def _submit(self, append: Append, worker: int, future: asyncio.Future[None]) -> None:
        if worker not in self._groups:
            kind = CitusBatchWriter if self._workers.distributed else PostgresqlBatchWriter
            writer = kind(self._database)
            self._groups[worker] = GroupCommit(_WorkerWriter(writer, self._workers, worker), self._find_conflict)
        self._groups[worker].submit(append, future)

    async def _find_workers(self) -> None:
        """Look up the workers of all queued appends, and pass these to their groups, until the queue is empty."""
        while self._waiting:
            unknown = {append.stream for append, _ in self._waiting if self._workers.known(append.stream) is None}
            try:
                await self._workers.look_up(unknown)
            except Exception as error:
                while self._waiting:
                    _, future = self._waiting.popleft()
                    refuse(future, StoreUnavailable(f"the log could not be written: {error}"), error)
                return
            while self._waiting and (worker := self._workers.known(self._waiting[0][0].stream)) is not None:
                append, future = self._waiting.popleft()
                self._submit(append, worker, future)


class CitusBatchWriter(PostgresqlBatchWriter):
    """Writes batches of appends to a distributed log.

    All appends of a batch should go to one worker: only then is a batch without projection rows committed in one phase.
    """

    _inserts_in_one_statement = False

    async def _insert(self, driver: asyncpg.Connection, values: Sequence[EventValues], *, is_alone: bool) -> None:
        # Separate rows are each sent to their shard. An INSERT with SELECT would use COPY and two-phase commit.
        await driver.executemany(_INSERT_ROW, values, timeout=ANSWER_TIMEOUT_SECONDS)
        if not is_alone:
            await driver.execute(COMMIT_IN_TWO_PHASES, timeout=ANSWER_TIMEOUT_SECONDS)


class _WorkerWriter:
    """Writes batches of appends to one worker, unless it is marked as silent."""

    def __init__(self, writer: BatchWriter, workers: StreamWorkers, worker: int) -> None:
        self._writer = writer
        self._workers = workers
        self._worker = worker
        self.close = writer.close

    async def commit(self, appends: Sequence[Append]) -> bool:
        with self._workers.read_from_worker(self._worker, appends[0].stream):
            return await self._writer.commit(appends)
