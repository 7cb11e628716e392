"""The statements that write totals and rank buckets, for both databases, each for a whole batch of runs.

Totals are incremented without reading them first. The statement returns each new total; the old one follows by
subtraction, and with it the changed bucket counts. Every writer locks rows in the same order, so that two nodes that
finish runs of one player at once cannot deadlock.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from msgspec import json
from sqlalchemy import Table
from sqlalchemy.dialects import postgresql

from cadogan.server.core.database.tables import buckets, totals
from cadogan.server.core.eventlog.projections import EntryRow
from cadogan.server.core.ranking import SUMS, BoardTotal, RankBucket, run_totals, sum_totals

_POSTGRESQL = postgresql.dialect()  # type: ignore[no-untyped-call]
_TOTAL_COLUMNS = ", ".join(BoardTotal._fields)
_BUCKET_KEY = ", ".join(RankBucket._fields)
_SUMMED = ", ".join(f"{name} = totals.{name} + excluded.{name}" for name in SUMS)


class RankStatements(NamedTuple):
    """The SQL statements for one kind of database. Each has the values of a whole batch as one row source."""

    add_totals: str
    """Increments the totals, and returns the new ones."""
    change_counts: str
    """Increments the counts of buckets."""
    delete_empty: str
    """Deletes those of the buckets given whose count is 0."""
    parameters: Callable[[Sequence[Sequence[Any]]], tuple[Any, ...]]
    """Returns the parameters of a statement for these rows, at least one."""


def rank_statements(dialect: str) -> RankStatements:
    """Return the statements for a database; `dialect` is `sqlite` or `postgresql`."""
    source, parameters = (_rows_from_arrays, _as_arrays) if dialect == "postgresql" else (_rows_from_json, _as_json)
    return RankStatements(
        f"INSERT INTO totals ({_TOTAL_COLUMNS}) {source(totals, BoardTotal._fields)} "
        f"ON CONFLICT (board, player) DO UPDATE SET {_SUMMED} RETURNING {_TOTAL_COLUMNS}",
        f"INSERT INTO buckets ({_BUCKET_KEY}, count) {source(buckets, (*RankBucket._fields, 'count'))} "
        f"ON CONFLICT ({_BUCKET_KEY}) DO UPDATE SET count = buckets.count + excluded.count",
        f"DELETE FROM buckets WHERE count = 0 AND ({_BUCKET_KEY}) IN ({source(buckets, RankBucket._fields)})",
        parameters,
    )


def totals_to_add(entries: Iterable[EntryRow]) -> list[BoardTotal]:
    """Return the changes of totals for these runs, in the order of writing."""
    return sum_totals(total for entry in entries for total in run_totals(entry))


def _rows_from_arrays(table: Table, names: Sequence[str]) -> str:
    types = [table.c[name].type.compile(_POSTGRESQL).partition(" COLLATE ")[0] for name in names]
    return f"SELECT * FROM unnest({', '.join(f'${n}::{kind}[]' for n, kind in enumerate(types, 1))})"


def _as_arrays(rows: Sequence[Sequence[Any]]) -> tuple[Any, ...]:
    return tuple(zip(*rows, strict=True))


def _rows_from_json(_table: Table, names: Sequence[str]) -> str:
    # The WHERE is needed: without it SQLite would read the ON CONFLICT that follows as part of a join.
    values = ", ".join(f"json_extract(value, '$[{n}]')" for n in range(len(names)))
    return f"SELECT {values} FROM json_each(?1) WHERE true"


def _as_json(rows: Sequence[Sequence[Any]]) -> tuple[str]:
    return (json.encode(rows).decode(),)
