"""What is asked of a database."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
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


def scanned(database: Database, statements: Iterable[Statement]) -> dict[str, set[str]]:
    """What SQLite reads whole, as ``games`` or ``games USING INDEX ...``, and the statements for which it does."""
    found: dict[str, set[str]] = {}
    with closing(sqlite3.connect(str(database.url.database))) as connection:
        for statement, parameters in {one[0]: one for one in statements}.values():
            for *_, step in connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters or ()):
                if step.startswith("SCAN "):
                    found.setdefault(step.removeprefix("SCAN "), set()).add(statement)
    return found
