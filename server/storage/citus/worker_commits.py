"""Group commit for PostgreSQL: one group, or with Citus one per worker, so that a commit involves one worker."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence

import asyncpg

from cadogan.server.database.connections import ANSWER_TIMEOUT_SECONDS, Database
from cadogan.server.eventlog.event_store import Append, StoreClosed, StoreError, StoreUnavailable
from cadogan.server.storage import group_commit
from cadogan.server.storage.citus.extension import COMMIT_IN_TWO_PHASES
from cadogan.server.storage.citus.stream_workers import StreamWorkers
from cadogan.server.storage.group_commit import BatchWriter, GroupCommit, refuse
from cadogan.server.storage.postgresql_writer import PostgresqlBatchWriter
from cadogan.server.storage.row_sql import EventValues

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
