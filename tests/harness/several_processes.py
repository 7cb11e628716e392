"""A server of several processes, observed from outside: by its log and its responses."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import aiohttp

from tests.harness.http_client import FOR_METRICS, METRICS_TOKEN
from tests.harness.patience import long
from tests.harness.server_process import NO_RATE_LIMIT, ServerProcess


class SeveralProcesses(ServerProcess):
    """A server whose processes share one port. It has started when each of them serves."""

    def __init__(
        self, database_url: str, folder: Path, processes: int = 2, settings: Mapping[str, str] | None = None
    ) -> None:
        own = {
            "CADOGAN_PROCESSES": str(processes),
            "CADOGAN_LOG_FORMAT": "json",
            "CADOGAN_METRICS_TOKEN": METRICS_TOKEN,
            "CADOGAN_KEY_FILE": str(folder / "cadogan.key"),
        }
        super().__init__(database_url, folder / "log", {**NO_RATE_LIMIT, **own, **(settings or {})})
        self._processes = processes

    async def start(self) -> None:
        """Start the server and return when all its processes serve. Raises RuntimeError like `ServerProcess.start`."""
        served = len(self.logged("serving", processes=self._processes))
        await super().start()
        await self.wait_for("serving", served + 1, processes=self._processes)

    def logged(self, event: str, **keys: Any) -> list[dict[str, Any]]:
        """Return the log lines of this event with these keys."""
        if not self.log.exists():
            return []
        lines = [json.loads(line) for line in self.log.read_text().splitlines(keepends=True) if line.endswith("}\n")]
        return [line for line in lines if line["event"] == event and keys.items() <= line.items()]

    async def wait_for(self, event: str, count: int = 1, **keys: Any) -> None:
        """Wait until the log has this many lines of this event with these keys."""
        async with asyncio.timeout(long()):
            while len(self.logged(event, **keys)) < count:  # noqa: ASYNC110  # the file tells nobody that it has grown
                await asyncio.sleep(0.01)

    def pid_of(self, process: int) -> int:
        """Return the latest process id of the process with this number."""
        return int(self.logged("process_started", process=process)[-1]["pid"])

    def pids(self) -> list[int]:
        """Return the ids of all processes that were started."""
        return [int(line["pid"]) for line in self.logged("process_started")]

    async def figures(self) -> dict[str, float]:
        """Return all metrics, as a scraper receives them, by name and labels."""
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"{self.url}/metrics", headers=FOR_METRICS) as answer,
        ):
            lines = [line for line in (await answer.text()).splitlines() if not line.startswith("#")]
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}

    async def figures_when(self, is_there: Callable[[dict[str, float]], bool]) -> dict[str, float]:
        """Return all metrics, once `is_there` holds: processes report to the supervisor with a delay."""
        async with asyncio.timeout(long()):
            while not is_there(found := await self.figures()):  # noqa: ASYNC110  # they come once a second
                await asyncio.sleep(0.1)
        return found


def is_alive(pid: int) -> bool:
    """Return whether a process with this id runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
