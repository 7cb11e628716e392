"""The processes of a load test: the servers, measured from outside, and the load generators."""

from __future__ import annotations

import asyncio
import os
import resource
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from benchmarks.load_clients import Measurements
from tests.harness.server_process import NO_RATE_LIMIT, ServerProcess
from tests.harness.several_processes import SeveralProcesses

MAX_LINE_BYTES = 1 << 28


def raise_file_limit() -> None:
    """Raise the limit of open files and sockets, for this process and its children, to the system's maximum."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))


class Nodes:
    """Servers on one database, each with one or more processes, without a proxy."""

    def __init__(
        self, database_url: str, folder: Path, count: int, serve: Sequence[str] | None = None, processes: int = 1
    ) -> None:
        command = {} if serve is None else {"serve": serve}
        self.servers = [
            _several(database_url, folder / f"node-{number}", processes)
            if processes > 1
            else ServerProcess(database_url, folder / f"node-{number}.log", NO_RATE_LIMIT, **command)
            for number in range(count)
        ]

    @property
    def ports(self) -> list[int]:
        """The port of each server."""
        return [server.port for server in self.servers]

    def kibibytes(self) -> int:
        """Return the resident memory of all servers, in KiB."""
        return sum(_resident_kibibytes(pid) for server in self.servers for pid in _with_children(server.pid))

    def cpu_seconds(self) -> float:
        """Return the processor time that the servers have used since their start, in seconds."""
        return sum(_cpu_seconds(pid) for server in self.servers for pid in _with_children(server.pid))

    async def kill_and_start(self) -> None:
        """Kill the first server with SIGKILL, and start it again."""
        self.servers[0].kill()
        await self.servers[0].start()

    async def __aenter__(self) -> Self:
        for server in self.servers:
            await server.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for server in self.servers:
            server.kill()


class LoadGenerators:
    """Processes that run one scenario together. `options` has the options of each process."""

    def __init__(self, scenario: str, ports: list[int], options: Sequence[Mapping[str, Any]]) -> None:
        self._arguments = [
            msgspec.json.encode({"scenario": scenario, "ports": ports, "options": each, "seed": number}).decode()
            for number, each in enumerate(options)
        ]
        self._processes: list[Process] = []

    async def start(self) -> None:
        """Start the processes and wait until each is ready. Raises RuntimeError if one fails."""
        for argument in self._arguments:
            self._processes.append(
                await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    "benchmarks.load_scenarios",
                    argument,
                    stdin=PIPE,
                    stdout=PIPE,
                    limit=MAX_LINE_BYTES,
                )
            )
        await self.wait_until_ready()

    async def wait_until_ready(self) -> None:
        """Wait until each process has printed another `ready`. Raises RuntimeError if one fails."""
        for process in self._processes:
            if (line := await _read_line(process)) != b"ready\n":
                raise RuntimeError(f"a load generator failed: {line!r}")

    def go_on(self) -> None:
        """Continue the processes that wait for a line of input."""
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.write(b"\n")

    async def finish(self) -> Measurements:
        """Wait until all processes have ended; return what they measured. Raises RuntimeError if one fails."""
        measurements = Measurements()
        for process in self._processes:
            line = await _read_line(process)
            if await process.wait():
                raise RuntimeError("a load generator failed")
            measurements.add(msgspec.json.decode(line, type=Measurements))
        return measurements


async def _read_line(process: Process) -> bytes:
    assert process.stdout is not None
    return await process.stdout.readline()


def _several(database_url: str, folder: Path, processes: int) -> SeveralProcesses:
    folder.mkdir()
    return SeveralProcesses(database_url, folder, processes)


def _with_children(pid: int) -> list[int]:
    """Return the ids of a process and its children."""
    return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


def _resident_kibibytes(pid: int) -> int:
    fields = Path(f"/proc/{pid}/statm").read_text().split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
