"""A plugin of pytest that writes down which tests failed and which were left out. `python -m tests.gate` loads it."""

import os
from pathlib import Path

import msgspec
import pytest

FILE = "CADOGAN_TEST_OUTCOMES"
"""The environment variable with the path of the file that is written."""
RUN_AGAIN = ("browser", "heavy", "processes", "services")
"""Marks of tests that may fail by bad luck. A test with none of them is never run again."""
_PROPERTY = "may_run_again"


class Failure(msgspec.Struct, frozen=True):
    """A test that failed, and the load average of the machine then."""

    id: str
    may_run_again: bool
    load: float


class Outcomes(msgspec.Struct, frozen=True):
    """What a run of pytest ended with, apart from the tests that passed; `left_out` are the skipped ones."""

    failures: tuple[Failure, ...] = ()
    left_out: tuple[str, ...] = ()


def pytest_configure(config: pytest.Config) -> None:
    """Write down what happens, unless this process is a worker of another one that does."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Recorder(Path(os.environ[FILE])))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the report of a test say whether it may run again: workers hand over reports, not marks."""
    for item in items:
        item.user_properties.append((_PROPERTY, any(item.get_closest_marker(name) for name in RUN_AGAIN)))


class _Recorder:
    def __init__(self, file: Path) -> None:
        self._file = file
        self._failures: dict[str, Failure] = {}
        self._left_out: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._record(report, False)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A report without the property is that of a worker that crashed: its test does not run again."""
        self._record(report, dict(report.user_properties).get(_PROPERTY) is True)

    def _record(self, report: pytest.CollectReport | pytest.TestReport, may_run_again: bool) -> None:
        if report.failed:
            self._failures.setdefault(report.nodeid, Failure(report.nodeid, may_run_again, os.getloadavg()[0]))
        elif report.skipped and not hasattr(report, "wasxfail"):
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
            self._left_out.append(f"{report.nodeid}: {reason}")

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        self._file.write_bytes(msgspec.json.encode(Outcomes(tuple(self._failures.values()), tuple(self._left_out))))
