"""Migrations: the revision of a database's tables, and how to bring them to another one.

The migrations themselves are in the folder `migrations` beside the package `server`, and alembic runs them. They import
the server's tables; nothing here imports them.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.database.connections import Database

_ADVISORY_LOCK = int.from_bytes(b"cadogan", "big")
_MIGRATIONS = Path(__file__).parents[2] / "migrations"


class DatabaseNotCurrent(Exception):
    """The database's tables have another revision than this version needs. The message says what to do."""


async def migrate(database: Database, revision: str = "head") -> None:
    """Upgrade the tables to a revision, by default the newest. Several servers may do this at the same time."""
    async with migration_transaction(database) as connection:
        await connection.run_sync(upgrade, revision)


@asynccontextmanager
async def migration_transaction(database: Database) -> AsyncIterator[AsyncConnection]:
    """Give a connection in a transaction; no two transactions of this kind run at the same time.

    A new SQLite file is created so that only its owner can read it, because it will hold secrets.
    """
    if database.is_sqlite:
        await asyncio.to_thread(Path(database.url.database or "").touch, 0o600)
    async with database.writing() as connection:
        if not database.is_sqlite:
            await connection.execute(select(func.pg_advisory_xact_lock(_ADVISORY_LOCK)))
        yield connection


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Upgrade the tables to a revision, in the transaction of this connection."""
    command.upgrade(alembic_config(connection), revision)


async def require_current(database: Database) -> None:
    """Check that the database's tables have the newest revision. Raises DatabaseNotCurrent."""
    wanted = newest_revision()
    async with database.reading() as connection:
        found = await connection.run_sync(current_revision)
    if found != wanted:
        raise DatabaseNotCurrent(
            f"the database is at revision {found}, this version needs {wanted}: run `cadogan migrate`"
        )


def newest_revision() -> str | None:
    """Return the revision of the tables that this version of the server needs."""
    return ScriptDirectory.from_config(alembic_config()).get_current_head()


def current_revision(connection: Connection) -> str | None:
    """Return the revision of a database's tables, or None if it has no tables."""
    return MigrationContext.configure(connection).get_current_revision()


def alembic_config(connection: Connection | None = None) -> Config:
    """Return alembic's configuration, with the migrations that are installed with this package.

    Without a connection, `migrations/env.py` connects to the database of the settings.
    """
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
