"""Ends a test that hangs, also if it waits in an event loop or hangs during teardown; if it hangs in C, the process.

pytest-timeout does neither: uvloop catches the error that its signal handler raises, and after a failed test it sets no
limit for the teardown.
"""

import asyncio
import faulthandler
import os
import signal
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType

import pytest

from tests.harness.patience import long


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    """Fail a test whose fixtures take longer than the limit."""
    with _time_limit(item, "the setup of "):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Fail a test that takes longer than the limit."""
    with _time_limit(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """Fail a test whose teardown takes longer than the limit."""
    with _time_limit(item, "the teardown of "):
        return (yield)


@cache
def real_stderr() -> int:
    """Return a descriptor of the standard error output, if it is first called before pytest captures that."""
    return os.dup(2)


@contextmanager
def _time_limit(item: pytest.Item, part: str = "") -> Iterator[None]:
    limit = long() * (5 if item.get_closest_marker("heavy") else 2)

    def end(number: int, frame: FrameType | None) -> None:
        loop = _running_loop()
        if loop is not None:
            for task in asyncio.all_tasks(loop):
                task.print_stack()
            loop.call_soon_threadsafe(loop.stop)  # the caller that runs the loop until completion gets an error
        pytest.fail(f"{part}{item.nodeid} takes longer than {limit:g} seconds")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, limit, long())  # repeat if the test does not end
    faulthandler.dump_traceback_later(limit + 2 * long(), exit=True, file=real_stderr())
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
