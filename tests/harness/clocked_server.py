"""A server in its own process whose clock a test sets; otherwise the same as `cadogan serve`.

python -m tests.harness.clocked_server      # with the settings of `cadogan serve`, and the clock in CLOCK_FILE
"""

from __future__ import annotations

import mmap
import os
import struct
import sys
import time
from pathlib import Path

import uvloop
from aiohttp import web

from cadogan.server.app import Server
from cadogan.server.config_sources import read_settings
from cadogan.server.core import logs
from cadogan.server.web_app import make_web_app

CLOCK_FILE = "TEST_CLOCK_FILE"
"""The environment variable with the path of the clock file."""
SERVE = (sys.executable, "-m", "tests.harness.clocked_server")
_AHEAD = struct.Struct("<q")


class SharedClock:
    """A running clock, shared by all processes that use its file; milliseconds since 1970."""

    def __init__(self, file: Path) -> None:
        if not file.exists():
            file.write_bytes(_AHEAD.pack(0))
        with file.open("r+b") as opened:
            self._memory = mmap.mmap(opened.fileno(), _AHEAD.size)

    def __call__(self) -> int:
        return time.time_ns() // 1_000_000 + int(_AHEAD.unpack_from(self._memory)[0])

    def turn_to(self, at: int) -> None:
        """Set the clock in every process."""
        _AHEAD.pack_into(self._memory, 0, at - time.time_ns() // 1_000_000)


def main() -> None:
    """Serve until a signal ends the process."""
    settings = read_settings()
    logs.configure("warning", "json")
    app = make_web_app(Server(settings, SharedClock(Path(os.environ[CLOCK_FILE]))))
    web.run_app(app, host=settings.host, port=settings.port, loop=uvloop.new_event_loop(), access_log=None, print=None)


if __name__ == "__main__":
    main()
