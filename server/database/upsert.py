"""Insert a row or overwrite the one that is there, in one statement, on either database."""

from sqlalchemy import Dialect, Insert, Table
from sqlalchemy.dialects import postgresql, sqlite


def upsert(table: Table, dialect: Dialect) -> Insert:
    """The insertion of a row into a table with one key, which overwrites the row of that key."""
    inserted = (postgresql if dialect.name == "postgresql" else sqlite).insert(table)
    (key,) = table.primary_key
    others = {column.name: inserted.excluded[column.name] for column in table.c if column is not key}
    upsert: Insert = inserted.on_conflict_do_update(index_elements=[key], set_=others)
    return upsert
