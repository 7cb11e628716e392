"""A proxy between a client and a port of this machine, which a test can cut, silence or slow down."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import TracebackType
from urllib.parse import urlsplit


class NetworkProxy:
    """Passes bytes between its own `port` and another one of 127.0.0.1, until it is told otherwise.

    `sever` ends every connection, and new ones are made as before; `reset` takes no new one either; `silence` keeps
    them open and passes nothing on, as a cable that is pulled; `withhold_ends` passes what is said and not that the far
    side has hung up; `mend` is as before, though what was reset or held back meanwhile does not come back. While
    `deaf`, what the far side says is swallowed, as by a link that dies one way.
    """

    def __init__(self, target: int) -> None:
        self.port = 0
        self.deaf = False
        self.connections = 0
        """How many were made so far."""
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
        """Where a web server behind it is reached."""
        return f"http://127.0.0.1:{self.port}"

    def sever(self) -> None:
        """End every connection; new ones are made as before."""
        for writer in self._writers:
            writer.transport.abort()

    def reset(self) -> None:
        """End every connection, and every new one."""
        self._whole = False
        self.sever()

    def silence(self) -> None:
        """Pass nothing on, and say nothing."""
        self._flows.clear()

    def withhold_ends(self) -> None:
        """Pass on what the far side says, and not that it hangs up."""
        self._tells_ends.clear()

    async def withheld(self) -> None:
        """Wait until the far side has hung up, all that it said has been passed on, and its end has not."""
        await self._withheld.wait()

    def mend(self) -> None:
        """Let everything pass again; what is held back is dropped with its connection, as after a long cut."""
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
            pass  # nobody listens there just now
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
    """A cut before the service that a URL names, and the URL that leads through it."""
    address = urlsplit(url)
    assert address.port is not None
    user, at, _ = address.netloc.rpartition("@")
    async with NetworkProxy(address.port) as cut:
        yield cut, address._replace(netloc=f"{user}{at}127.0.0.1:{cut.port}").geturl()
