"""The server's clock. Code that needs the time takes a `Clock` as a parameter, so that tests can set the time."""

import time
from collections.abc import Callable

Clock = Callable[[], int]
"""Returns the time in milliseconds since 1970, UTC."""


def now() -> int:
    """Return the time of this machine, in milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000
