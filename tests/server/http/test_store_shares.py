"""Requests that hold the database for long hold up their own address, and nobody else."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest
from sqlalchemy import Engine, event

from cadogan.server.config import Settings
from cadogan.server.core.database.connections import USES_OF_AN_ADDRESS, Database
from tests.harness.patience import soon
from tests.harness.running_server import RunningServer, open_server

pytestmark = pytest.mark.both_databases
SLOW_AT_ONCE = 50
READ_BY_SLOW = "contests"
"""The table that the list of evenings is read from."""


@pytest.fixture
async def proxied(database_url: str) -> AsyncIterator[RunningServer]:
    """A server with the default limits, behind a proxy."""
    async with open_server(Settings(database_url=database_url, proxies=1)) as one:
        yield one


class Gate:
    """Holds what reads `READ_BY_SLOW` on the threads of SQLite until it is opened."""

    def __init__(self, readers: int) -> None:
        self._open, self._readers, self._loop = threading.Event(), readers, asyncio.get_running_loop()
        self._waiting = 0
        self._all_wait = asyncio.Event()

    def __call__(self, connection: object, cursor: object, statement: str, *_: object) -> None:
        """Wait if the statement reads the table."""
        if READ_BY_SLOW in statement and threading.current_thread() is not threading.main_thread():
            self._waiting += 1
            if self._waiting >= self._readers:
                self._loop.call_soon_threadsafe(self._all_wait.set)
            self._open.wait()

    async def until_they_wait(self) -> None:
        """Wait until so many readers wait."""
        await self._all_wait.wait()

    async def open(self) -> None:
        """Hold no reader any more."""
        self._open.set()

    @asynccontextmanager
    async def closed(self) -> AsyncIterator[None]:
        """Hold readers until it is opened; at the end of the context none may be reading."""
        event.listen(Engine, "before_cursor_execute", self)
        try:
            yield
        finally:
            self._open.set()
            event.remove(Engine, "before_cursor_execute", self)


class TableLock:
    """Holds what reads `READ_BY_SLOW` in PostgreSQL, by a lock on the table."""

    def __init__(self, database: Database, readers: int) -> None:
        self._url = database.url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._readers = readers
        self._connection: asyncpg.Connection

    async def until_they_wait(self) -> None:
        """Wait until so many readers wait."""
        waiting = f"SELECT count(*) FROM pg_locks WHERE relation = '{READ_BY_SLOW}'::regclass AND NOT granted"
        while await self._connection.fetchval(waiting) < self._readers:
            pass

    async def open(self) -> None:
        """Hold no reader any more."""
        await self._connection.execute("ROLLBACK")

    @asynccontextmanager
    async def closed(self) -> AsyncIterator[None]:
        """Hold readers until it is opened."""
        self._connection = await asyncpg.connect(self._url)
        try:
            await self._connection.execute(f"BEGIN; LOCK TABLE {READ_BY_SLOW} IN ACCESS EXCLUSIVE MODE")
            yield
        finally:
            await self._connection.close()


async def test_fifty_slow_requests_of_an_address_at_once_leave_the_requests_of_others_alone(
    proxied: RunningServer,
) -> None:
    database = proxied.server.database
    addresses = ["192.0.2.1"] if database.is_sqlite else ["192.0.2.1", "192.0.2.2"]

    async def ask(path: str, address: str) -> int:
        headers = {"X-Forwarded-For": address}
        async with proxied.session.get(f"{proxied.url}/api/v1{path}", headers=headers) as answer:
            await answer.read()
            return answer.status

    assert await ask("/house/entry", "192.0.2.9") == 200
    readers = USES_OF_AN_ADDRESS[database.url.get_backend_name()] * len(addresses)
    gate = Gate(readers) if database.is_sqlite else TableLock(database, readers)
    async with asyncio.timeout(soon()), gate.closed():
        slow = [asyncio.create_task(ask("/evenings", one)) for one in addresses for _ in range(SLOW_AT_ONCE)]
        await gate.until_they_wait()
        assert await ask("/house/entry", "192.0.2.9") == 200
        await gate.open()
        statuses = {*await asyncio.gather(*slow)}
        assert 200 in statuses
        assert statuses <= {200, 429, 503}  # on a slow machine they are charged much, or a statement takes too long
