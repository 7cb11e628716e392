"""Ends a test that hangs, also where it waits in an event loop, and where it hangs only while it is taken down.

pytest-timeout does neither: uvloop catches the error that its signal raises, and once a test has failed it sets no
limit to what follows.
"""

import asyncio
import signal
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

from tests.harness.patience import long


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    """Let a test fail whose fixtures take longer than the limit."""
    with _time_limit(item, "the setup of "):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Let a test fail that takes longer than the limit."""
    with _time_limit(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """Let a test fail that takes longer than the limit to be taken down."""
    with _time_limit(item, "the teardown of "):
        return (yield)


@contextmanager
def _time_limit(item: pytest.Item, part: str = "") -> Iterator[None]:
    limit = long() * (5 if item.get_closest_marker("heavy") else 2)

    def end(number: int, frame: FrameType | None) -> None:
        loop = _running_loop()
        if loop is not None:
            for task in asyncio.all_tasks(loop):
                task.print_stack()
            loop.call_soon_threadsafe(loop.stop)  # whoever runs the loop until something is done gets an error
        pytest.fail(f"{part}{item.nodeid} takes longer than {limit:g} seconds")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, limit, long())  # and again if it does not end
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
