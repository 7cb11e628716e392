"""Migrations: the revision of a database's tables, and how to bring them to another one.

The migrations themselves are in the folder `migrations` beside the package `server`, and alembic runs them. They import
the server's tables; nothing here imports them.
"""

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


class DatabaseTooNew(DatabaseNotCurrent):
    """The database's tables are those of a newer version of the server."""


class UnknownRevision(ValueError):
    """There is no such revision."""


async def migrate(database: Database, revision: str = "head") -> None:
    """Bring the tables to a revision, by default the newest. Several servers may do this at the same time.

    An older revision than that of the database undoes migrations; what only the newer tables can hold is lost.

    Raises DatabaseTooNew, or UnknownRevision.
    """
    async with migration_transaction(database) as connection:
        await connection.run_sync(change_revision, revision)


@asynccontextmanager
async def migration_transaction(database: Database) -> AsyncIterator[AsyncConnection]:
    """Give a connection in a transaction; no two transactions of this kind run at the same time."""
    async with database.writing() as connection:
        if not database.is_sqlite:
            await connection.execute(select(func.pg_advisory_xact_lock(_ADVISORY_LOCK)))
        yield connection


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Upgrade the tables to a revision, in the transaction of this connection."""
    command.upgrade(alembic_config(connection), revision)


def change_revision(connection: Connection, revision: str = "head") -> None:
    """Upgrade or downgrade the tables to a revision, in the transaction of this connection.

    Raises DatabaseTooNew, or UnknownRevision.
    """
    known = known_revisions()
    found = current_revision(connection)
    _require_known(found, known)
    if revision != "head" and revision not in known:
        raise UnknownRevision(f"there is no revision {revision}: this version knows {', '.join(known)}")
    if found is not None and revision in known and known.index(revision) < known.index(found):
        command.downgrade(alembic_config(connection), revision)
    else:
        upgrade(connection, revision)


async def require_current(database: Database) -> None:
    """Check that the database's tables have the newest revision. Raises DatabaseNotCurrent or DatabaseTooNew."""
    known = known_revisions()
    wanted = known[-1]
    async with database.reading() as connection:
        found = await connection.run_sync(current_revision)
    _require_known(found, known)
    if found != wanted:
        raise DatabaseNotCurrent(
            f"the database is at revision {found}, this version needs {wanted}: run `cadogan migrate`"
        )


def known_revisions() -> list[str]:
    """Return every revision of the tables that this version of the server knows, the oldest first."""
    return [script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()][::-1]


def _require_known(found: str | None, known: list[str]) -> None:
    if found is not None and found not in known:
        raise DatabaseTooNew(
            f"the database is at revision {found}, and this version knows only those up to {known[-1]}: "
            "a newer version has migrated it. Run that version again; or with that version "
            f"`cadogan migrate --to {known[-1]}`, and then this one; or restore a backup from before. "
            "Nothing was changed."
        )


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
