"""A wire that can be cut: what goes through it reaches the server and comes back, until it does not."""

import asyncio
from types import TracebackType


class Cutter:
    """Passes TCP connections on to a port of this machine.

    `cut` breaks all of them at once. While `deaf`, what the server says is swallowed, as by a link that dies one way.
    """

    def __init__(self, target: int) -> None:
        self.deaf = False
        self.connections = 0
        """How many were made so far."""
        self._target = target
        self._open: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "Cutter":
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def url(self) -> str:
        """Where it listens."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def cut(self) -> None:
        """Break every connection."""
        for writer in self._open:
            writer.transport.abort()
        self._open.clear()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        self._open |= {writer, far_writer}
        ways = (self._copy(reader, far_writer, False), self._copy(far_reader, writer, True))
        for way in ways:
            task = asyncio.create_task(way)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answers: bool) -> None:
        try:
            while data := await reader.read(65536):
                if not (answers and self.deaf):
                    writer.write(data)
                    await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()
