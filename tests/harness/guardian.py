"""Ends what a run of pytest would leave behind, however it ends: by itself, interrupted, or killed.

Each process that a run starts inherits the run's name in its environment, and so do their own processes. The guardian
has a session of its own, which no Ctrl-C reaches. It reads from a pipe that only the run holds, and thereby learns that
the run has ended. Then it kills all processes of that name (where there is `/proc`), and removes the run's folders and
the databases of runs that have ended.
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
"""The variable with the run's name. It does not begin with CADOGAN_: tests remove all that do for their servers."""
FOLDERS = "cadogan-test-"
"""How the names of temporary folders begin, with the run's name after it."""
_PROCESSES = Path("/proc")
_ALL_WAS_TAKEN_DOWN = b"."
_ENDED_BY_ITSELF = (0, 1)
"""Exit codes of pytest: all tests have passed, some have failed."""


class Guardian:
    """Watches over the run of this process, from now on; a plugin of pytest."""

    def __init__(self) -> None:
        others = {name: value for name, value in os.environ.items() if name != RUN}  # it is none of those that it kills
        os.environ[RUN] = secrets.token_hex(6)
        command = [sys.executable, "-m", __name__, os.environ[RUN]]
        root = Path(__file__).parents[2]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True, env=others, cwd=root)
        self._farewell = b""

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Remember whether the run has come to its end, and has taken down everything by itself."""
        self._farewell = _ALL_WAS_TAKEN_DOWN if exitstatus in _ENDED_BY_ITSELF else b""

    def pytest_unconfigure(self) -> None:
        """Let it end what is left, and return when that is done."""
        self._process.communicate(self._farewell)


def main(run: str) -> None:
    """Wait for the end of the run of this name, and end what it has left."""
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
        from tests.harness import databases  # takes a second, and most runs do not need it

        with suppress(OSError):  # there is no PostgreSQL
            asyncio.run(databases.drop_left(run))


def _processes_of(run: str) -> Iterator[int]:
    mark = f"{RUN}={run}".encode()
    for folder in _PROCESSES.glob("[1-9]*"):
        with suppress(OSError):  # it has ended meanwhile, or is another user's
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                yield int(folder.name)


if __name__ == "__main__":
    main(sys.argv[1])
