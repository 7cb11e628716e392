"""When the database is away: which failures mean that, and what their asker is told."""

import sqlite3
from collections.abc import Iterator

import asyncpg
from sqlalchemy.exc import TimeoutError as PoolTimeout

from server.core.errors import Unavailable
from server.eventlog.event_store import StoreClosed

AGAIN = 1.0
"""Seconds after which one may ask again."""
_AWAY = (
    OSError,
    TimeoutError,
    PoolTimeout,
    StoreClosed,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
)
_SQLITE_AWAY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN)


def unavailable(error: BaseException) -> Unavailable | None:
    """The refusal for a failure which means that the database is away, or has no room; None for any other.

    What was asked may be written or not: sent again with the same id it gets its first answer, or is done.
    """
    if not any(_is_away(each) for each in _causes(error)):
        return None
    return Unavailable("The server's database does not answer just now: ask again in a moment.", retry_after=AGAIN)


def _is_away(error: BaseException) -> bool:
    if isinstance(error, sqlite3.OperationalError):
        return error.sqlite_errorcode & 0xFF in _SQLITE_AWAY
    return isinstance(error, _AWAY)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, what a library wrapped in it, and what that came from."""
    while error is not None:
        yield error
        wrapped = getattr(error, "orig", None)
        error = wrapped if isinstance(wrapped, BaseException) else error.__cause__
