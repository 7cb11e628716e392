"""Background tasks: work that a node does without a waiting caller. Failures are logged.

A task that fails because the database is unavailable is retried until it succeeds. Without this, a short outage of the
database could leave a race running after its end, or a leaderboard without a finished game.
"""

import asyncio
import math
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec

import structlog

from cadogan.server.eventlog.database_errors import as_unavailable

RETRY_SECONDS = 1.0
"""Seconds until a task is retried after the database was unavailable."""

WAKE_UP_SECONDS = 60.0
"""Seconds for which a node tries to read a version that another node reported. A later resync finds it otherwise."""

Arguments = ParamSpec("Arguments")

log = structlog.stdlib.get_logger("cadogan.background")


class BackgroundTasks:
    """The running tasks of one part of the server."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def start(
        self, work: Callable[Arguments, Coroutine[Any, Any, None]], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> None:
        """Start a task that awaits `work(*args, **kwargs)`, and return at once.

        `work` may run more than once, after an attempt that failed half-way.
        """
        self._start(math.inf, work, *args, **kwargs)

    def start_for(
        self,
        seconds: float,
        work: Callable[Arguments, Coroutine[Any, Any, None]],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> None:
        """Start a task as `start` does, and cancel it after `seconds`."""
        self._start(asyncio.get_running_loop().time() + seconds, work, *args, **kwargs)

    @property
    def busy(self) -> bool:
        """Whether any task has not ended yet."""
        return bool(self._tasks)

    async def wait_until_idle(self) -> None:
        """Wait until no task is left, including tasks that other tasks start."""
        while self._tasks:
            await asyncio.wait(tuple(self._tasks))

    async def close(self) -> None:
        """Wait until the current tasks end, without retries. If this is cancelled, so are the tasks."""
        self._closed = True
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start(
        self,
        until: float,
        work: Callable[Arguments, Coroutine[Any, Any, None]],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> None:
        task = asyncio.ensure_future(self._run(until, work, *args, **kwargs))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(
        self,
        until: float,
        work: Callable[Arguments, Coroutine[Any, Any, None]],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> None:
        while True:
            try:
                await work(*args, **kwargs)
                break
            except Exception as error:
                if as_unavailable(error) is None:
                    log.exception("background_task_failed", task=work.__qualname__)
                    break
                if self._closed or asyncio.get_running_loop().time() >= until:
                    break
                log.warning("background_task_retried", task=work.__qualname__, reason=type(error).__name__)
            await asyncio.sleep(RETRY_SECONDS)
