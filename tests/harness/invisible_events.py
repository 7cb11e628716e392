"""Events that are not yet visible, as in a distributed database while a commit is in progress."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import text

from cadogan.server.core.database.connections import Database
from cadogan.server.core.storage.writers import EVENT_COLUMNS

_COLUMNS = ", ".join(EVENT_COLUMNS)
_NEW = ", ".join(f"new.{name}" for name in EVENT_COLUMNS)


@asynccontextmanager
async def invisible_event(database: Database, stream: str, version: int) -> AsyncIterator[None]:
    """Hide an event inside the block. It exists all the same: its version stays taken."""
    hidden = f"stream = '{stream}' AND version = {version}"
    statements = [
        "ALTER TABLE events RENAME TO all_events",
        f"CREATE VIEW events AS SELECT * FROM all_events WHERE NOT ({hidden})",
    ]
    if database.is_sqlite:  # PostgreSQL can insert into such a view without a trigger
        insert = f"INSERT INTO all_events ({_COLUMNS}) VALUES ({_NEW})"
        statements.append(f"CREATE TRIGGER shown INSTEAD OF INSERT ON events BEGIN {insert}; END")
    await _execute(database, *statements)
    yield
    await _execute(database, "DROP VIEW events", "ALTER TABLE all_events RENAME TO events")


async def _execute(database: Database, *statements: str) -> None:
    async with database.writing() as connection:
        if database.is_sqlite:  # SQLite reads the schema again
            await connection.execute(text("SELECT count(*) FROM events"))
        for statement in statements:
            await connection.execute(text(statement))
