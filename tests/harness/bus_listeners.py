"""Nodes that only listen on a bus, and a proxy to the bus server that can be cut."""

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from urllib.parse import urlsplit

from cadogan.server.core.cluster import choose_bus
from cadogan.server.core.cluster.bus import Bus, LocalBus
from cadogan.server.core.cluster.remote_bus import HEALTH_CHECK_INTERVAL_SECONDS, RemoteBus
from cadogan.server.core.metrics import Metrics
from tests.harness.patience import soon


class BusListener:
    """A node that only listens."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.wake_ups: list[tuple[str, int]] = []
        self.presence_messages: list[tuple[str, str]] = []
        self.gaps: list[Collection[str] | None] = []
        self._changed = asyncio.Event()
        bus.add_listener(self)

    def on_wake_up(self, name: str, version: int) -> None:
        self.wake_ups.append((name, version))
        self._changed.set()

    def on_presence(self, name: str, text: str) -> None:
        self.presence_messages.append((name, text))
        self._changed.set()

    def on_gap(self, topics: Collection[str] | None) -> None:
        self.gaps.append(topics)
        self._changed.set()

    def wake(self, name: str, version: int, topics: Collection[str] = ()) -> None:
        """Publish a wake-up to the other nodes."""
        self.bus.publish_wake_up(name, version, topics, sender=self)

    def say(self, name: str, text: str) -> None:
        """Publish presence to the other nodes."""
        self.bus.publish_presence(name, text, sender=self)

    async def wait_until(self, holds: Callable[[], bool]) -> None:
        """Wait until `holds()` is true; it is evaluated after each message."""
        async with asyncio.timeout(soon()):
            while not holds():
                self._changed.clear()
                await self._changed.wait()

    async def wait_for_wake_up(self, name: str, version: int) -> None:
        """Wait for a wake-up."""
        await self.wait_until(lambda: (name, version) in self.wake_ups)


class BusProxy:
    """A proxy to the server of a bus, which can be cut and restored."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._target = host, port
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0

    async def mend(self) -> None:
        """Accept connections and forward everything."""
        self._server = await asyncio.start_server(self._join, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def cut(self) -> None:
        """Close every connection and accept no new ones."""
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._server = None

    async def close(self) -> None:
        """Cut the proxy, if it is not cut."""
        if self._server is not None:
            await self.cut()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward in both directions until one of them ends or the proxy is cut; then close both connections."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        writers, passing = [writer], list[asyncio.Task[None]]()
        try:
            there, back = await asyncio.open_connection(self._host, self._target)
            writers.append(back)
            passing = [asyncio.create_task(self._pass(reader, back)), asyncio.create_task(self._pass(there, writer))]
            await asyncio.wait(passing, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in passing:
                one.cancel()
            for each in writers:
                each.transport.abort()
            await asyncio.gather(*passing, *(each.wait_closed() for each in writers), return_exceptions=True)
            self._tasks.discard(task)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()


class BusNodes:
    """Nodes that listen on one bus: in this process, or each over its own connection to the server at `url`."""

    def __init__(self, kind: str, url: str) -> None:
        self.kind = kind
        self.url = url
        self.metrics: dict[BusListener, Metrics] = {}
        self._local = LocalBus()
        self._proxies: list[BusProxy] = []

    async def proxy(self) -> BusProxy:
        """Return a new proxy to the server."""
        address = urlsplit(self.url)
        proxy = BusProxy(str(address.hostname), address.port or 0)
        await proxy.mend()
        self._proxies.append(proxy)
        return proxy

    def node(
        self, proxy: BusProxy | None = None, health_check_seconds: float = HEALTH_CHECK_INTERVAL_SECONDS
    ) -> BusListener:
        """Return a new listening node, connected through this proxy if one is given."""
        metrics = Metrics()
        listener = BusListener(self._bus(proxy, metrics, health_check_seconds))
        self.metrics[listener] = metrics
        listener.bus.start()
        return listener

    async def ready(
        self, proxy: BusProxy | None = None, health_check_seconds: float = HEALTH_CHECK_INTERVAL_SECONDS
    ) -> BusListener:
        """Return a new node that is connected."""
        listener = self.node(proxy, health_check_seconds)
        if self.kind != "local":
            await listener.wait_until(lambda: None in listener.gaps)
        return listener

    async def follow(self, listener: BusListener, *topics: str) -> None:
        """Subscribe the node to these topics; returns when the subscription is active."""
        for topic in topics:
            listener.bus.subscribe(topic)
        if self.kind == "nats":
            await listener.wait_until(lambda: set(topics) <= {topic for some in listener.gaps for topic in some or ()})

    async def close(self) -> None:
        """End everything."""
        for listener in self.metrics:
            await listener.bus.close()
        for proxy in self._proxies:
            await proxy.close()

    def _bus(self, proxy: BusProxy | None, metrics: Metrics, health_check_seconds: float) -> Bus:
        if self.kind == "local":
            return self._local
        url = self.url
        if proxy is not None:
            address = urlsplit(url)
            user = f"{address.username}@" if address.username else ""
            url = address._replace(netloc=f"{user}127.0.0.1:{proxy.port}").geturl()
        if self.kind == "postgresql":
            return RemoteBus(choose_bus.make_link_factory(url), metrics, health_check_seconds)
        from cadogan.server.core.cluster import nats_bus

        return RemoteBus(nats_bus.make_link_factory(url), metrics, health_check_seconds)
