"""Group commit for PostgreSQL: one group, or with Citus one for each worker, so that a commit concerns one worker."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence

from sqlalchemy import ARRAY, Text, bindparam, text

from server.database.citus import is_distributed
from server.database.connections import Database
from server.eventlog.event_store import Append, StoreClosed, StoreError, StoreUnavailable
from server.storage import group_commit
from server.storage.group_commit import GroupCommit, refuse
from server.storage.postgresql_writer import PostgresqlBatchWriter

MAX_STREAMS = 100_000
"""Streams whose worker is remembered."""

_WORKERS = text("""
SELECT stream, groupid FROM unnest(:streams) AS asked (stream)
JOIN pg_dist_placement ON shardid = get_shard_id_for_distribution_column('events', stream)
""").bindparams(bindparam("streams", type_=ARRAY(Text)))
_UNDIVIDED = 0
"""The one group if the log is not distributed."""


class WorkerCommits:
    """Commits each append in the group of its stream's worker, so that a worker that is away stops no other streams.

    Whether the log is distributed is asked once, before the first append. Where a stream is, is asked once, and again
    after a failure. The appends of one worker are committed in the order of arrival.

    `find_conflict` returns the error for an append that the writer alone could not commit.
    """

    def __init__(self, database: Database, find_conflict: Callable[[Append], Awaitable[StoreError]]) -> None:
        self._database = database
        self._find_conflict = find_conflict
        self._distributed: bool | None = None
        self._groups: dict[int, GroupCommit] = {}
        self._workers: dict[str, int] = {}
        self._waiting: deque[tuple[Append, asyncio.Future[None]]] = deque()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    async def append(self, append: Append) -> None:
        """Wait until the append is committed. Raises as `Store.append` does."""
        if self._closed:
            raise StoreClosed("the store is closed")
        future = asyncio.get_running_loop().create_future()
        if self._waiting or not self._knows(append.stream):
            self._waiting.append((append, future))
            if self._task is None or self._task.done():
                self._task = asyncio.create_task(self._find_workers())
        else:
            self._submit(append, future)
        try:
            await future
        except StoreUnavailable:
            self._workers.pop(append.stream, None)
            raise

    async def close(self) -> None:
        """Commit what the database takes in time; refuse the rest, and every later append."""
        self._closed = True
        if self._task is not None:
            _, late = await asyncio.wait([self._task], timeout=group_commit.CLOSE_TIMEOUT_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        for _, future in self._waiting:
            refuse(future, StoreClosed("the store was closed before the database took this"))
        await asyncio.gather(*(group.close() for group in self._groups.values()))

    def _knows(self, stream: str) -> bool:
        return self._distributed is False or stream in self._workers

    def _submit(self, append: Append, future: asyncio.Future[None]) -> None:
        worker = self._workers[append.stream] if self._distributed else _UNDIVIDED
        if worker not in self._groups:
            writer = PostgresqlBatchWriter(self._database, distributed=bool(self._distributed))
            self._groups[worker] = GroupCommit(writer, self._find_conflict)
        self._groups[worker].submit(append, future)

    async def _find_workers(self) -> None:
        """Ask where the streams are of all appends that wait, and hand these on, until none waits."""
        while self._waiting:
            asked = [append.stream for append, _ in self._waiting if not self._knows(append.stream)]
            try:
                if asked:
                    await self._ask([*dict.fromkeys(asked)])
            except Exception as error:
                for _, future in self._take(len(self._waiting)):
                    refuse(future, StoreUnavailable(f"the log could not be written: {error}"), error)
                return
            known = 0
            while known < len(self._waiting) and self._knows(self._waiting[known][0].stream):
                known += 1
            for append, future in self._take(known):
                self._submit(append, future)

    def _take(self, count: int) -> list[tuple[Append, asyncio.Future[None]]]:
        return [self._waiting.popleft() for _ in range(count)]

    async def _ask(self, streams: Sequence[str]) -> None:
        async with self._database.reading() as connection:
            if self._distributed is None:
                self._distributed = await is_distributed(connection)
            if self._distributed:
                if len(self._workers) >= MAX_STREAMS:
                    self._workers.clear()
                self._workers.update(
                    {row.stream: row.groupid for row in await connection.execute(_WORKERS, {"streams": streams})}
                )
