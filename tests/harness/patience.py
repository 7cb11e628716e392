"""How long tests wait for what must come: the only deadlines of the tests, longer on a slow or busy machine.

Nothing waits so long where all is well. A test that claims that something is fast is a benchmark, and not one of these.
"""

import os
import time

_SLOWNESS = "CADOGAN_TEST_SLOWNESS"
"""The variable by which other processes of a run know what was measured at its start."""
_QUIET_SECONDS = 0.25
"""Seconds that the measured work takes on a machine that is not slow."""
_MAX_SLOWNESS = 8.0


def soon() -> float:
    """Return the seconds in which happens what happens at once."""
    return 30.0 * _scale()


def long() -> float:
    """Return the seconds in which happens what takes its time: a process starts, a lost server is noticed."""
    return 180.0 * _scale()


def slowness() -> float:
    """Return how many times as long as a quiet machine this one took for some work when the run began; 1 to 8."""
    if _SLOWNESS not in os.environ:
        began = time.perf_counter()
        sum(number % 7 for number in range(5_000_000))
        measured = (time.perf_counter() - began) / _QUIET_SECONDS
        os.environ[_SLOWNESS] = str(min(max(measured, 1.0), _MAX_SLOWNESS))
    return float(os.environ[_SLOWNESS])


def _scale() -> float:
    return slowness() * float(os.environ.get("CADOGAN_TEST_PATIENCE", "1"))
