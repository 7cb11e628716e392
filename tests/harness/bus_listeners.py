"""Those who listen to a bus in tests, and a wire to it that can be cut."""

import asyncio
from collections.abc import Callable, Collection
from urllib.parse import urlsplit

from server.cluster import postgresql_bus
from server.cluster.bus import Bus, LocalBus
from server.cluster.remote_bus import HEALTH_CHECK_INTERVAL_SECONDS, RemoteBus
from server.core.metrics import Metrics

PATIENCE = 30.0
"""Seconds after which what has not been heard never will be."""


class Ear:
    """A node that only listens."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.heard: list[tuple[str, int]] = []
        self.said: list[tuple[str, str]] = []
        self.deaf: list[Collection[str] | None] = []
        self._stirred = asyncio.Event()
        bus.add_listener(self)

    def on_wake_up(self, name: str, version: int) -> None:
        self.heard.append((name, version))
        self._stirred.set()

    def on_presence(self, name: str, text: str) -> None:
        self.said.append((name, text))
        self._stirred.set()

    def on_gap(self, topics: Collection[str] | None) -> None:
        self.deaf.append(topics)
        self._stirred.set()

    def wake(self, name: str, version: int, topics: Collection[str] = ()) -> None:
        """Wake the others."""
        self.bus.publish_wake_up(name, version, topics, sender=self)

    def say(self, name: str, text: str) -> None:
        """Say something to the others."""
        self.bus.publish_presence(name, text, sender=self)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds that listening may change."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                self._stirred.clear()
                await self._stirred.wait()

    async def hears(self, name: str, version: int) -> None:
        """Wait for a wake-up."""
        await self.until(lambda: (name, version) in self.heard)


class Wire:
    """A way to a server, which can be cut and mended."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._target = host, port
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0

    async def mend(self) -> None:
        """Let everything through."""
        self._server = await asyncio.start_server(self._join, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def cut(self) -> None:
        """End every connection, and take no more."""
        assert self._server is not None
        self._server.close()
        for writer in tuple(self._open):
            writer.transport.abort()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._server = None

    async def close(self) -> None:
        """Cut it, if it is not."""
        if self._server is not None:
            await self.cut()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(self._host, self._target)
        self._open |= {writer, back}
        for one, other in ((reader, back), (there, writer)):
            task = asyncio.ensure_future(self._pass(one, other))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            self._open.discard(writer)
            writer.close()


class Street:
    """Nodes that listen on one bus: in this process, or each over a connection of its own to the server at `url`."""

    def __init__(self, kind: str, url: str) -> None:
        self.kind = kind
        self.url = url
        self.metrics: dict[Ear, Metrics] = {}
        self._local = LocalBus()
        self._wires: list[Wire] = []

    async def wire(self) -> Wire:
        """A wire to the server, that can be cut."""
        address = urlsplit(self.url)
        wire = Wire(str(address.hostname), address.port or 0)
        await wire.mend()
        self._wires.append(wire)
        return wire

    def node(self, wire: Wire | None = None, health_check_seconds: float = HEALTH_CHECK_INTERVAL_SECONDS) -> Ear:
        """A node, beginning to listen; over this wire, if there is one."""
        metrics = Metrics()
        ear = Ear(self._bus(wire, metrics, health_check_seconds))
        self.metrics[ear] = metrics
        ear.bus.start()
        return ear

    async def ready(self, wire: Wire | None = None, health_check_seconds: float = HEALTH_CHECK_INTERVAL_SECONDS) -> Ear:
        """A node that is connected."""
        ear = self.node(wire, health_check_seconds)
        if self.kind != "local":
            await ear.until(lambda: None in ear.deaf)
        return ear

    async def follow(self, ear: Ear, *topics: str) -> None:
        """Have the node hear of these topics from now on."""
        for topic in topics:
            ear.bus.subscribe(topic)
        if self.kind == "nats":
            await ear.until(lambda: set(topics) <= {topic for some in ear.deaf for topic in some or ()})

    async def close(self) -> None:
        """End everything."""
        for ear in self.metrics:
            await ear.bus.close()
        for wire in self._wires:
            await wire.close()

    def _bus(self, wire: Wire | None, metrics: Metrics, health_check_seconds: float) -> Bus:
        if self.kind == "local":
            return self._local
        url = self.url
        if wire is not None:
            address = urlsplit(url)
            user = f"{address.username}@" if address.username else ""
            url = address._replace(netloc=f"{user}127.0.0.1:{wire.port}").geturl()
        if self.kind == "postgresql":
            return RemoteBus(postgresql_bus.make_link_factory(url), metrics, health_check_seconds)
        from server.cluster import nats_bus

        return RemoteBus(nats_bus.make_link_factory(url), metrics, health_check_seconds)
