"""Resync: what this node follows is compared with the log, when wake-ups may have been lost.

Each part that follows streams asks for the versions of all of them in one question and reads only what has moved on.
A part that fails is asked again until it succeeds, and holds up no other part.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence

import structlog

RETRY_SECONDS = 1.0
"""Seconds until a question that the database did not answer is asked again."""

log = structlog.stdlib.get_logger("cadogan.resync")

Part = Callable[[Collection[str] | None], Awaitable[None]]
"""Brings one part up to date with the log, for the topics that were lost, or for everything if None."""


class Resync:
    """Brings the parts of one node up to date."""

    def __init__(self) -> None:
        self._parts: list[Part] = []
        self._topics: set[str] = set()
        self._everything = self._is_closed = False
        self._task: asyncio.Task[None] | None = None

    def add(self, *parts: Part) -> None:
        """Bring these up to date, in this order, whenever it is requested."""
        self._parts.extend(parts)

    def request(self, topics: Collection[str] | None) -> None:
        """Bring everything up to date soon that belongs to these topics, or simply everything if None."""
        if topics is None:
            self._everything = True
        else:
            self._topics.update(topics)
        if not self._is_closed and (self._task is None or self._task.done()):
            self._task = asyncio.ensure_future(self._run())

    async def wait_until_idle(self) -> None:
        """Wait until everything that was requested is up to date."""
        if self._task is not None:
            await asyncio.shield(self._task)

    async def close(self) -> None:
        """Bring nothing up to date any more."""
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
                if self._everything or self._topics:  # more was requested meanwhile: all parts are asked again
                    self._everything = self._everything or topics is None
                    self._topics.update(topics or ())
                    break
                failed = await _bring(failed, topics)


async def _bring(parts: Sequence[Part], topics: Collection[str] | None) -> list[Part]:
    """Bring parts up to date; return those that failed."""
    failed = []
    for part in parts:
        try:
            await part(topics)
        except Exception:
            log.exception("not_resynced")
            failed.append(part)
    return failed
