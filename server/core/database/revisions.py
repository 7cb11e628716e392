"""Revisions: which one a database has, which ones this version knows, and how a damaged database is recognised.

Revisions: the one of a database's tables, and those that this version of the server knows.

Nothing here imports alembic, which loads as slowly as half of the server: a server whose tables are current starts
without it.
"""

import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from sqlalchemy import Connection, func, inspect, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.database.connections import Database
from cadogan.server.core.version import known_revisions

_ADVISORY_LOCK = int.from_bytes(b"cadogan", "big")
_SQLITE_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class DatabaseDamaged(Exception):
    """The database holds data that this program never writes. The message names the data and its place."""


def is_damaged_file(error: BaseException | None) -> bool:
    """Whether SQLite reports that a file is damaged, truncated, or not a database."""
    return isinstance(error, sqlite3.DatabaseError) and getattr(error, "sqlite_errorcode", 0) & 0xFF in _SQLITE_DAMAGED


class DatabaseNotCurrent(Exception):
    """The database's tables have another revision than this version needs. The message says what to do."""


class DatabaseTooNew(DatabaseNotCurrent):
    """The database's tables are those of a newer version of the server."""


class UnknownRevision(ValueError):
    """There is no such revision."""


@asynccontextmanager
async def migration_transaction(database: Database) -> AsyncIterator[AsyncConnection]:
    """Yield a connection in a transaction that changes the tables; transactions of this kind never run concurrently."""
    async with database.writing() as connection:
        if not database.is_sqlite:
            await connection.execute(select(func.pg_advisory_xact_lock(_ADVISORY_LOCK)))
        yield connection


async def require_current(database: Database) -> None:
    """Check that the database's tables have the newest revision.

    Raises DatabaseNotCurrent, DatabaseTooNew or DatabaseDamaged.
    """
    known = known_revisions()
    wanted = known[-1]
    async with database.reading() as connection:
        found = await connection.run_sync(current_revision)
    require_known(found)
    if found != wanted:
        state = "has no tables yet" if found is None else f"is at revision {found}"
        raise DatabaseNotCurrent(f"the database {state}, this version needs {wanted}: run `cadogan migrate`")


def require_known(found: str | None) -> None:
    """Check that this version of the server knows a database's revision. Raises DatabaseTooNew."""
    known = known_revisions()
    if found is not None and found not in known:
        raise DatabaseTooNew(
            f"the database is at revision {found}, and this version knows only those up to {known[-1]}: "
            "a newer version has migrated it. Run that version again; or with that version "
            f"`cadogan migrate --to {known[-1]}`, and then this one; or restore a backup from before. "
            "Nothing was changed."
        )


def current_revision(connection: Connection) -> str | None:
    """Return the revision of a database's tables, or None if it has no tables. Raises DatabaseDamaged."""
    tables = inspect(connection)
    found: Sequence[object] = ()
    if tables.has_table("alembic_version"):
        found = connection.scalars(text("SELECT version_num FROM alembic_version")).all()
    if len(found) > 1:
        raise DatabaseDamaged(f"its tables cannot be at the revisions {' and '.join(map(str, found))} at once")
    if not found and tables.has_table("events"):
        raise DatabaseDamaged("it has tables, but does not say of which revision they are")
    if found and not isinstance(found[0], str):
        raise DatabaseDamaged("the revision of its tables is no text")
    return str(found[0]) if found else None
