"""A proxy between a client and a local port, which a test can cut, silence or slow down."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import TracebackType
from urllib.parse import urlsplit


class NetworkProxy:
    """Forwards bytes between its own `port` and another one of 127.0.0.1, until its mode is changed.

    `sever` closes every connection and accepts new ones; `reset` also closes new ones; `silence` keeps connections open
    and forwards nothing, like an unplugged cable; `withhold_ends` forwards data, but not that the far side has closed;
    `mend` restores normal forwarding, without data that was reset or held back. While `deaf`, data from the far side is
    discarded, like a link that fails in one direction.
    """

    def __init__(self, target: int) -> None:
        self.port = 0
        self.deaf = False
        self.connections = 0
        """The number of connections made so far."""
        self._target = target
        self._whole = True
        self._flows = asyncio.Event()
        self._flows.set()
        self._tells_ends = asyncio.Event()
        self._tells_ends.set()
        self._withheld = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """The URL of a web server behind the proxy."""
        return f"http://127.0.0.1:{self.port}"

    def sever(self) -> None:
        """Close every connection; new ones are accepted."""
        for writer in self._writers:
            writer.transport.abort()

    def reset(self) -> None:
        """Close every connection, and every new one."""
        self._whole = False
        self.sever()

    def silence(self) -> None:
        """Keep connections open, and forward nothing."""
        self._flows.clear()

    def withhold_ends(self) -> None:
        """Forward data from the far side, but not that it has closed."""
        self._tells_ends.clear()

    async def withheld(self) -> None:
        """Wait until the far side has closed, and its data has been forwarded, but not its close."""
        await self._withheld.wait()

    def mend(self) -> None:
        """Forward everything again; connections with held-back data are closed, as after a long cut."""
        if not self._flows.is_set():
            self.sever()
        self._whole = True
        self._flows.set()
        self._tells_ends.set()

    async def __aenter__(self) -> NetworkProxy:
        self._server = await asyncio.start_server(self._join, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.reset()
        self._flows.set()
        self._tells_ends.set()
        await asyncio.gather(*self._tasks)

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.add(writer)
        try:
            if not self._whole:
                return
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
            self._writers.add(far_writer)
            try:
                there = asyncio.ensure_future(self._pass(reader, far_writer))
                await self._pass(far_reader, writer, answers=True)
                if not self._tells_ends.is_set():
                    self._withheld.set()
                    await self._tells_ends.wait()
                there.cancel()
                await asyncio.gather(there, return_exceptions=True)
            finally:
                self._writers.discard(far_writer)
                far_writer.transport.abort()
        except OSError:
            pass  # nothing listens there now
        finally:
            self._writers.discard(writer)
            self._tasks.discard(task)
            writer.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answers: bool = False) -> None:
        try:
            while block := await reader.read(65536):
                await self._flows.wait()
                if not ((answers and self.deaf) or writer.is_closing()):
                    writer.write(block)
                    await writer.drain()
        except OSError:
            pass
        finally:
            if not answers:
                writer.transport.abort()


@asynccontextmanager
async def through_proxy(url: str) -> AsyncIterator[tuple[NetworkProxy, str]]:
    """Yield a proxy to the service that a URL names, and the URL through the proxy."""
    address = urlsplit(url)
    assert address.port is not None
    user, at, _ = address.netloc.rpartition("@")
    async with NetworkProxy(address.port) as cut:
        yield cut, address._replace(netloc=f"{user}{at}127.0.0.1:{cut.port}").geturl()
