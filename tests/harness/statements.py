"""What a running server asks its database."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from tests.harness.running_server import RunningServer


@contextmanager
def asked(running_server: RunningServer) -> Iterator[list[str]]:
    """Every statement that the server sends to its database."""
    engine = running_server.server.database.engine.sync_engine
    statements: list[str] = []

    def note(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        statements.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    yield statements
    event.remove(engine, "before_cursor_execute", note)
