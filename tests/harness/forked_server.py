"""Servers that start fast: each is forked from a process that has loaded all of `cadogan serve`, and runs as it does.

To load it takes a second of processor time, as long as many a test. Each is a process of its own, which can be killed,
stopped and started again.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

from tests.harness.server_process import ServerProcess

_FORKED = get_context("forkserver")
_FORKED.set_forkserver_preload(["tests.harness.loaded_server"])


class ForkedServer(ServerProcess):
    """One server in a process of its own. It differs from `cadogan serve` only in how its code is loaded."""

    def _spawn(self) -> _ForkedProcess:
        return _ForkedProcess(self._environment, self.log)


class _ForkedProcess:
    """The part of `subprocess.Popen` that a `ServerProcess` uses, for a process that is forked."""

    def __init__(self, environment: dict[str, str], log: Path) -> None:
        self._process: BaseProcess = _FORKED.Process(target=_serve, args=(environment, log), daemon=True)
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Its exit code, or minus the number of the signal that ended it; None while it runs."""
        return self._process.exitcode

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        with suppress(ProcessLookupError):
            if self.poll() is None:
                os.kill(self.pid, number)

    def wait(self, timeout: float) -> int:
        """Wait until it ends; its exit code. Raises TimeoutExpired after so many seconds."""
        self._process.join(timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired("serve", timeout)
        return code


def _serve(environment: dict[str, str], log: Path) -> None:
    """Run `cadogan serve` in this process, with this environment alone; its output goes to the file."""
    from cadogan.cli import main

    os.environ.clear()
    os.environ.update(environment)
    with log.open("ab") as output:
        os.dup2(output.fileno(), sys.stdout.fileno())
        os.dup2(output.fileno(), sys.stderr.fileno())
    main(["serve"])
