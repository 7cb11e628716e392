"""Tells alembic how to connect: with the connection that it is given, or else with `CADOGAN_DATABASE_URL`."""

import asyncio
import os

from alembic import context
from sqlalchemy import Connection

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.revisions import migration_transaction
from cadogan.server.core.database.tables import metadata


def _run(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True, transactional_ddl=True)
    with context.begin_transaction():
        context.run_migrations()


async def _connect_and_run() -> None:
    database = Database(os.environ.get("CADOGAN_DATABASE_URL", "sqlite+aiosqlite:///cadogan.db"))
    try:
        async with migration_transaction(database) as connection:
            await connection.run_sync(_run)
    finally:
        await database.close()


connection = context.config.attributes.get("connection")
if connection is None:
    asyncio.run(_connect_and_run())
else:
    _run(connection)
