"""Servers for tests: `cadogan serve` as its own process, which can be killed and restarted."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from tests.harness.patience import long

COMMAND = str(Path(sys.executable).with_name("cadogan"))
NO_RATE_LIMIT = {"CADOGAN_RATE": "1000000", "CADOGAN_BURST": "1000000"}
FIRST_PORT = 12_000
"""The first port for servers: below the range that the operating system assigns to clients, from 32,768 on."""
PORTS_PER_WORKER = 1_000
MAX_WORKERS = 20
UNUSED_PORT = 1
"""A TCP port on which nothing listens: it is never assigned."""
UNREACHABLE_URL = f"http://127.0.0.1:{UNUSED_PORT}"
"""Where no server answers."""


def free_port() -> int:
    """Return a free TCP port on 127.0.0.1 that no other worker of this run uses.

    Raises RuntimeError if no port is free.
    """
    for _ in range(PORTS_PER_WORKER):
        port = next(_ports)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("no port is free")


def _ports_of_this_worker() -> Iterator[int]:
    """Yield the ports of this xdist worker in a cycle, from a random start, because other runs use the same ones."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    first = FIRST_PORT + worker % MAX_WORKERS * PORTS_PER_WORKER
    start = random.randrange(PORTS_PER_WORKER)
    for number in count(start):
        yield first + number % PORTS_PER_WORKER


_ports = _ports_of_this_worker()


class _Process(Protocol):
    """The part of `subprocess.Popen` that is needed of a started process."""

    @property
    def pid(self) -> int: ...

    def poll(self) -> int | None: ...

    def send_signal(self, number: signal.Signals, /) -> None: ...

    def wait(self, timeout: float, /) -> int: ...


class ServerProcess:
    """One server in its own process, with the same port and database through every restart.

    `settings` are additional CADOGAN_... variables; it inherits no others.
    Its output goes to the file `log`. `serve` is the command to run, `cadogan serve` by default.
    """

    def __init__(
        self,
        database_url: str,
        log: Path,
        settings: dict[str, str] | None = None,
        serve: Sequence[str] = (COMMAND, "serve"),
    ) -> None:
        self.port = free_port()
        self.log = log
        self._serve = serve
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("CADOGAN_")},
            "CADOGAN_HOST": "127.0.0.1",
            "CADOGAN_PORT": str(self.port),
            "CADOGAN_DATABASE_URL": database_url,
            "CADOGAN_ANALYSTS": "0",
            "CADOGAN_CERTIFY": "false",
            **(settings or {}),
        }
        self._process: _Process | None = None

    @property
    def url(self) -> str:
        """The server's URL: `http://127.0.0.1:<port>`."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The process id. Raises AssertionError if the server does not run."""
        assert self._process is not None
        return self._process.pid

    def command(self, *arguments: str) -> str:
        """Run `cadogan <arguments>` with this server's settings; return its output. Raises CalledProcessError."""
        return subprocess.run(
            [COMMAND, *arguments], env=self._environment, check=True, capture_output=True, text=True
        ).stdout

    async def start(self) -> None:
        """Start the server and return when it is ready. Raises RuntimeError with its output if it fails."""
        assert self._process is None
        self._process = self._spawn()
        with suppress(TimeoutError):
            async with asyncio.timeout(long()):
                while self._process.poll() is None:
                    if await self._ready():
                        return
                    await asyncio.sleep(0.01)
        self.kill()
        raise RuntimeError(f"the server did not come up:\n{self.log.read_text()}")

    def kill(self) -> None:
        """Kill the server with SIGKILL, as in a power cut."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Stop the server with SIGTERM, as a host would; return its exit code."""
        return self._end(signal.SIGTERM)

    def _spawn(self) -> _Process:
        with self.log.open("ab") as output:
            return subprocess.Popen(
                self._serve, env=self._environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )

    def _end(self, number: signal.Signals) -> int:
        process, self._process = self._process, None
        assert process is not None
        process.send_signal(number)
        return process.wait(long())

    async def _ready(self) -> bool:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return False
        try:
            writer.write(b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            return b" 200 " in await reader.readline()
        except OSError:
            return False
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            await asyncio.to_thread(self.stop)
