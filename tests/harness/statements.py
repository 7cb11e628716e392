"""What is asked of a database."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, event

from server.database.connections import Database

Statement = tuple[str, Any]
"""The text of a statement, and its parameters: those of the first row, if it was executed for many."""


@contextmanager
def asked(database: Database) -> Iterator[list[Statement]]:
    """Every statement that is sent to this database, over any connection of this process."""
    statements: list[Statement] = []

    def note(connection: Connection, _: Any, statement: str, parameters: Any, __: Any, is_many: bool) -> None:
        if connection.engine.url.database == database.url.database:
            statements.append((statement, parameters[0] if is_many else parameters))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_cursor_execute", note)
