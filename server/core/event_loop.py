"""Sharing the event loop and the cores: batching of queries, coalescing of messages, time slices, locks, and the lag.

Batching of database queries: while one query runs, further keys are collected for the next query.

A single call is never delayed. When thousands of clients reconnect at once, each with its own token, the database gets
some dozens of queries instead of thousands. Under load a query starts `PAUSE_SECONDS` after the previous one: queries
cost more than keys, so all calls finish sooner. Lookups on the path of moves have no pause.
"""

import asyncio
import math
import os
import sys
from collections.abc import Awaitable, Callable, Collection, Hashable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

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


INTERVAL_SECONDS = 1.0
"""Seconds between two messages about presence or progress."""


class Coalescer:
    """Runs each requested action once at the end of the interval, however often it was requested meanwhile."""

    def __init__(self, interval_seconds: float | None = None) -> None:
        self._interval_seconds = INTERVAL_SECONDS if interval_seconds is None else interval_seconds
        self._actions: dict[Hashable, Callable[[], None]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def request(self, key: Hashable, action: Callable[[], None]) -> None:
        """Run the action at the end of this interval, replacing an earlier request with the same key."""
        self._actions[key] = action
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._interval_seconds, self.flush)

    def cancel(self, key: Hashable) -> None:
        """Cancel the request with this key."""
        self._actions.pop(key, None)

    def flush(self) -> None:
        """Run all requested actions now. Requests made during the call wait for the next interval."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        actions, self._actions = self._actions, {}
        for action in actions.values():
            action()

    def close(self) -> None:
        """Stop running actions."""
        self._actions.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


SLICE_SECONDS = 0.001
"""Maximum seconds for which one computation blocks the event loop, plus the time of one piece."""


class TimeSlices:
    """Runs computations in slices. All that run through one object share one slice for each turn of the event loop.

    With any number of computations, other tasks wait for at most one slice, and short ones finish soon.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def run(self, pieces: Iterable[object]) -> None:
        """Run an iterator whose steps are small pieces of work. Raises what a step raises."""
        work = iter(pieces)
        while True:
            async with self._turn:
                ends_at = perf_counter() + SLICE_SECONDS
                for _ in work:
                    if perf_counter() >= ends_at:
                        break
                else:
                    return
                await asyncio.sleep(0)  # while holding the turn, so that all other tasks run before the next slice


LAG_INTERVAL_SECONDS = 0.5
"""Seconds between two measurements."""


async def measure_loop_lag(observe: Callable[[float], object], interval_seconds: float = LAG_INTERVAL_SECONDS) -> None:
    """Call `observe` with the lag in seconds, every `interval_seconds`, until this is cancelled."""
    clock = asyncio.get_running_loop().time
    while True:
        due = clock() + interval_seconds
        await asyncio.sleep(interval_seconds)
        observe(max(0.0, clock() - due))


_CPU_LIMIT = Path("/sys/fs/cgroup/cpu.max")
"""The CPU limit of a container, if any (cgroup v2): microseconds of CPU time per period in microseconds."""


class OneAtATime:
    """Locks by key: what several tasks of this node do under one key they do one after another."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def of(self, key: str) -> asyncio.Lock:
        """Return the lock of a key. It is forgotten when nobody has it any more."""
        return self._locks.setdefault(key, asyncio.Lock())


def count_cores(limit: Path = _CPU_LIMIT) -> int:
    """Return the number of cores that this process may use: those of the machine, or fewer where it is limited."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    with suppress(OSError, ValueError):  # no limit, or the word `max`
        allowed, period = map(int, limit.read_text().split())
        cores = min(cores, math.ceil(allowed / period))
    return max(cores, 1)
