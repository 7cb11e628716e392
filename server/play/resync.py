"""Resync: after wake-ups may have been lost, everything that this node follows is compared with the log.

Each part that follows streams reads the versions of all of them in one query, then only the events that are new. A part
that fails is retried until it succeeds, and does not delay other parts.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence

import structlog

RETRY_SECONDS = 1.0
"""Seconds until a failed resync is retried."""

log = structlog.stdlib.get_logger("cadogan.resync")

Part = Callable[[Collection[str] | None], Awaitable[None]]
"""Updates one part from the log, for the topics of lost wake-ups, or for everything if None."""


class Resync:
    """Updates the parts of one node from the log."""

    def __init__(self) -> None:
        self._parts: list[Part] = []
        self._topics: set[str] = set()
        self._everything = self._is_closed = False
        self._task: asyncio.Task[None] | None = None

    def add(self, *parts: Part) -> None:
        """Register parts, which are updated in this order on every request."""
        self._parts.extend(parts)

    def request(self, topics: Collection[str] | None) -> None:
        """Request an update of these topics, or of everything if None; it runs in the background."""
        if topics is None:
            self._everything = True
        else:
            self._topics.update(topics)
        if not self._is_closed and (self._task is None or self._task.done()):
            self._task = asyncio.ensure_future(self._run())

    async def wait_until_idle(self) -> None:
        """Wait until all requested updates are done."""
        if self._task is not None:
            await asyncio.shield(self._task)

    async def close(self) -> None:
        """Stop updating."""
        self._is_closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while self._everything or self._topics:
            topics = None if self._everything else self._topics
            self._everything, self._topics = False, set()
            failed = await _bring(self._parts, topics)
            while failed:
                await asyncio.sleep(RETRY_SECONDS)
                if self._everything or self._topics:  # more was requested meanwhile: all parts run again
                    self._everything = self._everything or topics is None
                    self._topics.update(topics or ())
                    break
                failed = await _bring(failed, topics)


async def _bring(parts: Sequence[Part], topics: Collection[str] | None) -> list[Part]:
    """Update these parts; return those that failed."""
    failed = []
    for part in parts:
        try:
            await part(topics)
        except Exception:
            log.exception("not_resynced")
            failed.append(part)
    return failed
