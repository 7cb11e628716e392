"""Timeouts of the tests: their only deadlines, longer on a slow or busy machine.

Passing tests rarely wait that long. A test of speed is a benchmark, and does not belong here.
"""

import os
import time

_SLOWNESS = "CADOGAN_TEST_SLOWNESS"
"""The variable that passes the slowness measured at the start of the run to other processes."""
_QUIET_SECONDS = 0.25
"""Seconds that the measured work takes on an idle, fast machine."""
_MAX_SLOWNESS = 8.0


def soon() -> float:
    """Return the timeout in seconds for operations that normally take no time."""
    return 30.0 * _scale()


def long() -> float:
    """Return the timeout in seconds for slow things: starting a process, noticing a lost server."""
    return 180.0 * _scale()


def slowness() -> float:
    """Return how many times slower than an idle machine this one was when the run began; 1 to 8."""
    if _SLOWNESS not in os.environ:
        began = time.perf_counter()
        sum(number % 7 for number in range(5_000_000))
        measured = (time.perf_counter() - began) / _QUIET_SECONDS
        os.environ[_SLOWNESS] = str(min(max(measured, 1.0), _MAX_SLOWNESS))
    return float(os.environ[_SLOWNESS])


def _scale() -> float:
    return slowness() * float(os.environ.get("CADOGAN_TEST_PATIENCE", "1"))
