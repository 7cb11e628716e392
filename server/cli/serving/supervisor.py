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
class RestartPolicy:
    """Restart policy: the backoff after a process ends, and when the supervisor gives up."""

    first_pause_seconds: float = 0.5
    """Seconds until the first restart; doubled after each process that did not stay up."""
    max_pause_seconds: float = 30.0
    stable_after_seconds: float = 60.0
    """Seconds of serving after which a process counts as stable."""
    max_failures: int = 10
    """After this many ends of unstable processes in a row, the supervisor gives up."""

    def pause(self, ends: int) -> float:
        """Return the pause in seconds before the restart after this many ends in a row."""
        return min(self.first_pause_seconds * 2.0 ** (ends - 1), self.max_pause_seconds)


@dataclass(eq=False)
class _Slot:
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
        restart_policy: RestartPolicy | None = None,
    ) -> None:
        """Starts nothing yet. The number of the descriptor for the supervisor link is appended to `command`.

        A process that does not stop on request is killed after `stop_seconds`.
        """
        self._command = command
        self._settings = settings
        self._port = port
        self._stop_seconds = stop_seconds
        self._restart_policy = restart_policy or RestartPolicy()
        self._slots = [_Slot(number) for number in range(1, processes + 1)]
        self._tasks: list[asyncio.Task[None]] = []
        self._total = MetricsTotal()
        self._end: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def start(self) -> None:
        """Start all processes, and return once each of them serves.

        Raises StartFailed if the first process ends before it serves.
        """
        first, *others = self._slots
        starting = asyncio.create_task(self._run(first))
        ready = asyncio.create_task(first.is_ready.wait())
        try:
            await asyncio.wait((starting, ready), return_when=asyncio.FIRST_COMPLETED)
            if not first.is_ready.is_set():
                raise StartFailed(str(await starting))
        except BaseException:
            await _end_all([starting, ready])
            raise
        self._tasks.append(asyncio.create_task(self._keep_running(first, starting)))
        self._tasks += [asyncio.create_task(self._keep_running(slot)) for slot in others]
        await self._wait_for([slot.is_ready for slot in others])

    async def wait(self) -> str:
        """Wait until the supervisor gives up; return the reason as a sentence."""
        return await asyncio.shield(self._end)

    async def stop(self) -> None:
        """Stop all processes, and return when they have ended."""
        await _end_all(self._tasks)

    async def _wait_for(self, events: Collection[asyncio.Event]) -> None:
        waiting = asyncio.gather(*(event.wait() for event in events))
        try:
            await asyncio.wait((waiting, self._end), return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
            with suppress(asyncio.CancelledError):
                await waiting

    async def _keep_running(self, slot: _Slot, running: Awaitable[int | str] | None = None) -> None:
        """Keep a process running in its slot, until this task is cancelled or the supervisor gives up."""
        ends = 0
        while True:
            started_at = time.monotonic()
            code = await (running or self._run(slot))
            running = None
            served_seconds = time.monotonic() - started_at
            is_stable = slot.is_ready.is_set() and served_seconds >= self._restart_policy.stable_after_seconds
            slot.is_ready.clear()
            ends = 1 if is_stable else ends + 1
            if ends >= self._restart_policy.max_failures:
                reason = f"process {slot.number} has ended {ends} times in a row, at last with {code}"
                log.error("process_given_up", process=slot.number, code=code, ends=ends)
                if not self._end.done():
                    self._end.set_result(reason)
                return
            pause = self._restart_policy.pause(ends)
            log.warning("process_ended", process=slot.number, code=code, seconds_until_restart=pause)
            await asyncio.sleep(pause)
            self._total.record_restart()

    async def _run(self, slot: _Slot) -> int | str:
        """Run a process and return its exit code, or why it could not be started; end it on cancellation."""
        ours, theirs = socket.socketpair()
        with closing(ours):
            try:
                process = await self._spawn(slot, ours, theirs)
            except OSError as error:
                return str(error)
            log.info("process_started", process=slot.number, pid=process.pid)
            reader, writer = await asyncio.open_unix_connection(sock=ours, limit=MAX_LINE_BYTES)
            try:
                await self._listen(slot, reader, writer, process)
                return await process.wait()
            finally:
                self._total.drop(slot.number)
                await end_process(process, self._stop_seconds)
                writer.close()
                with suppress(OSError):
                    await writer.wait_closed()

    async def _spawn(self, slot: _Slot, ours: socket.socket, theirs: socket.socket) -> Process:
        sockets = self._port.sockets()
        try:
            ours.sendall(_line(Begin(slot.number, [each.fileno() for each in sockets], self._settings)))
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
        self, slot: _Slot, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, process: Process
    ) -> None:
        """Handle the messages of a process until the link closes; kill it if no heartbeat arrives for too long."""
        while True:
            try:
                async with asyncio.timeout(SILENT_SECONDS if slot.is_ready.is_set() else None):
                    line = await reader.readline()
            except TimeoutError:
                log.error("process_silent", process=slot.number, seconds=SILENT_SECONDS)
                with suppress(ProcessLookupError):  # it may have just ended
                    process.kill()
                return
            except (OSError, ValueError):  # a connection reset, or an incomplete line
                return
            if not line:
                return
            match _FROM_PROCESS.decode(line):
                case Ready():
                    slot.is_ready.set()
                case Figures(families, asks_total):
                    self._total.update(slot.number, families)
                    if asks_total and not writer.is_closing():
                        writer.write(_line(Total(self._total.render(slot.number))))


def _line(message: Begin | Total) -> bytes:
    return msgspec.json.encode(message) + b"\n"


async def _end_all(tasks: Collection[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
