"""Cleans up after a pytest run, whether it ends by itself, is interrupted, or is killed.

Each process that a run starts inherits the run's name in its environment, and so do its child processes. The guardian
runs in its own session, which Ctrl-C does not reach. It reads from a pipe held only by the run, and so detects the end
of the run. Then it kills all processes with that name (where `/proc` exists), and removes the run's folders and the
databases of ended runs.
"""

import asyncio
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

RUN = "PYTEST_RUN_OF_CADOGAN"
"""The variable with the run's name. It lacks the prefix CADOGAN_, because tests remove such variables for servers."""
FOLDERS = "cadogan-test-"
"""The prefix of temporary folders, followed by the run's name."""
_PROCESSES = Path("/proc")
_ALL_WAS_TAKEN_DOWN = b"."
_ENDED_BY_ITSELF = (0, 1)
"""Exit codes of a pytest run that ended by itself: all tests passed, some failed."""


class Guardian:
    """Starts the guardian of this process's run; a pytest plugin."""

    def __init__(self) -> None:
        others = {name: value for name, value in os.environ.items() if name != RUN}  # it must not kill itself
        os.environ[RUN] = secrets.token_hex(6)
        command = [sys.executable, "-m", __name__, os.environ[RUN]]
        root = Path(__file__).parents[2]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True, env=others, cwd=root)
        self._farewell = b""

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Store whether the run ended by itself and has cleaned up."""
        self._farewell = _ALL_WAS_TAKEN_DOWN if exitstatus in _ENDED_BY_ITSELF else b""

    def pytest_unconfigure(self) -> None:
        """Start the clean-up, and return when it is done."""
        self._process.communicate(self._farewell)


def main(run: str) -> None:
    """Wait for the end of the run with this name, and clean up after it."""
    request = sys.stdin.buffer.read()
    while left := [*_processes_of(run)]:
        for process in left:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.01)
    for place in (tempfile.gettempdir(), "/dev/shm"):
        for folder in Path(place).glob(f"{FOLDERS}{run}-*"):
            shutil.rmtree(folder, ignore_errors=True)
    if request != _ALL_WAS_TAKEN_DOWN:
        from tests.harness import databases  # imported here: it takes a second, and most runs do not need it

        with suppress(OSError):  # there is no PostgreSQL
            asyncio.run(databases.drop_left(run))


def _processes_of(run: str) -> Iterator[int]:
    mark = f"{RUN}={run}".encode()
    for folder in _PROCESSES.glob("[1-9]*"):
        with suppress(OSError):  # it has ended meanwhile, or belongs to another user
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                yield int(folder.name)


if __name__ == "__main__":
    main(sys.argv[1])
