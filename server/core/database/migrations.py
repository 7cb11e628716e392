"""Migrations: how to bring the tables of a database to another revision.

The migrations themselves are in `cadogan.migrations`, and alembic runs them. They import the server's tables; nothing
here imports them.
"""

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.revisions import (
    UnknownRevision,
    current_revision,
    migration_transaction,
    require_known,
)
from cadogan.server.core.version import MIGRATIONS, known_revisions


async def migrate(database: Database, revision: str = "head") -> None:
    """Bring the tables to a revision, by default the newest. Several servers may do this at the same time.

    An older revision than that of the database reverts migrations; data that only the newer tables can hold is lost.

    Raises DatabaseTooNew, DatabaseDamaged, or UnknownRevision.
    """
    async with migration_transaction(database) as connection:
        await connection.run_sync(change_revision, revision)


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Upgrade the tables to a revision, in the transaction of this connection."""
    command.upgrade(alembic_config(connection), revision)


def change_revision(connection: Connection, revision: str = "head") -> None:
    """Upgrade or downgrade the tables to a revision, in the transaction of this connection.

    Raises DatabaseTooNew, DatabaseDamaged, or UnknownRevision.
    """
    known = known_revisions()
    found = current_revision(connection)
    require_known(found)
    if revision != "head" and revision not in known:
        raise UnknownRevision(f"there is no revision {revision}: this version knows {', '.join(known)}")
    if found is not None and revision in known and known.index(revision) < known.index(found):
        command.downgrade(alembic_config(connection), revision)
    else:
        upgrade(connection, revision)


def alembic_config(connection: Connection | None = None) -> Config:
    """Return alembic's configuration, with the migrations that are installed with this package.

    Without a connection, `migrations/env.py` connects to the database of the settings.
    """
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
