"""The socket between a server process and its supervisor: the messages, and the process's end of the link."""

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
"""The longest line: about a thousand metrics."""
FIGURES_SECONDS = 1.0
"""Seconds between two `Figures`. If a process is killed, the counts since its last `Figures` are lost."""
TOTAL_SECONDS = 5.0
"""The timeout of the supervisor's answer with the total metrics."""

log = structlog.stdlib.get_logger("cadogan")


class Begin(msgspec.Struct, tag="begin"):
    """To a process, as the first message: serve with these settings, on these inherited sockets.

    `number` is the number of the process, from 1.
    """

    number: int
    sockets: list[int]
    settings: Settings


class Total(msgspec.Struct, tag="total"):
    """To a process that requested it: the metrics of all processes, in Prometheus text format."""

    text: str


class Ready(msgspec.Struct, tag="ready"):
    """From a process: it accepts connections."""


class Figures(msgspec.Struct, tag="figures"):
    """From a process: its own metrics, as a heartbeat, or as a request for the `Total`."""

    families: list[Family]
    asks_total: bool = False


class SupervisorLink:
    """The link to the supervisor, after the first message. `open` creates one."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, begin: Begin) -> None:
        self.begin = begin
        """The supervisor's first message: how to serve."""
        self._reader = reader
        self._writer = writer
        self._asked: deque[asyncio.Future[str]] = deque()
        self._registry = CollectorRegistry()

    @classmethod
    async def open(cls, descriptor: int) -> Self:
        """Return the link over this inherited descriptor. Raises RuntimeError if no supervisor is connected."""
        reader, writer = await asyncio.open_unix_connection(sock=socket.socket(fileno=descriptor), limit=MAX_LINE_BYTES)
        if not (line := await reader.readline()):
            raise RuntimeError("the supervisor has not said how to begin")
        return cls(reader, writer, msgspec.json.decode(line, type=Begin))

    def ready(self, registry: CollectorRegistry) -> None:
        """Notify the supervisor that this process accepts connections; `registry` has its metrics."""
        self._registry = registry
        self._send(Ready())

    async def total(self) -> bytes:
        """Return the metrics of all processes, in Prometheus text format.

        Raises TimeoutError if the supervisor does not answer.
        """
        answer = asyncio.get_running_loop().create_future()
        self._asked.append(answer)
        self.send_figures(asks_total=True)
        async with asyncio.timeout(TOTAL_SECONDS):
            return str(await answer).encode()

    async def listen(self) -> None:
        """Handle the supervisor's answers, which come in the order of the requests; return when the link closes."""
        while line := await self._read_line():
            answer = self._asked.popleft()
            if not answer.done():
                answer.set_result(msgspec.json.decode(line, type=Total).text)

    async def give_signs_of_life(self) -> None:
        """Send this process's metrics periodically, as a heartbeat, until this task is cancelled."""
        while True:
            self.send_figures()
            await asyncio.sleep(FIGURES_SECONDS)

    def send_figures(self, asks_total: bool = False) -> None:
        """Send this process's metrics."""
        self._send(Figures(collect(self._registry), asks_total))

    async def close(self) -> None:
        """Send pending messages, and close the link."""
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
