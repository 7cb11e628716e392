"""A test that hangs fails, wherever it hangs, and the others go on: a run that never ends says nothing."""

from pathlib import Path

import pytest

from tests.harness.patience import long

pytest_plugins = ("pytester",)

CONFTEST = """
import os
import uvloop
from tests.harness.scheduler import Scheduler
from tests.harness.time_limit import pytest_runtest_call, pytest_runtest_setup, pytest_runtest_teardown, real_stderr

os.environ |= {"CADOGAN_TEST_SLOWNESS": "1", "CADOGAN_TEST_PATIENCE": str(1 / 180)}

def pytest_configure():
    real_stderr()

def pytest_xdist_make_scheduler(config, log):
    return Scheduler(config, log)

def pytest_asyncio_loop_factories(config, item):
    return {"uvloop": uvloop.new_event_loop}
"""
TESTS = """
import asyncio
import threading
import pytest

@pytest.fixture
async def endless():
    yield
    await asyncio.Event().wait()

async def test_waits_in_the_event_loop():
    await asyncio.Event().wait()

async def test_waits_again_when_it_is_ended():
    try:
        await asyncio.Event().wait()
    finally:
        await asyncio.Event().wait()

async def test_never_comes_back_to_the_event_loop():
    while True:
        pass

def test_waits_for_a_thread():
    threading.Event().wait()

async def test_has_failed_and_what_takes_it_down_waits(endless):
    raise ValueError

async def test_is_quick():
    await asyncio.sleep(0)
"""
HANGS_IN_C = """
import sqlite3
import pytest

@pytest.mark.parametrize("number", range(10))
def test_is_quick(number):
    pass

@pytest.mark.parametrize("number", range(2))
def test_waits_where_no_signal_is_seen(tmp_path, number):
    locked, other = sqlite3.connect(tmp_path / "file"), sqlite3.connect(tmp_path / "file")
    locked.execute("begin exclusive")
    sqlite3.connect(":memory:").backup(other)

@pytest.mark.parametrize("number", range(10))
def test_is_quick_too(number):
    pass
"""


@pytest.mark.slow
def test_a_worker_that_hangs_where_no_signal_is_seen_ends_and_another_goes_on(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(HANGS_IN_C)
    ended = pytester.runpytest_subprocess("--numprocesses", "2", timeout=long())
    ended.assert_outcomes(failed=2, passed=20)
    ended.stderr.fnmatch_lines(["*in test_waits_where_no_signal_is_seen"])


@pytest.mark.slow
def test_a_test_that_hangs_fails_wherever_it_hangs(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    pytester.makeini("[pytest]\nasyncio_mode = auto")
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(TESTS)
    ended = pytester.runpytest_subprocess("-W", "default", timeout=long())
    ended.assert_outcomes(failed=5, errors=1, passed=1, warnings=ended.parseoutcomes().get("warnings", 0))
    ended.stdout.fnmatch_lines(["*test_waits_in_the_event_loop takes longer than 2 seconds"])
