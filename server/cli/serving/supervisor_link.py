"""The socket between a process that serves and its supervisor: the messages, and the end of it in the process."""

import asyncio
import socket
from collections import deque
from typing import Self

import msgspec
import structlog
from prometheus_client import CollectorRegistry

from cadogan.server.cli.serving.metrics_total import Family, collect
from cadogan.server.config import Settings

MAX_LINE_BYTES = 1 << 24
"""Bytes of the longest line: some thousand figures."""
FIGURES_SECONDS = 1.0
"""Seconds between two `Figures`. Of a process that is killed, what it has counted since the last ones is lost."""
TOTAL_SECONDS = 5.0
"""Seconds in which the supervisor has to answer with the metrics of all processes."""

log = structlog.stdlib.get_logger("cadogan")


class Begin(msgspec.Struct, tag="begin"):
    """To a process, first of all: serve with these settings, on these sockets, which it has inherited.

    `number` is that of the process, from 1.
    """

    number: int
    sockets: list[int]
    settings: Settings


class Total(msgspec.Struct, tag="total"):
    """To a process that has asked: the metrics of all processes, in the text format of Prometheus."""

    text: str


class Ready(msgspec.Struct, tag="ready"):
    """From a process: it accepts connections."""


class Figures(msgspec.Struct, tag="figures"):
    """From a process: its own metrics, as a sign of life, or to be answered with the `Total`."""

    families: list[Family]
    asks_total: bool = False


class SupervisorLink:
    """The way to the supervisor, for a process that has been told how to begin. `open` makes one."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, begin: Begin) -> None:
        self.begin = begin
        """How to serve."""
        self._reader = reader
        self._writer = writer
        self._asked: deque[asyncio.Future[str]] = deque()
        self._registry = CollectorRegistry()

    @classmethod
    async def open(cls, descriptor: int) -> Self:
        """Return the link over this inherited descriptor. Raises RuntimeError if no supervisor is there."""
        reader, writer = await asyncio.open_unix_connection(sock=socket.socket(fileno=descriptor), limit=MAX_LINE_BYTES)
        if not (line := await reader.readline()):
            raise RuntimeError("the supervisor has not said how to begin")
        return cls(reader, writer, msgspec.json.decode(line, type=Begin))

    def ready(self, registry: CollectorRegistry) -> None:
        """Tell the supervisor that this process accepts connections; `registry` has its metrics."""
        self._registry = registry
        self._send(Ready())

    async def total(self) -> bytes:
        """Return the metrics of all processes, in the text format of Prometheus.

        Raises TimeoutError if the supervisor does not answer.
        """
        answer = asyncio.get_running_loop().create_future()
        self._asked.append(answer)
        self.send_figures(asks_total=True)
        async with asyncio.timeout(TOTAL_SECONDS):
            return str(await answer).encode()

    async def listen(self) -> None:
        """Take the answers of the supervisor, which come in the order of the requests; return when it has gone."""
        while line := await self._read_line():
            answer = self._asked.popleft()
            if not answer.done():
                answer.set_result(msgspec.json.decode(line, type=Total).text)

    async def give_signs_of_life(self) -> None:
        """Send this process's metrics again and again, until this task is cancelled."""
        while True:
            self.send_figures()
            await asyncio.sleep(FIGURES_SECONDS)

    def send_figures(self, asks_total: bool = False) -> None:
        """Send this process's metrics."""
        self._send(Figures(collect(self._registry), asks_total))

    async def close(self) -> None:
        """Send what waits, and leave."""
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except OSError:
            log.debug("supervisor_gone")

    async def _read_line(self) -> bytes:
        try:
            return await self._reader.readline()
        except OSError:
            return b""

    def _send(self, message: Ready | Figures) -> None:
        if not self._writer.is_closing():
            self._writer.write(msgspec.json.encode(message) + b"\n")
