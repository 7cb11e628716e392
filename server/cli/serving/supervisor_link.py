"""The way from a process that serves to its supervisor."""

import asyncio
import socket
from itertools import count
from typing import Self

import structlog
from prometheus_client import CollectorRegistry

from cadogan.server.cli.serving.messages import (
    MAX_LINE_BYTES,
    AskFigures,
    AskTotal,
    Begin,
    Figures,
    FromProcess,
    Ready,
    Total,
    decode_for_process,
    encode,
)
from cadogan.server.cli.serving.metrics_total import collect

SIGN_OF_LIFE_SECONDS = 5.0
"""Seconds between two signs of life. Of a process that is killed, what it has counted since the last is lost."""
TOTAL_SECONDS = 5.0
"""Seconds in which the supervisor has to answer with the metrics of all processes."""

log = structlog.stdlib.get_logger("cadogan")


class SupervisorLink:
    """The way to the supervisor, for a process that has been told how to begin. `open` makes one."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, begin: Begin) -> None:
        self.begin = begin
        """How to serve."""
        self._reader = reader
        self._writer = writer
        self._requests = count(1)
        self._waiting: dict[int, asyncio.Future[str]] = {}
        self._registry = CollectorRegistry()

    @classmethod
    async def open(cls, descriptor: int) -> Self:
        """Return the link over this inherited descriptor. Raises RuntimeError if no supervisor is there."""
        reader, writer = await asyncio.open_unix_connection(sock=socket.socket(fileno=descriptor), limit=MAX_LINE_BYTES)
        line = await reader.readline()
        begin = decode_for_process(line) if line else None
        if not isinstance(begin, Begin):
            raise RuntimeError("the supervisor has not said how to begin")
        return cls(reader, writer, begin)

    def ready(self, registry: CollectorRegistry) -> None:
        """Tell the supervisor that this process accepts connections; `registry` has its metrics."""
        self._registry = registry
        self._send(Ready())

    async def total(self) -> bytes:
        """Return the metrics of all processes, in the text format of Prometheus.

        Raises TimeoutError if the supervisor does not answer.
        """
        request = next(self._requests)
        self._waiting[request] = asyncio.get_running_loop().create_future()
        self._send(AskTotal(request, collect(self._registry)))
        try:
            async with asyncio.timeout(TOTAL_SECONDS):
                return (await self._waiting[request]).encode()
        finally:
            del self._waiting[request]

    async def listen(self) -> None:
        """Answer the supervisor, and return when it has gone."""
        while line := await self._read_line():
            match decode_for_process(line):
                case AskFigures(request):
                    self._send(Figures(collect(self._registry), request))
                case Total(request, text):
                    if request in self._waiting and not self._waiting[request].done():
                        self._waiting[request].set_result(text)

    async def give_signs_of_life(self) -> None:
        """Send this process's metrics every few seconds, until this task is cancelled."""
        while True:
            self.send_figures()
            await asyncio.sleep(SIGN_OF_LIFE_SECONDS)

    def send_figures(self) -> None:
        """Send this process's metrics."""
        self._send(Figures(collect(self._registry)))

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

    def _send(self, message: FromProcess) -> None:
        if not self._writer.is_closing():
            self._writer.write(encode(message))
