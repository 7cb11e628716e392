"""Which errors mean that the database is temporarily unavailable, and the refusal that the client receives."""

import sqlite3

import asyncpg
from sqlalchemy.exc import TimeoutError as PoolTimeout

from cadogan.server.core.errors import Unavailable
from cadogan.server.eventlog.event_store import StoreClosed, StreamIncomplete
from cadogan.server.eventlog.outages import causes

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
