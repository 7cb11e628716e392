"""Which errors of a database a client is told to wait for."""

import asyncpg
import pytest

from server.core.errors import Unavailable
from server.eventlog.database_errors import as_unavailable
from server.eventlog.event_store import StoreUnavailable


@pytest.mark.parametrize(
    ("error", "is_outage"),
    [
        (asyncpg.InternalServerError("failure on connection marked as essential: two:5432"), True),
        (asyncpg.InternalServerError("server closed the connection unexpectedly"), True),
        (asyncpg.DataCorruptedError("invalid page in block 7"), False),
        (asyncpg.UniqueViolationError("duplicate key value"), False),
    ],
)
def test_a_worker_that_is_away_is_an_outage_and_damage_is_none(error: Exception, is_outage: bool) -> None:
    caused = StoreUnavailable("the log could not be written")
    caused.__cause__ = error
    assert [isinstance(as_unavailable(one), Unavailable) for one in (error, caused)] == [is_outage] * 2
