"""A way over the network that a test can cut: a proxy between a client and a port of this machine."""

from __future__ import annotations

import asyncio
from types import TracebackType


class Cut:
    """Passes bytes between its own `port` and another one of 127.0.0.1, until it is told otherwise.

    `reset` ends every connection and takes no new one; `silence` keeps them open and passes nothing on, as a cable
    that is pulled; `mend` is as before, though what was reset or held back meanwhile does not come back.
    """

    def __init__(self, target: int) -> None:
        self.port = 0
        self._target = target
        self._whole = True
        self._flows = asyncio.Event()
        self._flows.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def reset(self) -> None:
        """End every connection, and every new one."""
        self._whole = False
        for writer in self._writers:
            writer.transport.abort()

    def silence(self) -> None:
        """Pass nothing on, and say nothing."""
        self._flows.clear()

    def mend(self) -> None:
        """Let everything pass again; what is held back is dropped with its connection, as after a long cut."""
        if not self._flows.is_set():
            for writer in self._writers:
                writer.transport.abort()
        self._whole = True
        self._flows.set()

    async def __aenter__(self) -> Cut:
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
        await asyncio.gather(*self._tasks)

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
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
                await self._pass(far_reader, writer)
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

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while block := await reader.read(65536):
                await self._flows.wait()
                writer.write(block)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.transport.abort()
