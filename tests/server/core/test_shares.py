"""Shares: few uses of the database for one address at a time, charged for their time, and none for what is shared."""

import asyncio
import gc
from contextlib import suppress
from weakref import ref

import pytest
from sqlalchemy import text

from cadogan.server.core.database.connections import Database
from cadogan.server.core.rate_limits import AddressLimit, Turns
from cadogan.server.core.shares import FREE_MILLISECONDS, InTurn, Share, SharedLock, use_share
from tests.harness.patience import soon

ADDRESS = "192.0.2.1"


class Uses:
    """Tasks of one address that hold a turn until `end` is set, and how many hold one."""

    def __init__(self, limit: AddressLimit | None = None) -> None:
        self.turns, self.limit = Turns(2, 100), limit or AddressLimit(1, 1)
        self.end = asyncio.Event()
        self.held = 0

    async def hold(self, lock: SharedLock | None = None) -> None:
        """Hold a turn, and one more within it; under a lock if there is one."""
        use_share(Share(ADDRESS, self.turns, self.limit))
        if lock is not None:
            async with lock, InTurn():
                return
        async with InTurn(), InTurn():
            self.held += 1
            await self.end.wait()


async def until_they_wait() -> None:
    """Let all tasks run as far as they can."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_fifty_uses_of_one_address_hold_two_turns_and_end_one_after_another() -> None:
    uses = Uses()
    tasks = [asyncio.create_task(uses.hold()) for _ in range(50)]
    await until_they_wait()
    assert uses.held == 2
    uses.end.set()
    async with asyncio.timeout(soon()):
        await asyncio.gather(*tasks)
    assert uses.held == 50


async def test_who_holds_a_lock_that_others_want_waits_for_no_turn() -> None:
    uses = Uses()
    tasks = [asyncio.create_task(uses.hold()) for _ in range(3)]
    await until_they_wait()
    async with asyncio.timeout(soon()):
        await asyncio.create_task(uses.hold(SharedLock()))
    uses.end.set()
    await asyncio.gather(*tasks)


async def test_a_free_lock_keeps_nothing_of_the_request_that_held_it() -> None:
    lock = SharedLock()
    task = asyncio.create_task(Uses().hold(lock))
    await task
    request = ref(task)
    del task
    await asyncio.sleep(0)  # until now, the callback that woke this test refers to the task
    gc.collect()
    assert request() is None


async def test_a_task_that_works_for_everybody_waits_for_no_turn() -> None:
    uses = Uses()
    tasks = [asyncio.create_task(uses.hold()) for _ in range(3)]
    await until_they_wait()

    async def ask() -> None:
        use_share(Share(ADDRESS, uses.turns, uses.limit))
        await asyncio.create_task(look_up())

    async def look_up() -> None:
        async with InTurn():
            pass

    async with asyncio.timeout(soon()):
        await asyncio.create_task(ask())
    uses.end.set()
    await asyncio.gather(*tasks)


async def test_a_long_use_is_charged_a_short_one_is_not_and_a_debt_does_not_grow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr("cadogan.server.core.shares.perf_counter", lambda: now)
    limit = AddressLimit(1000, 1000, clock=lambda: 0.0)
    use_share(Share(ADDRESS, Turns(2, 100), limit))
    for milliseconds, seconds_to_wait in ((FREE_MILLISECONDS, 0), (1500, 0.501), (1500, 0.501)):
        async with InTurn():
            now += milliseconds / 1000
        assert limit.bucket(ADDRESS).seconds_to_wait(0) == seconds_to_wait


async def test_a_use_that_fails_is_not_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    now, limit = 0.0, AddressLimit(1000, 1000, clock=lambda: 0.0)
    monkeypatch.setattr("cadogan.server.core.shares.perf_counter", lambda: now)
    use_share(Share(ADDRESS, Turns(2, 100), limit))
    with suppress(ValueError):
        async with InTurn():
            now += 10
            raise ValueError
    assert limit.bucket(ADDRESS).seconds_to_wait(0) == 0


async def test_reading_and_writing_of_a_database_take_turns(database: Database) -> None:
    uses = Uses()
    holding = [asyncio.create_task(uses.hold()) for _ in range(2)]
    await until_they_wait()
    done = list[str]()

    async def use(kind: str) -> None:
        use_share(Share(ADDRESS, uses.turns, uses.limit))
        if kind == "fetch":
            await database.fetch_value(text("SELECT 1"))
        else:
            async with database.reading() if kind == "reading" else database.writing():
                await database.fetch_value(text("SELECT 1"))
        done.append(kind)

    kinds = ("fetch", "reading", "writing")
    tasks = [asyncio.create_task(use(kind)) for kind in kinds]
    await database.ping()  # of nobody
    assert done == []
    uses.end.set()
    async with asyncio.timeout(soon()):
        await asyncio.gather(*holding, *tasks)
    assert sorted(done) == sorted(kinds)
