"""Group commit: every append that waits goes into one transaction, begun as soon as the last one has ended."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from server.eventlog.event_store import Append, StoreClosed, StoreError, StoreUnavailable

FAREWELL = 2.0
"""Seconds that what waits gets to be written, when the writer is closed."""
BATCH = 1024
"""The most events in one transaction, but for a single append that is larger."""


class Transactions(Protocol):
    """The writing side of a database."""

    async def commit(self, appends: Sequence[Append]) -> bool:
        """Write all appends in one transaction, durably, or none of them and return False because something collides.

        Raises what the driver raises when the transaction fails for any other reason; the next call reconnects.
        """

    async def close(self) -> None:
        """Close the connection."""


class Writer:
    """Commits appends in the order of their coming and answers each after the commit that holds it.

    Where a batch collides with what is in the log, or within itself, it is halved until those that collide stand alone:
    every append fares as if the appends had come one by one.
    """

    def __init__(self, transactions: Transactions, refusal: Callable[[Append], Awaitable[StoreError]]) -> None:
        self._transactions = transactions
        self._refusal = refusal
        self._waiting: deque[tuple[Append, asyncio.Future[None]]] = deque()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    async def append(self, append: Append) -> None:
        """Wait until the append is committed. Raises as `Store.append` does."""
        if self._closed:
            raise StoreClosed("the store is closed")
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self._waiting.append((append, future))
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._write())
        await future

    async def close(self) -> None:
        """Commit what waits, as far as the database takes it within `FAREWELL`; refuse the rest, and every append.

        What is refused here is written or not, as whenever the database is away.
        """
        self._closed = True
        if self._task is not None:
            _, late = await asyncio.wait([self._task], timeout=FAREWELL)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        for _, future in self._waiting:
            _refuse(future, StoreClosed("the store was closed before the database took this"))
        await self._transactions.close()

    async def _write(self) -> None:
        while self._waiting:
            batch = self._next()
            try:
                await self._settle(batch)
            except asyncio.CancelledError:
                self._waiting.extendleft(reversed(batch))
                raise

    def _next(self) -> list[tuple[Append, asyncio.Future[None]]]:
        batch = [self._waiting.popleft()]
        events = len(batch[0][0].events)
        while self._waiting and (events := events + len(self._waiting[0][0].events)) <= BATCH:
            batch.append(self._waiting.popleft())
        return batch

    async def _settle(self, batch: Sequence[tuple[Append, asyncio.Future[None]]]) -> None:
        refusal: StoreError | None = None
        try:
            committed = await self._transactions.commit([append for append, _ in batch])
            if not committed and len(batch) == 1:
                refusal = await self._refusal(batch[0][0])
        except Exception as error:
            for _, future in batch:
                _refuse(future, StoreUnavailable(f"the log could not be written: {error}"), error)
            return
        if committed:
            for _, future in batch:
                if not future.done():  # its caller may have been cancelled
                    future.set_result(None)
        elif refusal is not None:
            _refuse(batch[0][1], refusal)
        else:
            middle = len(batch) // 2
            await self._settle(batch[:middle])
            await self._settle(batch[middle:])


def _refuse(future: asyncio.Future[None], refusal: StoreError, cause: Exception | None = None) -> None:
    if not future.done():
        refusal.__cause__ = cause
        future.set_exception(refusal)
