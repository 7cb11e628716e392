"""Batching of database queries: while one query runs, further keys are collected, and the next query asks for all.

A single key never waits for others. When thousands of clients reconnect at once, each with its own token, the database
gets some dozens of queries instead of thousands.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Hashable, Iterable, Mapping
from typing import Generic, TypeVar

MAX_BATCH_KEYS = 500
"""Keys in one query."""

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Batcher(Generic[Key, Value]):
    """Looks up values by key, many keys at a time.

    `find` takes a collection of keys and returns a mapping with the keys that exist. A value is never older than the
    call that asked for it: a key that is asked for during a query goes into the next query.
    """

    def __init__(self, find: Callable[[Collection[Key]], Awaitable[Mapping[Key, Value]]]) -> None:
        self._find = find
        self._waiting: dict[Key, asyncio.Future[Value | None]] = {}
        self._task: asyncio.Task[None] | None = None

    async def get(self, key: Key) -> Value | None:
        """Return the value of a key, or None if `find` returns none for it. Raises what `find` raises."""
        return await asyncio.shield(self._ask(key))

    async def get_many(self, keys: Iterable[Key]) -> dict[Key, Value]:
        """Return the values of those of these keys for which `find` returns one. Raises what `find` raises."""
        asked = {key: self._ask(key) for key in keys}
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
                try:
                    found = await self._find(batch.keys())
                except Exception as error:
                    for value in batch.values():
                        value.set_exception(error)
                        value.exception()  # avoids asyncio's warning if all who waited were cancelled
                else:
                    for key, value in batch.items():
                        value.set_result(found.get(key))
        finally:
            self._task = None
