"""The supervisor: starts the server processes, restarts those that end, and stops them together.

The first process starts alone, so that a startup error is reported once, and so that the tables are migrated and the
host key is created only once. A process that ends is restarted after a pause, which doubles until a process stays up;
after too many ends in a row, the supervisor gives up. A process that sends no heartbeat is killed.
"""

import asyncio
import os
import socket
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Awaitable, Collection, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec
import structlog

from cadogan.server.cli.serving.processes import Port, end_process
from cadogan.server.cli.serving.supervisor_link import MAX_LINE_BYTES, Begin, Figures, MetricsTotal, Ready, Total
from cadogan.server.config import Settings

SILENT_SECONDS = 60.0
"""A process that sends no heartbeat for this long is killed."""
NOT_FOR_PROCESSES = frozenset({"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"})
"""Environment variables for the supervisor only, which talks to the service manager."""

_FROM_PROCESS: msgspec.json.Decoder[Ready | Figures] = msgspec.json.Decoder(Ready | Figures)
log = structlog.stdlib.get_logger("cadogan")


class StartFailed(Exception):
    """The first process ended before it served, and has reported why."""


@dataclass(frozen=True)
class Patience:
    """Restart policy: the backoff after a process ends, and when the supervisor gives up."""

    first_pause: float = 0.5
    """Seconds until the first restart; doubled after each process that did not stay up."""
    longest_pause: float = 30.0
    stays_after: float = 60.0
    """Seconds of serving after which a process counts as stable."""
    ends: int = 10
    """After this many ends of unstable processes in a row, the supervisor gives up."""

    def pause(self, ends: int) -> float:
        """Return the pause in seconds before the restart after this many ends in a row."""
        return min(self.first_pause * 2.0 ** (ends - 1), self.longest_pause)


@dataclass(eq=False)
class _Place:
    """The slot of one process, and the process that currently has it."""

    number: int
    is_ready: asyncio.Event = field(default_factory=asyncio.Event)


class Supervisor:
    """Runs several processes that serve with the same settings on the same port."""

    def __init__(
        self,
        command: Sequence[str],
        settings: Settings,
        processes: int,
        port: Port,
        stop_seconds: float,
        patience: Patience | None = None,
    ) -> None:
        """Starts nothing yet. The number of the descriptor for the supervisor link is appended to `command`.

        A process that does not stop on request is killed after `stop_seconds`.
        """
        self._command = command
        self._settings = settings
        self._port = port
        self._stop_seconds = stop_seconds
        self._patience = patience or Patience()
        self._places = [_Place(number) for number in range(1, processes + 1)]
        self._keeping: list[asyncio.Task[None]] = []
        self._total = MetricsTotal()
        self._end: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def start(self) -> None:
        """Start all processes, and return once each of them serves.

        Raises StartFailed if the first process ends before it serves.
        """
        first, *others = self._places
        starting = asyncio.create_task(self._run(first))
        ready = asyncio.create_task(first.is_ready.wait())
        try:
            await asyncio.wait((starting, ready), return_when=asyncio.FIRST_COMPLETED)
            if not first.is_ready.is_set():
                raise StartFailed(str(await starting))
        except BaseException:
            await _end_all([starting, ready])
            raise
        self._keeping.append(asyncio.create_task(self._keep_running(first, starting)))
        self._keeping += [asyncio.create_task(self._keep_running(place)) for place in others]
        await self._wait_for([place.is_ready for place in others])

    async def wait(self) -> str:
        """Wait until the supervisor gives up; return the reason as a sentence."""
        return await asyncio.shield(self._end)

    async def stop(self) -> None:
        """Stop all processes, and return when they have ended."""
        await _end_all(self._keeping)

    async def _wait_for(self, events: Collection[asyncio.Event]) -> None:
        waiting = asyncio.gather(*(event.wait() for event in events))
        try:
            await asyncio.wait((waiting, self._end), return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
            with suppress(asyncio.CancelledError):
                await waiting

    async def _keep_running(self, place: _Place, running: Awaitable[int | str] | None = None) -> None:
        """Keep a process running in its slot, until this task is cancelled or the supervisor gives up."""
        ends = 0
        while True:
            started_at = time.monotonic()
            code = await (running or self._run(place))
            running = None
            stayed = place.is_ready.is_set() and time.monotonic() - started_at >= self._patience.stays_after
            place.is_ready.clear()
            ends = 1 if stayed else ends + 1
            if ends >= self._patience.ends:
                reason = f"process {place.number} has ended {ends} times in a row, at last with {code}"
                log.error("process_given_up", process=place.number, code=code, ends=ends)
                if not self._end.done():
                    self._end.set_result(reason)
                return
            pause = self._patience.pause(ends)
            log.warning("process_ended", process=place.number, code=code, seconds_until_restart=pause)
            await asyncio.sleep(pause)
            self._total.record_restart()

    async def _run(self, place: _Place) -> int | str:
        """Run a process and return its exit code, or why it could not be started; end it on cancellation."""
        ours, theirs = socket.socketpair()
        with closing(ours):
            try:
                process = await self._spawn(place, ours, theirs)
            except OSError as error:
                return str(error)
            log.info("process_started", process=place.number, pid=process.pid)
            reader, writer = await asyncio.open_unix_connection(sock=ours, limit=MAX_LINE_BYTES)
            try:
                await self._listen(place, reader, writer, process)
                return await process.wait()
            finally:
                self._total.drop(place.number)
                await end_process(process, self._stop_seconds)
                writer.close()
                with suppress(OSError):
                    await writer.wait_closed()

    async def _spawn(self, place: _Place, ours: socket.socket, theirs: socket.socket) -> Process:
        sockets = self._port.sockets()
        try:
            ours.sendall(_line(Begin(place.number, [each.fileno() for each in sockets], self._settings)))
            environment = {name: value for name, value in os.environ.items() if name not in NOT_FOR_PROCESSES}
            return await asyncio.create_subprocess_exec(
                *self._command,
                str(theirs.fileno()),
                env=environment,
                stdin=DEVNULL,
                pass_fds=[theirs.fileno(), *(each.fileno() for each in sockets)],
                start_new_session=True,  # Ctrl-C reaches only the supervisor, which stops its processes
            )
        finally:
            for each in (theirs, *sockets):
                each.close()

    async def _listen(
        self, place: _Place, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, process: Process
    ) -> None:
        """Handle the messages of a process until the link closes; kill it if no heartbeat arrives for too long."""
        while True:
            try:
                async with asyncio.timeout(SILENT_SECONDS if place.is_ready.is_set() else None):
                    line = await reader.readline()
            except TimeoutError:
                log.error("process_silent", process=place.number, seconds=SILENT_SECONDS)
                with suppress(ProcessLookupError):  # it may have just ended
                    process.kill()
                return
            except (OSError, ValueError):  # a connection reset, or an incomplete line
                return
            if not line:
                return
            match _FROM_PROCESS.decode(line):
                case Ready():
                    place.is_ready.set()
                case Figures(families, asks_total):
                    self._total.update(place.number, families)
                    if asks_total and not writer.is_closing():
                        writer.write(_line(Total(self._total.render(place.number))))


def _line(message: Begin | Total) -> bytes:
    return msgspec.json.encode(message) + b"\n"


async def _end_all(tasks: Collection[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
