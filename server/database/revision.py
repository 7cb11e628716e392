"""Which revision of the tables a database has, and whether this version of the server can use it."""

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from server.database.connections import Database, migration_config


class DatabaseNotCurrent(Exception):
    """The database's tables are not those of this version. The message says what to do."""


async def require_current(database: Database) -> None:
    """Raises DatabaseNotCurrent unless the database has the tables of this version."""
    wanted = ScriptDirectory.from_config(migration_config()).get_current_head()
    async with database.reading() as connection:
        found = await connection.run_sync(revision_of)
    if found != wanted:
        raise DatabaseNotCurrent(
            f"the database is at revision {found}, this version needs {wanted}: run `cadogan migrate`"
        )


def revision_of(connection: Connection) -> str | None:
    """The revision of a database's tables; None where there are none."""
    return MigrationContext.configure(connection).get_current_revision()
