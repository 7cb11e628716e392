"""The choice of the bus by the settings, and the bus over PostgreSQL's LISTEN and NOTIFY.

The bus over PostgreSQL's LISTEN and NOTIFY: a small deployment needs no service besides its database.

One connection listens and notifies. It needs a session of its own: a connection pooler in front of the database must
not share sessions. Each notification is sent after its commit, in a separate statement, because a NOTIFY inside the
transaction of a move would make all commits wait for each other. Every node receives every topic.
"""

from collections.abc import Collection
from typing import Any

import asyncpg
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import NullPool

from cadogan.server.core.cluster.bus import MAX_LINE_BYTES, Bus, Lines, LocalBus, pack_lines
from cadogan.server.core.cluster.remote_bus import LinesRefused, Link, LinkFactory, OnLost, OnText, RemoteBus
from cadogan.server.core.database.connections import database_url, has_several_hosts
from cadogan.server.core.database.primary import NoPrimary, Primary
from cadogan.server.core.metrics import Metrics


class BusNotInstalled(Exception):
    """The chosen bus needs a library that is not installed. The message says how to install it."""


def bus_name(kind: str) -> str:
    """Return the name of the service behind a bus of this kind, which is not local."""
    return "PostgreSQL" if kind in ("auto", "postgresql") else "NATS"


def make_bus(kind: str, database: str, metrics: Metrics, primary: Primary | None = None) -> Bus:
    """Return the chosen bus, not started yet.

    `kind` is ``auto``, ``local``, ``postgresql`` or the URL of a NATS server; `database` is the database's URL, and
    `primary` tracks which of its hosts is the primary. ``auto`` is ``local`` for an SQLite database, since one process
    owns it, and ``postgresql`` for PostgreSQL.

    Raises BusNotInstalled if NATS is chosen and nats-py is not installed.
    """
    if kind == "auto":
        kind = "local" if database_url(database).get_backend_name() == "sqlite" else "postgresql"
    if kind == "local":
        return LocalBus()
    if kind == "postgresql":
        return RemoteBus(make_link_factory(database, primary), metrics)
    try:
        from cadogan.server.core.cluster import nats_bus
    except ModuleNotFoundError:
        raise BusNotInstalled("CADOGAN_BUS: NATS needs nats-py: pip install 'cadogan[nats]'") from None
    return RemoteBus(nats_bus.make_link_factory(kind), metrics)


CHANNEL = "cadogan"
APPLICATION_NAME = "cadogan bus"
"""The connection's name in `pg_stat_activity`."""
_NOTIFY = "SELECT pg_notify($1, text) FROM unnest($2::text[]) AS text"


class PostgresqlLink:
    """A connection that listens and notifies."""

    def __init__(self, pooled: AsyncConnection, driver: asyncpg.Connection, primary: Primary | None) -> None:
        self._pooled = pooled
        self._driver = driver
        self._primary = primary

    async def update_subscriptions(self, added: Collection[str], removed: Collection[str]) -> Collection[str]:
        """Return an empty set: this link receives every topic, so no topic is new."""
        return ()

    async def send(self, lines: Lines) -> None:
        self._require_primary()
        try:
            await self._driver.execute(_NOTIFY, CHANNEL, pack_lines(lines, MAX_LINE_BYTES))
        except asyncpg.DataError as error:  # for example a character that the database's encoding lacks
            raise LinesRefused(type(error).__name__) from error

    async def ping(self) -> None:
        self._require_primary()
        await self._driver.execute("SELECT 1")

    def _require_primary(self) -> None:
        if self._primary is not None and self._primary.is_lagging(self._driver):
            raise NoPrimary("another host is the primary now")

    async def close(self) -> None:
        self._driver.terminate()  # an orderly close could wait for a server that does not answer
        await self._pooled.invalidate()
        await self._pooled.close()


def make_link_factory(url: str, primary: Primary | None = None) -> LinkFactory:
    """Return a function that connects to the PostgreSQL database at this URL.

    `primary` tracks which host is the primary, if the URL names several.
    """
    arguments: dict[str, Any] = {"server_settings": {"application_name": APPLICATION_NAME}, "timeout": 5}
    if has_several_hosts(database_url(url)):
        primary = primary or Primary()
        arguments["async_creator_fn"] = primary.connect
    engine = create_async_engine(database_url(url), poolclass=NullPool, connect_args=arguments)

    async def connect(on_text: OnText, on_lost: OnLost) -> Link:
        def receive(driver: Any, process: int, _: str, text: str) -> None:
            if process != own_process:
                on_text(text)

        pooled = await engine.connect()
        try:
            driver: asyncpg.Connection = (await pooled.get_raw_connection()).driver_connection
            own_process = driver.get_server_pid()
            driver.add_termination_listener(lambda _: on_lost())
            await driver.add_listener(CHANNEL, receive)
        except BaseException:
            await pooled.invalidate()
            await pooled.close()
            raise
        return PostgresqlLink(pooled, driver, primary)

    return connect
