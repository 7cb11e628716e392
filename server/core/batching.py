"""Batching of database queries: while one query runs, further keys are collected for the next query.

A single call is never delayed. When thousands of clients reconnect at once, each with its own token, the database gets
some dozens of queries instead of thousands. Under load a query starts `PAUSE_SECONDS` after the previous one: queries
cost more than keys, so all calls finish sooner. Lookups on the path of moves have no pause.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Hashable, Iterable, Mapping
from typing import Generic, TypeVar

MAX_BATCH_KEYS = 500
"""Keys in one query."""
PAUSE_SECONDS = 0.02
"""Seconds between two queries under load, so that the next one has more keys."""

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

Find = Callable[[Collection[Key]], Awaitable[Mapping[Key, Value]]]
"""Looks up keys, and returns a mapping of those that exist."""


class Batcher(Generic[Key, Value]):
    """Looks up values by key, many keys at a time.

    A value is never older than the call that requested it: a key requested during a query goes into the next query.

    After a query for several keys from several callers (different people, not the requests of one page), the next query
    waits for `pause_seconds`.
    """

    def __init__(self, find: Find[Key, Value], pause_seconds: float = PAUSE_SECONDS) -> None:
        self._find = find
        self._pause_seconds = pause_seconds
        self._waiting: dict[Key, asyncio.Future[Value | None]] = {}
        self._askers = 0
        self._task: asyncio.Task[None] | None = None

    async def get(self, key: Key) -> Value | None:
        """Return the value of a key, or None if `find` returns none for it. Raises what `find` raises."""
        self._askers += 1
        return await asyncio.shield(self._ask(key))

    async def get_many(self, keys: Iterable[Key]) -> dict[Key, Value]:
        """Return the values of the keys for which `find` returns one. Raises what `find` raises."""
        asked = {key: self._ask(key) for key in keys}
        self._askers += bool(asked)
        values = [(key, await asyncio.shield(future)) for key, future in asked.items()]
        return {key: value for key, value in values if value is not None}

    def _ask(self, key: Key) -> asyncio.Future[Value | None]:
        value = self._waiting.get(key)
        if value is None:
            value = self._waiting[key] = asyncio.get_running_loop().create_future()
            if self._task is None:
                self._task = asyncio.ensure_future(self._run())
        return value

    async def _run(self) -> None:
        try:
            while self._waiting:
                batch = {key: self._waiting.pop(key) for key in list(self._waiting)[:MAX_BATCH_KEYS]}
                is_crowd, self._askers = len(batch) > 1 and self._askers > 1, 0
                try:
                    found = await self._find(batch.keys())
                except Exception as error:
                    for value in batch.values():
                        value.set_exception(error)
                        value.exception()  # avoids asyncio's warning if all waiting callers were cancelled
                else:
                    for key, value in batch.items():
                        value.set_result(found.get(key))
                if is_crowd and len(self._waiting) < MAX_BATCH_KEYS:
                    await asyncio.sleep(self._pause_seconds)
        finally:
            self._task = None
