"""Writing rows of the tables of the transparency log."""

from sqlalchemy import Insert, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


def overwrite(connection: AsyncConnection, table: Table) -> Insert:
    """Return an upsert statement: each row is inserted, or replaces the row with the same key."""
    statement = (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table)
    others = {column.name: statement.excluded[column.name] for column in table.c if not column.primary_key}
    written: Insert = statement.on_conflict_do_update(index_elements=[*table.primary_key], set_=others)
    return written
