"""Polling of analysis jobs: a node reads the watched jobs every second while somebody watches any.

The analysts are processes of their own, on any machine, and use only the database, so they cannot push their findings.
A node reads all its watched jobs with one query, or a few if there are many.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog

from cadogan.server.analysis.jobs import AnalysisJobs, JobState, Key

INTERVAL_SECONDS = 1.0
"""Seconds between two polls."""
MAX_AT_ONCE = 500
"""The maximum number of jobs that one query reads, because a database limits the parameters of a statement."""

log = structlog.stdlib.get_logger("cadogan.analysis")

OnChange = Callable[[str, int, JobState], Awaitable[None]]
"""Awaited with the id of the game, the version of the position, and the state of the job; called again if it fails."""


class Watching:
    """The jobs that one part of a node watches. Finished jobs are removed."""

    def __init__(self, jobs: AnalysisJobs, on_change: OnChange) -> None:
        self._jobs = jobs
        self._on_change = on_change
        self._seen: dict[Key, JobState | None] = {}
        self._looking: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()

    def watch(self, game: str, version: int) -> None:
        """Call `on_change` from now on: at the first poll if the job exists, then at every change."""
        self._seen.setdefault((game, version), None)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.ensure_future(self._keep_looking())

    def unwatch(self, game: str, version: int) -> None:
        """Stop watching this job."""
        self._seen.pop((game, version), None)

    async def look(self) -> None:
        """Poll all jobs now. Raises the driver's errors if the database does not answer."""
        keys = tuple(self._seen)
        for start in range(0, len(keys), MAX_AT_ONCE):
            for key, state in (await self._jobs.get_all(keys[start : start + MAX_AT_ONCE])).items():
                if key in self._seen and self._seen[key] != state:
                    await self._on_change(*key, state)
                    if state.state == "done":
                        self.unwatch(*key)
                    elif key in self._seen:
                        self._seen[key] = state

    async def close(self) -> None:
        """Stop polling, and wait for the last query, because a statement of SQLite must not be cancelled."""
        self._seen.clear()
        self._stopping.set()
        if self._looking is not None:
            await self._looking

    async def _keep_looking(self) -> None:
        while self._seen:
            try:
                await self.look()
            except Exception as error:
                log.warning("analysis_not_read", reason=type(error).__name__)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), INTERVAL_SECONDS)
