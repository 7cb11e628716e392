"""Parts of statements for both databases: upsert, insert if absent, one of many values, the accounts of one person.

A condition that a column has one of many values, whose SQL text does not depend on their number.

`IN (?, ?, ?)` is a different statement for each number of values, so each would be rendered and prepared again.
"""

from collections.abc import Collection
from typing import Any, Self

from msgspec import json
from sqlalchemy import ARRAY, Boolean, ColumnElement, Dialect, Insert, Select, Table, Text, bindparam, func, or_, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator, TypeEngine

from cadogan.server.core.database.tables import players


def among(column: ColumnElement[str], name: str) -> "ColumnElement[bool]":
    """Return the condition that a column of texts has one of the values that are given as the parameter `name`."""
    return _Among(column, bindparam(name, type_=_Texts()))


class _Texts(TypeDecorator[Collection[str]]):
    """A list of texts as one parameter: an array for PostgreSQL, JSON for SQLite."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(ARRAY(Text()) if dialect.name == "postgresql" else Text())

    def process_bind_param(self, value: Collection[str] | None, dialect: Dialect) -> Any:
        values = [*(value or ())]
        return values if dialect.name == "postgresql" else json.encode(values).decode()


class _Among(FunctionElement[bool]):
    type = Boolean()
    inherit_cache = True

    def self_group(self, against: object = None) -> Self:
        """Return self. SQLAlchemy would compare the function with 1 for SQLite, and no index would be used."""
        return self


@compiles(_Among)
def _on_postgresql(element: _Among, compiler: SQLCompiler, **options: Any) -> str:
    column, values = [compiler.process(clause, **options) for clause in element.clauses]
    return f"{column} = ANY ({values})"


@compiles(_Among, "sqlite")
def _on_sqlite(element: _Among, compiler: SQLCompiler, **options: Any) -> str:
    column, values = [compiler.process(clause, **options) for clause in element.clauses]
    return f"{column} IN (SELECT value FROM json_each({values}))"


def upsert(table: Table, dialect: Dialect) -> Insert:
    """Return a statement that inserts a row, or overwrites the row with the same key.

    The primary key of the table must be a single column.
    """
    inserted = (postgresql if dialect.name == "postgresql" else sqlite).insert(table)
    (key,) = table.primary_key
    others = {column.name: inserted.excluded[column.name] for column in table.c if column is not key}
    upsert: Insert = inserted.on_conflict_do_update(index_elements=[key], set_=others)
    return upsert


def insert_if_absent(table: Table, dialect: Dialect) -> Insert:
    """Return a statement that inserts rows, except those whose key a row has already."""
    inserted = (postgresql if dialect.name == "postgresql" else sqlite).insert(table)
    statement: Insert = inserted.on_conflict_do_nothing()
    return statement


def accounts_of(player: str) -> Select[tuple[str]]:
    """Return a query for the ids of all accounts of this player's person: the owner and the bots."""
    own = select(func.coalesce(players.c.owner, players.c.id)).where(players.c.id == player).scalar_subquery()
    return select(players.c.id).where(or_(players.c.id == player, players.c.id == own, players.c.owner == own))


async def lock_person(connection: AsyncConnection, player: str) -> None:
    """Let other requests of this player's person wait until the transaction ends, so that none gets past a limit."""
    own = select(func.coalesce(players.c.owner, players.c.id)).where(players.c.id == player).scalar_subquery()
    await connection.execute(select(players.c.id).where(players.c.id == own).with_for_update(key_share=True))
