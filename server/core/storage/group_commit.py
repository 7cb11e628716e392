"""Group commit: all queued appends are written in one transaction, which begins when the previous one has ended."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from cadogan.server.core.eventlog.event_store import Append, StoreClosed, StoreError, StoreUnavailable

CLOSE_TIMEOUT_SECONDS = 2.0
"""Seconds for writing queued appends when the store is closed."""
MAX_BATCH_EVENTS = 1024
"""Events in one transaction. A single append may have more."""


class BatchWriter(Protocol):
    """Writes a batch of appends to one kind of database."""

    async def commit(self, appends: Sequence[Append]) -> bool:
        """Write all appends durably in one transaction; write nothing and return False if one violates a constraint.

        Raises what the driver raises when the transaction fails for any other reason; the next call reconnects.
        """

    async def close(self) -> None:
        """Close the connection."""


class GroupCommit:
    """Commits appends in the order of arrival, and completes each one after its commit.

    If a batch conflicts with the log, or within itself, it is split in halves until each conflicting append is alone.
    Every append therefore has the same result as if it were written alone, in order.

    `find_conflict` returns the error for an append that the writer rejected even when alone.
    """

    def __init__(self, writer: BatchWriter, find_conflict: Callable[[Append], Awaitable[StoreError]]) -> None:
        self._writer = writer
        self._find_conflict = find_conflict
        self._waiting: deque[tuple[Append, asyncio.Future[None]]] = deque()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    async def append(self, append: Append) -> None:
        """Wait until the append is committed. Raises the same as `Store.append`."""
        future = asyncio.get_running_loop().create_future()
        self.submit(append, future)
        await future

    def submit(self, append: Append, future: asyncio.Future[None]) -> None:
        """Queue the append, and complete the future with the outcome of its commit."""
        if self._closed:
            refuse(future, StoreClosed("the store is closed"))
            return
        self._waiting.append((append, future))
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        """Commit queued appends within `CLOSE_TIMEOUT_SECONDS`; refuse the rest, and every later append.

        The outcome of an append that is refused here is unknown: it may have been written.
        """
        self._closed = True
        if self._task is not None:
            _, late = await asyncio.wait([self._task], timeout=CLOSE_TIMEOUT_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        for _, future in self._waiting:
            refuse(future, StoreClosed("the store was closed before the database took this"))
        await self._writer.close()

    async def _run(self) -> None:
        while self._waiting:
            batch = self._next_batch()
            try:
                await self._commit(batch)
            except asyncio.CancelledError:
                self._waiting.extendleft(reversed(batch))
                raise

    def _next_batch(self) -> list[tuple[Append, asyncio.Future[None]]]:
        batch = [self._waiting.popleft()]
        events = len(batch[0][0].events)
        while self._waiting and (events := events + len(self._waiting[0][0].events)) <= MAX_BATCH_EVENTS:
            batch.append(self._waiting.popleft())
        return batch

    async def _commit(self, batch: Sequence[tuple[Append, asyncio.Future[None]]]) -> None:
        conflict: StoreError | None = None
        try:
            committed = await self._writer.commit([append for append, _ in batch])
            if not committed and len(batch) == 1:
                conflict = await self._find_conflict(batch[0][0])
        except Exception as error:
            for _, future in batch:
                refuse(future, StoreUnavailable(f"the log could not be written: {error}"), error)
            return
        if committed:
            for _, future in batch:
                if not future.done():  # its caller may have been cancelled
                    future.set_result(None)
        elif conflict is not None:
            refuse(batch[0][1], conflict)
        else:
            middle = len(batch) // 2
            await self._commit(batch[:middle])
            await self._commit(batch[middle:])


def refuse(future: asyncio.Future[None], error: StoreError, cause: Exception | None = None) -> None:
    """Set the error of an append's future, unless its caller was cancelled."""
    if not future.done():
        error.__cause__ = cause
        future.set_exception(error)
