"""The rounds that each node makes every few seconds: look for what is due, and do it."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog

INTERVAL_SECONDS = 5.0
CLEAR_INTERVAL_MILLISECONDS = 3600 * 1000

log = structlog.stdlib.get_logger("cadogan.outbox")


async def make_rounds(
    task: str,
    work: Callable[[asyncio.Event], Awaitable[object]],
    clear: Callable[[], Awaitable[None]] | None,
    now: Callable[[], int],
    call: asyncio.Event,
    stopping: asyncio.Event,
    interval_seconds: float = INTERVAL_SECONDS,
) -> None:
    """Do this work every `interval_seconds` or at a `call`, and `clear` once an hour, until the server is `stopping`.

    `task` is what the log calls it when it fails.
    """
    cleared_at = 0
    while not stopping.is_set():
        await _wait(call, stopping, interval_seconds)
        call.clear()
        if stopping.is_set():
            return
        try:
            await work(stopping)
            if clear is not None and now() - cleared_at >= CLEAR_INTERVAL_MILLISECONDS:
                await clear()
                cleared_at = now()
        except Exception as error:
            log.warning("background_task_retried", task=task, reason=type(error).__name__)


async def _wait(call: asyncio.Event, stopping: asyncio.Event, seconds: float) -> None:
    waiting = [asyncio.create_task(one.wait()) for one in (call, stopping)]
    with suppress(TimeoutError):
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for one in waiting:
        one.cancel()
