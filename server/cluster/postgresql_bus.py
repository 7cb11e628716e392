"""The bus over PostgreSQL's LISTEN and NOTIFY: the database is the only service that a small deployment needs.

One connection listens and notifies. It needs a session to itself: a pooler before the database must not share sessions.
Each notification is sent after the commit of what it tells of, in a statement of its own: a NOTIFY inside the
transaction of a move would make all commits wait for each other. Every node hears of everything.
"""

from collections.abc import Collection
from typing import Any

import asyncpg
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import NullPool

from server.cluster.remote_bus import Connect, Heard, Lines, Link, Lost, payloads
from server.database.connections import database_url

CHANNEL = "cadogan"
APPLICATION = "cadogan bus"
"""What the connection is called in `pg_stat_activity`."""
LARGEST = 7_900
"""Bytes in one notification; PostgreSQL takes fewer than 8,000."""

_NOTIFY = "SELECT pg_notify($1, text) FROM unnest($2::text[]) AS text"


class PostgresqlLink:
    """A connection that listens."""

    def __init__(self, pooled: AsyncConnection, driver: asyncpg.Connection) -> None:
        self._pooled = pooled
        self._driver = driver

    async def subscribe(self, joined: Collection[str], left: Collection[str]) -> Collection[str]:
        """Whatever is joined, it was heard of before."""
        return ()

    async def send(self, lines: Lines) -> None:
        await self._driver.execute(_NOTIFY, CHANNEL, payloads(lines, LARGEST))

    async def ping(self) -> None:
        await self._driver.execute("SELECT 1")

    async def close(self) -> None:
        self._driver.terminate()  # it holds nothing, and a farewell may go unheard
        await self._pooled.invalidate()
        await self._pooled.close()


def links(url: str) -> Connect:
    """What makes links to the PostgreSQL database at this URL."""
    settings = {"application_name": APPLICATION}
    engine = create_async_engine(
        database_url(url), poolclass=NullPool, connect_args={"server_settings": settings, "timeout": 5}
    )

    async def connect(heard: Heard, lost: Lost) -> Link:
        def notified(driver: Any, process: int, _: str, text: str) -> None:
            if process != own:
                heard(text)

        pooled = await engine.connect()
        try:
            driver: asyncpg.Connection = (await pooled.get_raw_connection()).driver_connection
            own = driver.get_server_pid()
            driver.add_termination_listener(lambda _: lost())
            await driver.add_listener(CHANNEL, notified)
        except BaseException:
            await pooled.invalidate()
            await pooled.close()
            raise
        return PostgresqlLink(pooled, driver)

    return connect
