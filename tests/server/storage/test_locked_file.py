"""An SQLite file that another process holds: whoever writes waits a while, is refused, and can be called off."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator

import pytest
from sqlalchemy import insert

from cadogan.server.core.database import sqlite
from cadogan.server.core.database.connections import Database, database_url
from cadogan.server.core.database.tables import deals
from cadogan.server.core.eventlog.background_tasks import as_unavailable
from cadogan.server.core.eventlog.event_store import StoreUnavailable
from cadogan.server.core.storage.sql_store import SqlStore
from tests.harness.patience import soon
from tests.harness.sample_events import append

pytestmark = pytest.mark.slow


@pytest.fixture
def holder(sqlite_url: str) -> Iterator[sqlite3.Connection]:
    """Another process that holds the file of `sqlite_url`, until it rolls back."""
    connection = sqlite3.connect(database_url(sqlite_url).database or "", isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    yield connection
    connection.close()


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patience for a single try."""
    monkeypatch.setattr(sqlite, "LOCK_TIMEOUT_SECONDS", 0.5)


async def _write(database: Database, id: str) -> None:
    async with database.writing() as connection:
        row = {"id": id, "game": "maze", "secret": "00", "commitment": "11", "created_at": 1}
        await connection.execute(insert(deals).values(row))


async def test_all_waiting_writers_are_refused_when_the_first_is(
    sqlite_url: str, holder: sqlite3.Connection, hurried: None
) -> None:
    database = Database(sqlite_url)
    writing = [_write(database, str(one)) for one in range(round(4 * soon()))]
    async with asyncio.timeout(soon()):  # one after another, half a second each, they would take twice as long
        failures = await asyncio.gather(*writing, return_exceptions=True)
    assert all(isinstance(failure, Exception) and as_unavailable(failure) for failure in failures)
    await database.close()


async def test_an_append_is_refused_too(sqlite_url: str, holder: sqlite3.Connection, hurried: None) -> None:
    database = Database(sqlite_url)
    store = SqlStore(database)
    with pytest.raises(StoreUnavailable) as refused:
        await store.append(append("game/a", 1))
    assert as_unavailable(refused.value)
    await store.close()
    await database.close()


async def test_a_waiting_writer_writes_when_the_file_is_unlocked(sqlite_url: str, holder: sqlite3.Connection) -> None:
    database = Database(sqlite_url)
    store = SqlStore(database)
    appending = asyncio.ensure_future(store.append(append("game/a", 1)))
    writing = asyncio.ensure_future(_write(database, "a"))
    _, waiting = await asyncio.wait([appending, writing], timeout=0.2)
    assert waiting == {appending, writing}
    holder.execute("ROLLBACK")
    async with asyncio.timeout(soon()):
        await asyncio.gather(appending, writing)
    assert len(await store.read("game/a")) == 1
    await store.close()
    await database.close()


async def test_a_waiting_writer_can_be_cancelled(sqlite_url: str, holder: sqlite3.Connection) -> None:
    database = Database(sqlite_url)
    writing = asyncio.ensure_future(_write(database, "a"))
    _, waiting = await asyncio.wait([writing], timeout=0.2)
    assert waiting == {writing}
    writing.cancel()
    async with asyncio.timeout(soon()):
        await asyncio.wait([writing])
    assert writing.cancelled()
    await database.close()
