"""What the writing connections send: the events of a batch as rows, and each kind of projection row."""

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any

from sqlalchemy import Dialect, Insert, Table, insert

from server.database.tables import entries, games, races
from server.database.upsert import upsert
from server.eventlog.event_store import Append
from server.eventlog.projections import EntryRow, GameRow, RaceRow, Row

EVENT_COLUMNS = ("stream", "version", "command_id", "type", "schema", "data", "recorded_at", "hash")

EventValues = tuple[str, int, str | None, str, int, str, int, bytes]

TABLES: dict[type[Row], Table] = {GameRow: games, EntryRow: entries, RaceRow: races}


def event_values(appends: Iterable[Append]) -> list[EventValues]:
    """Return a tuple for every event, in the order of `EVENT_COLUMNS`."""
    values: list[EventValues] = []
    for append in appends:
        stream = append.stream
        command_id = append.command_id
        for event in append.events:
            values.append(
                (
                    stream,
                    event.version,
                    command_id,
                    event.type,
                    event.schema,
                    event.data,
                    event.recorded_at,
                    event.hash,
                )
            )
            command_id = None
    return values


class RowStatements:
    """The writing of projection rows as a driver takes it: one statement and the values for each kind of its rows.

    A game's and a race's row is overwritten as it goes on; an entry is written once.
    """

    def __init__(self, dialect: Dialect) -> None:
        self._prepared = {
            kind: _prepared(insert(table) if kind is EntryRow else upsert(table, dialect), dialect)
            for kind, table in TABLES.items()
        }

    def of(self, rows: Sequence[Row]) -> list[tuple[str, list[Any]]]:
        """Return the statements to be executed, with the values of the rows of each kind in their order."""
        statements = []
        for kind, (statement, values) in self._prepared.items():
            if own := [values(row) for row in rows if type(row) is kind]:
                statements.append((statement, own))
        return statements


def _prepared(statement: Insert, dialect: Dialect) -> tuple[str, Callable[[Row], Any]]:
    compiled = statement.compile(dialect=dialect)
    assert compiled.positiontup is not None
    return str(compiled), attrgetter(*compiled.positiontup)
