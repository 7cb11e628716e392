"""Measures the lag of the event loop: how long tasks wait while one of them blocks it."""

import asyncio
from collections.abc import Callable

INTERVAL_SECONDS = 0.5
"""Seconds between two measurements."""


async def measure_loop_lag(observe: Callable[[float], object], interval_seconds: float = INTERVAL_SECONDS) -> None:
    """Call `observe` with the lag in seconds, every `interval_seconds`, until this is cancelled."""
    clock = asyncio.get_running_loop().time
    while True:
        due = clock() + interval_seconds
        await asyncio.sleep(interval_seconds)
        observe(max(0.0, clock() - due))
