"""The column values of events, and the statements that write each kind of projection row."""

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any

from sqlalchemy import Dialect, Insert, Table, insert

from cadogan.server.database.short_events import shorten
from cadogan.server.database.tables import entries, games, races
from cadogan.server.database.upsert import upsert
from cadogan.server.eventlog.event_store import Append
from cadogan.server.eventlog.events import ENDING_EVENTS
from cadogan.server.eventlog.projections import EntryRow, GameRow, RaceRow, Row

EVENT_COLUMNS = ("stream", "version", "command_id", "type", "schema", "data", "recorded_at", "hash")

EventValues = tuple[str, int, str | None, str, int, str, int, bytes]
"""The values of one event, in the order of `EVENT_COLUMNS`. Its data is in the stored (shortened) form."""

INSERT_ENDED = """
INSERT INTO log_queue (stream, version, hash, recorded_at) VALUES ({})
ON CONFLICT (stream, version) DO UPDATE SET hash = excluded.hash, recorded_at = excluded.recorded_at
"""
"""Adds a finished stream to the queue of the transparency log."""

TABLES: dict[type[Row], Table] = {GameRow: games, EntryRow: entries, RaceRow: races}
"""The table of each kind of projection row."""


def event_values(appends: Iterable[Append]) -> list[EventValues]:
    """Return the values of every event. The command id goes to the first event of each append."""
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
                    shorten(event.data),
                    event.recorded_at,
                    event.hash,
                )
            )
            command_id = None
    return values


def ended_values(appends: Iterable[Append]) -> list[tuple[str, int, bytes, int]]:
    """Return, for each append that ends its stream, the values of its row in `log_queue`."""
    last = [(append.stream, append.events[-1]) for append in appends]
    return [
        (stream, event.version, event.hash, event.recorded_at) for stream, event in last if event.type in ENDING_EVENTS
    ]


class RowStatements:
    """Prepares the writing of projection rows: SQL text and parameters in the format of the database's driver.

    The row of a game or a race is overwritten when it changes; an entry is written once.
    """

    def __init__(self, dialect: Dialect) -> None:
        self._compiled = {
            kind: _compile(insert(table) if kind is EntryRow else upsert(table, dialect), dialect)
            for kind, table in TABLES.items()
        }

    def prepare(self, rows: Sequence[Row]) -> list[tuple[str, list[Any]]]:
        """Return one statement for each kind of row that occurs, with the parameters of these rows in their order."""
        statements = []
        for kind, (statement, values) in self._compiled.items():
            if of_kind := [values(row) for row in rows if type(row) is kind]:
                statements.append((statement, of_kind))
        return statements


def _compile(statement: Insert, dialect: Dialect) -> tuple[str, Callable[[Row], Any]]:
    compiled = statement.compile(dialect=dialect)
    assert compiled.positiontup is not None
    return str(compiled), attrgetter(*compiled.positiontup)
