"""Background tasks, and which errors mean that the database cannot do its work just now.

A background task is work that a node does without a waiting caller. Failures are logged.

A task that fails because the database is unavailable is retried until it succeeds. Without this, a short outage of the
database could leave a race running after its end, or a leaderboard without a finished game.
"""

import asyncio
import math
import sqlite3
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, ParamSpec

import asyncpg
import structlog
from sqlalchemy.exc import TimeoutError as PoolTimeout

from cadogan.server.core.errors import Unavailable
from cadogan.server.core.eventlog.event_store import StoreClosed, StreamIncomplete
from cadogan.wire.printable import printable

log = structlog.stdlib.get_logger("cadogan.background")
outages_log = structlog.stdlib.get_logger("cadogan.database")
RETRY_SECONDS = 1.0
"""Seconds until a task is retried after the database was unavailable."""
WAKE_UP_SECONDS = 60.0
"""Seconds for which a node tries to read a version that another node reported. A later resync finds it otherwise."""
Arguments = ParamSpec("Arguments")


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


class BackgroundPart:
    """A part of the server with background tasks, for which its hooks `wait_until_idle` and `close` wait."""

    def __init__(self) -> None:
        self.background = BackgroundTasks()

    async def wait_until_idle(self) -> None:
        """Wait until no background task is left."""
        await self.background.wait_until_idle()

    async def close(self) -> None:
        """Wait for the running tasks to end."""
        await self.background.close()


RETRY_AFTER_SECONDS = 1.0
"""Seconds after which a client should retry."""
_UNREACHABLE = (
    OSError,
    TimeoutError,
    PoolTimeout,
    StoreClosed,
    StreamIncomplete,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.TransactionRollbackError,
)
_SQLITE_UNREACHABLE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN)


def as_unavailable(error: BaseException) -> Unavailable | None:
    """Return the refusal for an error that means that the database is temporarily unavailable, else None.

    It cannot be reached, it is full, a stream is incomplete, or it aborted a transaction (deadlock, serialization).

    The request may have been executed or not. A client that sends it again with the same id gets its first answer.
    """
    if not any(_is_unreachable(each) for each in causes(error)):
        return None
    return Unavailable(
        "The server's database does not answer right now: try again in a moment.", retry_after=RETRY_AFTER_SECONDS
    )


def is_no_answer(error: BaseException) -> bool:
    """Return whether an error is a timeout of the database."""
    return any(isinstance(each, TimeoutError) for each in causes(error))


def _is_unreachable(error: BaseException) -> bool:
    if isinstance(error, sqlite3.OperationalError):
        return error.sqlite_errorcode & 0xFF in _SQLITE_UNREACHABLE
    if type(error) is asyncpg.InternalServerError:  # not a subclass: those mean damage
        return True  # extensions report failed connections to other machines with this code
    return isinstance(error, _UNREACHABLE)


INTERVAL_SECONDS = 60.0
"""The same message is logged once per this many seconds."""
MAX_WORDS = 300
"""Maximum number of characters of a message that are logged."""


class OutageLog:
    """Logs database errors, each message once a minute; repetitions are counted."""

    def __init__(self) -> None:
        self._logged_at: dict[str, float] = {}
        self._left_out = 0

    def log(self, error: BaseException) -> None:
        """Log an error as `database_unavailable`, unless the same message was logged less than a minute ago."""
        words, now = describe_cause(error), time.monotonic()
        if now - self._logged_at.get(words, -math.inf) < INTERVAL_SECONDS:
            self._left_out += 1
            return
        recent = {each: at for each, at in self._logged_at.items() if now - at < INTERVAL_SECONDS}
        self._logged_at = {**recent, words: now}
        outages_log.error("database_unavailable", reason=words, left_out=self._left_out)
        self._left_out = 0


def describe_cause(error: BaseException) -> str:
    """Return the driver's message of an error, on one line: that of its root cause, which has the reason."""
    *_, first = causes(error)
    text = printable(str(first)).strip() or "no answer came in time"
    return f"{type(first).__name__}: {text}"[:MAX_WORDS]


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Iterate over the error, the driver's error that SQLAlchemy has wrapped in it, and their causes."""
    while error is not None:
        yield error
        wrapped = getattr(error, "orig", None)
        error = wrapped if isinstance(wrapped, BaseException) else error.__cause__
