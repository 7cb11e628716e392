"""Which errors of a database a client is told to wait for."""

import sqlite3

import asyncpg
import pytest

from cadogan.server.core.errors import Unavailable
from cadogan.server.core.eventlog.background_tasks import as_unavailable
from cadogan.server.core.eventlog.event_store import StoreUnavailable


def sqlite_error(code: int) -> sqlite3.OperationalError:
    """An error of SQLite with this code, as the driver raises it."""
    error = sqlite3.OperationalError("as SQLite words it")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("error", "is_outage"),
    [
        (asyncpg.InternalServerError("failure on connection marked as essential: two:5432"), True),
        (asyncpg.InternalServerError("server closed the connection unexpectedly"), True),
        (asyncpg.DataCorruptedError("invalid page in block 7"), False),
        (asyncpg.UniqueViolationError("duplicate key value"), False),
        (sqlite_error(sqlite3.SQLITE_BUSY_SNAPSHOT), True),
        (sqlite_error(sqlite3.SQLITE_FULL), True),
        (sqlite_error(sqlite3.SQLITE_ERROR), False),
    ],
)
def test_what_cannot_be_reached_or_is_full_is_an_outage_and_damage_is_none(error: Exception, is_outage: bool) -> None:
    caused = StoreUnavailable("the log could not be written")
    caused.__cause__ = error
    assert [isinstance(as_unavailable(one), Unavailable) for one in (error, caused)] == [is_outage] * 2
