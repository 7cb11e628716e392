"""Chores: what a node does besides answering. Nobody waits for them, so that their failures are for the log.

One that the database keeps from being done is tried again until it is: else a race would go on after its end, or a
board never tell of a finish, because the database was away at that moment.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec

import structlog

from server.eventlog.database_errors import unavailable

PAUSE = 1.0
"""Seconds until a chore that the database did not let happen is tried again."""

Given = ParamSpec("Given")

log = structlog.stdlib.get_logger("cadogan.chores")


class BackgroundTasks:
    """What is under way."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def begin(
        self, work: Callable[Given, Coroutine[Any, Any, None]], *given: Given.args, **named: Given.kwargs
    ) -> None:
        """Do this, in a while; it may be done in part more than once."""
        task = asyncio.ensure_future(self._do(work, *given, **named))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @property
    def busy(self) -> bool:
        """Whether anything is under way."""
        return bool(self._tasks)

    async def done(self) -> None:
        """Wait until nothing is under way."""
        while self._tasks:
            await asyncio.wait(tuple(self._tasks))

    async def close(self) -> None:
        """Let what is under way end, unless this is cancelled, and try nothing again."""
        self._closed = True
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _do(
        self, work: Callable[Given, Coroutine[Any, Any, None]], *given: Given.args, **named: Given.kwargs
    ) -> None:
        while True:
            try:
                await work(*given, **named)
                break
            except Exception as error:
                if self._closed or unavailable(error) is None:
                    log.exception("chore_failed", chore=work.__qualname__)
                    break
                log.warning("chore_waits", chore=work.__qualname__, reason=type(error).__name__)
            await asyncio.sleep(PAUSE)
