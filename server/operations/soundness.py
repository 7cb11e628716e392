"""Integrity of a database: every table exists, and every value has its column's type and format.

PostgreSQL enforces this itself. SQLite stores whatever another program writes.
"""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Integer,
    LargeBinary,
    Select,
    Table,
    case,
    func,
    inspect,
    or_,
    select,
    text,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.database.connections import Database
from cadogan.server.database.damage import DatabaseDamaged
from cadogan.server.database.revisions import require_current
from cadogan.server.database.tables import days, deals, events, metadata
from cadogan.server.fairness.commit_reveal import SECRET_BYTES
from cadogan.server.storage.rebuild import DERIVED_TABLES

STORED_TABLES = tuple(table for table in metadata.sorted_tables if table not in DERIVED_TABLES)
"""The log, and the tables that cannot be derived from it."""
HASH_BYTES = 32
"""The length of an event's hash."""


async def require_sound(database: Database) -> None:
    """Check the database before all of its `STORED_TABLES` are read.

    Raises DatabaseNotCurrent, DatabaseTooNew or DatabaseDamaged.
    """
    await require_current(database)
    async with database.reading() as connection:
        await check_tables_and_values(connection, STORED_TABLES)


async def check_tables_and_values(connection: AsyncConnection, tables: Iterable[Table]) -> None:
    """Check that these tables exist and hold only valid values. Raises DatabaseDamaged.

    An SQLite file is read completely.
    """
    found = await connection.run_sync(lambda each: inspect(each).get_table_names())
    if connection.dialect.name == "sqlite":
        state = await connection.scalar(text("PRAGMA quick_check(1)"))
        if state != "ok":
            raise DatabaseDamaged(str(state))
    for table in tables:
        if table.name not in found:
            raise DatabaseDamaged(f"the table {table.name} is missing")
        if connection.dialect.name == "sqlite":
            wrong = (await connection.execute(_select_wrong(table))).first()
            if wrong is not None:
                column, *keys = wrong
                row = ", ".join(map(str, keys))
                raise DatabaseDamaged(f"the table {table.name} has a wrong value in {column}, in the row {row}")


def _select_wrong(table: Table) -> Select[Any]:
    """Return a query for the first column with an invalid value, and the key of its row."""
    wrong = [(_is_wrong(column), column.name) for column in table.c]
    chosen = select(case(*wrong), *table.primary_key)
    return chosen.where(or_(*(condition for condition, _ in wrong))).limit(1)


def _is_wrong(column: Column[Any]) -> ColumnElement[bool]:
    kind = column.type
    name = "integer" if isinstance(kind, Integer | Boolean) else "blob" if isinstance(kind, LargeBinary) else "text"
    has_other_type = func.typeof(column).not_in([name, "null"] if column.nullable else [name])
    if column is events.c.hash:
        return has_other_type | (func.length(column) != HASH_BYTES)
    if column in (deals.c.secret, days.c.secret):
        return has_other_type | column.op("GLOB")("*[^0-9a-f]*") | (func.length(column) != 2 * SECRET_BYTES)
    return has_other_type
