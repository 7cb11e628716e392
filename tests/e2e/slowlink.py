"""A slow and lossy way to a server: a proxy that delays every chunk, stalls some, and can cut all connections."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random

DELAY = 0.150
STALL = 0.300
LOSS = 0.05


class SlowLink:
    """Listens on a port of its own for connections to another. It is quick until it is told to be `slow`.

    What is lost on a link is sent again, so to a connection a loss is a stall: so it is here, for one chunk of twenty.
    """

    def __init__(self, port: int, seed: int) -> None:
        self._port = port
        self._random = Random(seed)
        self._pairs: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self.slow = False
        self.stalls = 0
        self.cuts = 0

    async def start(self) -> str:
        """Begins to listen; the address to go to instead of the server's."""
        self._server = await asyncio.start_server(self._join, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/"

    def cut(self) -> None:
        """Breaks every connection at once; what is on its way is lost."""
        self.cuts += 1
        for writer in list(self._pairs):
            writer.transport.abort()

    async def stop(self) -> None:
        """Ends it."""
        assert self._server is not None
        self.cut()
        self._server.close()
        await self._server.wait_closed()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._pairs |= {writer, there_writer}
        try:
            await asyncio.gather(self._carry(reader, there_writer), self._carry(there_reader, writer))
        finally:
            self._pairs -= {writer, there_writer}

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One direction: chunks leave in order, each no sooner than its delay allows."""
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            while True:
                due, chunk = await queue.get()
                await asyncio.sleep(max(0.0, due - loop.time()))
                if not chunk:
                    writer.close()
                    return
                writer.write(chunk)
                await writer.drain()

        delivery = loop.create_task(deliver())
        with suppress(ConnectionError):
            while chunk := await reader.read(65536):
                queue.put_nowait((loop.time() + self._delay(), chunk))
        queue.put_nowait((0.0, b""))
        with suppress(ConnectionError):
            await delivery

    def _delay(self) -> float:
        if not self.slow:
            return 0.0
        stalled = self._random.random() < LOSS
        self.stalls += stalled
        return DELAY + STALL * stalled
