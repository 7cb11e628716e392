"""Runs pytest again and again, each time in a fork of this process, which has loaded the libraries.

A run starts in half the time then. Our own modules are loaded anew in each fork, with whatever bug was put into them.
It is started in a copy of the tracked files. Each line of its input is an `Order` as JSON, each line of its output the
`Answer`.
"""

import gc
import json
import os
import resource
import signal
import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from importlib import import_module
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, NoReturn

import pytest

OURS = {"benchmarks", "cadogan", "clients", "deploy", "engine", "migrations", "server", "tests"}
START_SECONDS = 30.0
"""Finding the tests takes so long on a busy machine."""
MAX_BYTES = 4 * 1024**3
"""Memory that a loop without an end may fill."""
SECONDS_TO_CLEAN_UP = 10.0
"""Tests that are stopped have so long to drop their databases."""


class Order(NamedTuple):
    """What to run: arguments for pytest, and the ids of those tests that come first."""

    arguments: list[str]
    first: list[str]
    patience: float
    """How long each test may take (`limit_seconds`)."""


class Answer(NamedTuple):
    """What came of it: the exit code, None if a test took too long, and the first test that failed or took too long."""

    code: int | None
    test: str


def limit_seconds(known_seconds: float, patience: float) -> float:
    """Return how long a test may take that took so long when it passed."""
    return patience * (30 + 2 * known_seconds)


class Report:
    """A plugin of pytest that tells which test runs, remembers which one failed, and runs the quickest ones first."""

    def __init__(self, first: Collection[str], known_seconds: Mapping[str, float], begun: Connection) -> None:
        self._first = first
        self._begun = begun
        self._known_seconds = known_seconds
        self.failed = ""
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: (item.nodeid not in self._first, self._known_seconds.get(item.nodeid, 0)))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._begun.send(nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration
        if report.failed:
            self.failed = self.failed or report.nodeid


def load_libraries() -> None:
    """Load everything that the tests load, and forget what of it is ours."""
    import_module("server.web_app")
    import_module("tests.conftest")
    for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
        del sys.modules[name]
    gc.freeze()


def run_pytest(order: Order, known_seconds: Mapping[str, float], file: Path, begun: Connection) -> NoReturn:
    """Run pytest in this process, a fork, write into a file what it reports, and end the process."""
    os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    resource.setrlimit(resource.RLIMIT_DATA, (MAX_BYTES, MAX_BYTES))
    report = Report(order.first, known_seconds, begun)
    options = ["-x", "-q", "--assert=plain", "--tb=no", "-p", "no:cacheprovider"]
    code = pytest.main([*options, *order.arguments], [report])
    file.write_text(json.dumps([report.failed, report.seconds]))
    os._exit(int(code))


class ForkedPytest:
    """Runs pytest in forks of this process."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "report.json"
        self._seconds: dict[str, float] = {}
        """How long each test took when it last passed."""

    def carry_out(self, order: Order) -> Answer:
        """Run the tests in a fork of this process, until one fails or takes too long."""
        self._file.write_text(json.dumps(["", {}]))
        begun, sender = Pipe(duplex=False)
        process = get_context("fork").Process(target=run_pytest, args=(order, self._seconds, self._file, sender))
        process.start()
        sender.close()
        test = self._follow(begun, process.sentinel, order.patience)
        if test is not None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid or 0, signal.SIGINT)
            process.join(SECONDS_TO_CLEAN_UP)
        with suppress(ProcessLookupError):
            os.killpg(process.pid or 0, signal.SIGKILL)
        process.join()
        begun.close()
        if test is not None:
            return Answer(None, test)
        failed, durations = json.loads(self._file.read_text())
        self._seconds.update({name: seconds for name, seconds in durations.items() if name != failed})
        return Answer(process.exitcode, failed)

    def _follow(self, begun: Connection, end: int, patience: float) -> str | None:
        """Wait until the run ends, and return None; or return the test that takes too long, nothing for the start."""
        test, limit = "", limit_seconds(START_SECONDS, patience)
        while ready := wait((begun, end), limit):
            try:
                if begun not in ready:
                    return None
                test = begun.recv()
                limit = limit_seconds(self._seconds.get(test, 0), patience)
            except EOFError:
                return None
        return test


def main() -> None:
    """Answer orders until there are no more."""
    load_libraries()
    with TemporaryDirectory() as folder:
        forked = ForkedPytest(Path(folder))
        for line in sys.stdin:
            print(json.dumps(forked.carry_out(Order(*json.loads(line)))), flush=True)


if __name__ == "__main__":
    main()
