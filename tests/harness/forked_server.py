"""Servers that start fast: each is forked from a process that has imported everything for `cadogan serve`.

Importing takes a second of processor time, as long as many a test. Each server is a separate process, which can be
killed, stopped and started again.
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
    """One server in its own process. It differs from `cadogan serve` only in how its code is loaded."""

    def _spawn(self) -> _ForkedProcess:
        return _ForkedProcess(self._environment, self.log)


class _ForkedProcess:
    """The part of `subprocess.Popen` that `ServerProcess` uses, for a forked process."""

    def __init__(self, environment: dict[str, str], log: Path) -> None:
        self._process: BaseProcess = _FORKED.Process(target=_serve, args=(environment, log), daemon=True)
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Return the exit code, or minus the signal number; None while the process runs."""
        return self._process.exitcode

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, unless the process has ended."""
        with suppress(ProcessLookupError):
            if self.poll() is None:
                os.kill(self.pid, number)

    def wait(self, timeout: float) -> int:
        """Wait for the end and return the exit code. Raises TimeoutExpired after `timeout` seconds."""
        self._process.join(timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired("serve", timeout)
        return code


def _serve(environment: dict[str, str], log: Path) -> None:
    """Run `cadogan serve` in this process, with only this environment; its output goes to the log file."""
    from cadogan.cli import main

    os.environ.clear()
    os.environ.update(environment)
    with log.open("ab") as output:
        os.dup2(output.fileno(), sys.stdout.fileno())
        os.dup2(output.fileno(), sys.stderr.fileno())
    main(["serve"])
