"""Upsert: insert a row, or overwrite the existing one, in one statement, on both databases."""

from sqlalchemy import Dialect, Insert, Table
from sqlalchemy.dialects import postgresql, sqlite


def upsert(table: Table, dialect: Dialect) -> Insert:
    """Return a statement that inserts a row, or overwrites the row with the same key.

    The primary key of the table must be a single column.
    """
    inserted = (postgresql if dialect.name == "postgresql" else sqlite).insert(table)
    (key,) = table.primary_key
    others = {column.name: inserted.excluded[column.name] for column in table.c if column is not key}
    upsert: Insert = inserted.on_conflict_do_update(index_elements=[key], set_=others)
    return upsert
