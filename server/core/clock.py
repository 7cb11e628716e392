"""The time of the server. Whoever needs it is handed a `Clock`, so that a test can set it."""

import time
from collections.abc import Callable

Clock = Callable[[], int]
"""Gives the time in milliseconds since 1970, UTC."""


def now() -> int:
    """Return the time of this machine, in milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000
