"""The topology of docker-compose.yml without containers: a migration, nodes on one PostgreSQL, a proxy before them.

    python -m deploy.topology postgresql://postgres@127.0.0.1/club
    python -m deploy.topology postgresql://postgres@127.0.0.1/club --nodes 3 --bus nats://127.0.0.1:4222 --port 8080

A node that ends is started again, as containers are. SIGHUP restarts all nodes, one after another; SIGTERM or Ctrl-C
ends everything. Where Caddy is not installed there is no proxy, and the nodes' own addresses are printed.
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
PROXY = str(Path(__file__).with_name("Caddyfile"))
READY_SECONDS = 180.0
PAUSE = 0.1
"""Seconds between two looks whether something answers, and before what ended is started again."""


class NotUp(Exception):
    """A part of the topology did not come up; the message says which."""


class Part:
    """One process, started again whenever it ends by itself. `address` is where it answers, `ready` the path asked."""

    def __init__(self, name: str, command: list[str], environment: dict[str, str], port: int, ready: str) -> None:
        self.name = name
        self.address = f"http://127.0.0.1:{port}"
        self._command = command
        self._environment = environment
        self._ready = ready
        self._process: Process | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._ended = asyncio.Event()

    @property
    def pid(self) -> int:
        """Its process's id. Raises NotUp when it does not run."""
        if self._process is None:
            raise NotUp(f"{self.name} does not run")
        return self._process.pid

    async def start(self) -> None:
        """Starts it and returns once it answers. Raises NotUp."""
        self._ended.clear()
        self._keeper = asyncio.create_task(self._keep())
        if not await asyncio.to_thread(self._answers):
            await self.stop()
            raise NotUp(f"{self.name} does not answer at {self.address}{self._ready}")

    async def stop(self) -> None:
        """Ends it as a host would, by SIGTERM, and returns when it has ended."""
        self._ended.set()
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.terminate()
        if self._keeper is not None:
            await self._keeper

    async def restart(self) -> None:
        """Ends it and starts it again. Raises NotUp."""
        await self.stop()
        await self.start()

    async def _keep(self) -> None:
        while not self._ended.is_set():
            self._process = await asyncio.create_subprocess_exec(
                *self._command, env=self._environment, stdin=DEVNULL, start_new_session=True
            )
            code = await self._process.wait()
            self._process = None
            if not self._ended.is_set():
                print(f"{self.name} ended with {code}: it is started again", file=sys.stderr, flush=True)
                await asyncio.sleep(PAUSE)

    def _answers(self) -> bool:
        deadline = time.monotonic() + READY_SECONDS
        while time.monotonic() < deadline:
            with suppress(OSError), urllib.request.urlopen(self.address + self._ready, timeout=2):
                return True
            time.sleep(PAUSE)
        return False


class Topology:
    """Some nodes on one PostgreSQL, and a proxy before them where Caddy is installed.

    `settings` are further CADOGAN_... variables of the nodes; no others of this process's environment reach them.
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
        outside = {name: value for name, value in os.environ.items() if not name.startswith("CADOGAN_")}
        own = {"CADOGAN_DATABASE_URL": database_url, "CADOGAN_BUS": bus, "CADOGAN_PROXIES": "1" if caddy else "0"}
        self._environment = {**outside, **own, **(settings or {})}
        ports = free_ports(nodes + 1)
        self.nodes = [self._node(f"node-{number}", ports[number]) for number in range(1, nodes + 1)]
        self.proxy: Part | None = None
        if caddy:
            listening = port or ports[0]
            upstreams = " ".join(node.address.removeprefix("http://") for node in self.nodes)
            around = {**outside, "CADOGAN_SITE": f"http://:{listening}", "CADOGAN_NODES": upstreams}
            command = [caddy, "run", "--config", PROXY, "--adapter", "caddyfile"]
            self.proxy = Part("proxy", command, around, listening, "/readyz")

    @property
    def url(self) -> str:
        """Where players come in: the proxy, or the first node where there is none."""
        return (self.proxy or self.nodes[0]).address

    async def roll(self) -> None:
        """Restarts all nodes, one after another, while the others serve. Raises NotUp."""
        for node in self.nodes:
            await node.restart()

    async def __aenter__(self) -> Topology:
        migration = await asyncio.create_subprocess_exec(COMMAND, "migrate", env=self._environment, stdin=DEVNULL)
        if await migration.wait():
            raise NotUp("the database could not be brought up to date")
        try:
            for part in self._parts():
                await part.start()
        except NotUp:
            await self._stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    def _node(self, name: str, port: int) -> Part:
        around = {**self._environment, "CADOGAN_HOST": "127.0.0.1", "CADOGAN_PORT": str(port)}
        return Part(name, [COMMAND, "serve"], around, port, "/readyz")

    def _parts(self) -> list[Part]:
        return [*self.nodes, *([self.proxy] if self.proxy else [])]

    async def _stop(self) -> None:
        await asyncio.gather(*(part.stop() for part in reversed(self._parts())))


def free_ports(count: int) -> list[int]:
    """So many TCP ports on 127.0.0.1 on which nobody listens at this moment."""
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
    finally:
        for probe in probes:
            probe.close()


async def main() -> int:
    """Reads the command line, starts everything, and ends it when asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", help="the URL of a PostgreSQL database of its own")
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--bus", default="auto", help="as CADOGAN_BUS: postgresql by default, or nats://host:4222")
    parser.add_argument("--port", type=int, default=8000, help="of the proxy")
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
            rolling: set[asyncio.Task[None]] = set()
            loop.add_signal_handler(signal.SIGHUP, lambda: rolling.add(asyncio.create_task(topology.roll())))
            print(
                f"Cadogan is at {topology.url}",
                *(f"{node.name} at {node.address}" for node in topology.nodes),
                sep="\n",
            )
            sys.stdout.flush()
            await ending.wait()
    except NotUp as problem:
        print(f"Not up: {problem}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
