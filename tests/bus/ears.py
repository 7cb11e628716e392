"""Those who listen to a bus in tests, and a wire to it that can be cut."""

import asyncio
import os
from collections.abc import Callable, Collection

from server.cluster.bus import Bus

PATIENCE = 30.0
"""Seconds after which what has not been heard never will be."""
NATS = os.environ.get("CADOGAN_TEST_NATS", "nats://127.0.0.1:4222")
"""The NATS server of the tests, without a subject."""


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
