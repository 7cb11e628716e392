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

LIMIT_SECONDS = 1200.0
"""Seconds that a test may take; and its fixtures, to set it up and to take it down."""
AGAIN_SECONDS = 60.0
"""Seconds that what was ended may take to end."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    """Let a test fail whose fixtures take longer than the limit."""
    with _time_limit(f"the setup of {item.nodeid}"):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Let a test fail that takes longer than the limit."""
    with _time_limit(item.nodeid):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """Let a test fail that takes longer than the limit to be taken down."""
    with _time_limit(f"the teardown of {item.nodeid}"):
        return (yield)


@contextmanager
def _time_limit(what: str) -> Iterator[None]:
    def end(number: int, frame: FrameType | None) -> None:
        loop = _running_loop()
        if loop is not None:
            for task in asyncio.all_tasks(loop):
                task.print_stack()
            loop.call_soon_threadsafe(loop.stop)  # whoever runs the loop until something is done gets an error
        pytest.fail(f"{what} takes longer than {LIMIT_SECONDS:g} seconds")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, LIMIT_SECONDS, AGAIN_SECONDS)
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
