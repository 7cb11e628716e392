"""A pytest plugin that records which tests failed and which were skipped. `python -m tests.gate` loads it."""

import os
from pathlib import Path

import msgspec
import pytest

FILE = "CADOGAN_TEST_OUTCOMES"
"""The environment variable with the path of the outcomes file."""
RUN_AGAIN = ("browser", "heavy", "processes", "services")
"""Markers of tests that may be flaky. A test without any of them is never rerun."""
_PROPERTY = "may_run_again"


class Failure(msgspec.Struct, frozen=True):
    """A test that failed, and the load average of the machine at that time."""

    id: str
    may_run_again: bool
    load: float


class Outcomes(msgspec.Struct, frozen=True):
    """The outcomes of a pytest run, apart from the tests that passed; `left_out` are the skipped ones."""

    failures: tuple[Failure, ...] = ()
    left_out: tuple[str, ...] = ()


def pytest_configure(config: pytest.Config) -> None:
    """Record outcomes, unless this process is a pytest-xdist worker."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Recorder(Path(os.environ[FILE])))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Add to each test's report whether the test may be rerun: workers send reports, not markers."""
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
        """Record a report. Without the property it is from a crashed worker, and the test is not rerun."""
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
