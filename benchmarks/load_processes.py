"""The servers under load, measured from outside, and the processes that load them."""

from __future__ import annotations

import asyncio
import os
import resource
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from benchmarks.load_clients import Notes
from tests.harness.server_process import NO_RATE_LIMIT, ServerProcess

LONGEST_LINE = 1 << 28


def open_many_files() -> None:
    """Let this process, and those it starts, have as many sockets as the system lets them."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Nodes:
    """Some servers on one database, each a process, without a proxy: what is measured is theirs."""

    def __init__(self, database_url: str, folder: Path, count: int, serve: Sequence[str] | None = None) -> None:
        command = {} if serve is None else {"serve": serve}
        self.servers = [
            ServerProcess(database_url, folder / f"node-{number}.log", NO_RATE_LIMIT, **command)
            for number in range(count)
        ]

    @property
    def ports(self) -> list[int]:
        """Where they listen."""
        return [server.port for server in self.servers]

    def kibibytes(self) -> int:
        """The memory that they hold, in KiB."""
        return sum(_resident(server.pid) for server in self.servers)

    def worked(self) -> float:
        """Seconds of processor time that they have used since they were started."""
        return sum(_worked(server.pid) for server in self.servers)

    async def kill_and_start(self) -> None:
        """End the first as a power cut would, and start it again."""
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


class Cast:
    """The processes that play one scene at once, each a part of it; `asked` is the options of each."""

    def __init__(self, scene: str, ports: list[int], asked: Sequence[dict[str, Any]]) -> None:
        self._asked = [
            msgspec.json.encode({"scene": scene, "ports": ports, "options": options, "seed": number}).decode()
            for number, options in enumerate(asked)
        ]
        self._processes: list[Process] = []

    async def start(self) -> None:
        """Return when everybody is there. Raises RuntimeError when a process fails."""
        for asked in self._asked:
            self._processes.append(
                await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    "benchmarks.load_scenarios",
                    asked,
                    stdin=PIPE,
                    stdout=PIPE,
                    limit=LONGEST_LINE,
                )
            )
        await self.opened()

    async def opened(self) -> None:
        """Return when each has said so once more. Raises RuntimeError when one fails."""
        for process in self._processes:
            if (line := await _line(process)) != b"open\n":
                raise RuntimeError(f"a process of the scene failed: {line!r}")

    def go_on(self) -> None:
        """Let those who wait go on."""
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.write(b"\n")

    async def end(self) -> Notes:
        """What all of them noted, once they have ended. Raises RuntimeError when one fails."""
        notes = Notes()
        for process in self._processes:
            line = await _line(process)
            if await process.wait():
                raise RuntimeError("a process of the scene failed")
            notes.add(msgspec.json.decode(line, type=Notes))
        return notes


async def _line(process: Process) -> bytes:
    assert process.stdout is not None
    return await process.stdout.readline()


def _resident(pid: int) -> int:
    fields = Path(f"/proc/{pid}/statm").read_text().split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def _worked(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
