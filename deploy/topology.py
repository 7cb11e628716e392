"""The deployment of docker-compose.yml without containers: several nodes on one PostgreSQL, and a proxy before them.

    python -m deploy.topology postgresql://postgres@127.0.0.1/club
    python -m deploy.topology postgresql://postgres@127.0.0.1/club --nodes 3 --bus nats://127.0.0.1:4222 --port 8080

A node that ends is restarted, as a container would be. SIGHUP restarts all nodes, one after another; SIGTERM or Ctrl-C
stops everything. If Caddy is not installed there is no proxy; the nodes can be reached at the printed addresses.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import signal
import socket
import sys
import time
import urllib.request
from asyncio.subprocess import DEVNULL, Process
from contextlib import suppress
from pathlib import Path
from types import TracebackType

COMMAND = str(Path(sys.executable).with_name("cadogan"))
PROXY_CONFIG = str(Path(__file__).with_name("Caddyfile"))
START_TIMEOUT_SECONDS = 180.0
"""How long a process may take until it answers."""
RETRY_SECONDS = 0.1
"""Pause between two checks whether a process answers, and before an ended process is restarted."""


class StartFailed(Exception):
    """A process of the topology did not start. The message says which one."""


class SupervisedProcess:
    """A process that is restarted whenever it ends by itself.

    It listens at `address`; it has started when it answers a request for the path `ready`.
    """

    def __init__(self, name: str, command: list[str], environment: dict[str, str], port: int, ready: str) -> None:
        self.name = name
        self.address = f"http://127.0.0.1:{port}"
        self._command = command
        self._environment = environment
        self._ready = ready
        self._process: Process | None = None
        self._supervisor: asyncio.Task[None] | None = None
        self._ended = asyncio.Event()

    @property
    def pid(self) -> int:
        """The id of the process. Raises StartFailed if it is not running."""
        if self._process is None:
            raise StartFailed(f"{self.name} is not running")
        return self._process.pid

    async def start(self) -> None:
        """Start the process, and return when it answers. Raises StartFailed."""
        self._ended.clear()
        self._supervisor = asyncio.create_task(self._supervise())
        if not await asyncio.to_thread(self._answers):
            await self.stop()
            raise StartFailed(f"{self.name} does not answer at {self.address}{self._ready}")

    async def stop(self) -> None:
        """Stop the process with SIGTERM, and return when it has ended."""
        self._ended.set()
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.terminate()
        if self._supervisor is not None:
            await self._supervisor

    async def restart(self) -> None:
        """Stop the process and start it again. Raises StartFailed."""
        await self.stop()
        await self.start()

    async def _supervise(self) -> None:
        while not self._ended.is_set():
            self._process = await asyncio.create_subprocess_exec(
                *self._command, env=self._environment, stdin=DEVNULL, start_new_session=True
            )
            code = await self._process.wait()
            self._process = None
            if not self._ended.is_set():
                print(f"{self.name} ended with {code}: it is started again", file=sys.stderr, flush=True)
                await asyncio.sleep(RETRY_SECONDS)

    def _answers(self) -> bool:
        deadline = time.monotonic() + START_TIMEOUT_SECONDS
        while time.monotonic() < deadline:
            with suppress(OSError), urllib.request.urlopen(self.address + self._ready, timeout=2):
                return True
            time.sleep(RETRY_SECONDS)
        return False


class Topology:
    """Several nodes on one PostgreSQL, behind a proxy if Caddy is installed.

    `settings` are additional CADOGAN_... variables for the nodes, which do not inherit such variables from this
    process.
    """

    def __init__(
        self,
        database_url: str,
        nodes: int = 2,
        bus: str = "auto",
        port: int = 0,
        settings: dict[str, str] | None = None,
    ) -> None:
        caddy = shutil.which("caddy")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("CADOGAN_")}
        own = {"CADOGAN_DATABASE_URL": database_url, "CADOGAN_BUS": bus, "CADOGAN_PROXIES": "1" if caddy else "0"}
        own["CADOGAN_CERTIFY"] = "false"
        self._environment = {**inherited, **own, **(settings or {})}
        ports = free_ports(nodes + 1)
        self.nodes = [self._node(f"node-{number}", ports[number]) for number in range(1, nodes + 1)]
        self.proxy: SupervisedProcess | None = None
        if caddy:
            listening = port or ports[0]
            upstreams = " ".join(node.address.removeprefix("http://") for node in self.nodes)
            environment = {**inherited, "CADOGAN_SITE": f"http://:{listening}", "CADOGAN_NODES": upstreams}
            command = [caddy, "run", "--config", PROXY_CONFIG, "--adapter", "caddyfile"]
            self.proxy = SupervisedProcess("proxy", command, environment, listening, "/readyz")

    @property
    def url(self) -> str:
        """The address for players: the proxy's, or the first node's if there is no proxy."""
        return (self.proxy or self.nodes[0]).address

    async def rolling_restart(self) -> None:
        """Restart all nodes, one after another, while the others serve. Raises StartFailed."""
        for node in self.nodes:
            await node.restart()

    async def __aenter__(self) -> Topology:
        migration = await asyncio.create_subprocess_exec(COMMAND, "migrate", env=self._environment, stdin=DEVNULL)
        if await migration.wait():
            raise StartFailed("the database could not be brought up to date")
        try:
            for process in self._processes():
                await process.start()
        except StartFailed:
            await self._stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    def _node(self, name: str, port: int) -> SupervisedProcess:
        environment = {**self._environment, "CADOGAN_HOST": "127.0.0.1", "CADOGAN_PORT": str(port)}
        return SupervisedProcess(name, [COMMAND, "serve"], environment, port, "/readyz")

    def _processes(self) -> list[SupervisedProcess]:
        return [*self.nodes, *([self.proxy] if self.proxy else [])]

    async def _stop(self) -> None:
        await asyncio.gather(*(process.stop() for process in reversed(self._processes())))


def free_ports(count: int) -> list[int]:
    """Return this many TCP ports of 127.0.0.1 that are free now."""
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
    finally:
        for probe in probes:
            probe.close()


async def main() -> int:
    """Parse the command line, start everything, and stop it on a signal. Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", help="the URL of a PostgreSQL database that only this server uses")
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--bus", default="auto", help="as CADOGAN_BUS: postgresql by default, or nats://host:4222")
    parser.add_argument("--port", type=int, default=8000, help="the port of the proxy")
    options = parser.parse_args()
    settings = {name: value for name, value in os.environ.items() if name.startswith("CADOGAN_")}
    for name in ("CADOGAN_DATABASE_URL", "CADOGAN_BUS", "CADOGAN_HOST", "CADOGAN_PORT", "CADOGAN_PROXIES"):
        settings.pop(name, None)
    ending = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ending.set)
    try:
        async with Topology(options.database, options.nodes, options.bus, options.port, settings) as topology:
            restarts: set[asyncio.Task[None]] = set()
            loop.add_signal_handler(
                signal.SIGHUP, lambda: restarts.add(asyncio.create_task(topology.rolling_restart()))
            )
            print(
                f"Cadogan is at {topology.url}",
                *(f"{node.name} at {node.address}" for node in topology.nodes),
                sep="\n",
            )
            sys.stdout.flush()
            await ending.wait()
    except StartFailed as problem:
        print(f"Not started: {problem}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
