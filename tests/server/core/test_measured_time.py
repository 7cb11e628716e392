"""The time that a coroutine takes of the event loop is measured, and changes nothing of what it does."""

import asyncio
import time
from asyncio import timeout

import pytest

from cadogan.server.http.middleware import measured


def spin(milliseconds: float) -> None:
    """Use the processor for so long."""
    end = time.thread_time() + milliseconds / 1000
    while time.thread_time() < end:
        pass


async def work() -> str:
    """Use the processor twice, and wait in between, while others use it."""
    spin(3)
    others = asyncio.ensure_future(asyncio.to_thread(spin, 50))
    await asyncio.sleep(0.001)
    spin(3)
    await others
    return "done"


async def test_what_the_steps_of_a_coroutine_take_is_measured_and_not_what_it_waits_for() -> None:
    spent: list[float] = []
    assert await measured(work(), spent.append) == "done"
    assert len(spent) == 3
    assert min(spent[:2]) >= 3
    assert sum(spent) < 50


async def test_what_a_coroutine_raises_and_catches_is_the_same_and_what_it_took_is_measured() -> None:
    spent: list[float] = []

    async def fail() -> None:
        with pytest.raises(TimeoutError):
            async with timeout(0.001):
                await asyncio.Event().wait()
        spin(3)
        raise KeyError

    with pytest.raises(KeyError):
        await measured(fail(), spent.append)
    assert spent[-1] >= 3


async def test_a_coroutine_that_is_cancelled_cleans_up() -> None:
    cleaned = []

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned.append(True)

    async def run() -> None:
        await measured(wait(), lambda _: None)

    task = asyncio.ensure_future(run())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cleaned
