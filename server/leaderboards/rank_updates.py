"""Writing totals and rank buckets: the statements for both databases, each one step for a whole batch of runs.

A total is added to and never read first. The statement returns each total as it is now; together with what was added
that tells where the total was before, and so which counts of buckets change. Every writer takes the rows in the same
order: two nodes that finish runs of one player at once wait for each other, and never in a circle.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from cadogan.server.eventlog.projections import EntryRow
from cadogan.server.leaderboards.rank_index import RankBucket, bucket_changes
from cadogan.server.leaderboards.totals import BoardTotal, run_totals, sum_totals

BucketValues = tuple[str, int, int, int, int, int]
"""The fields of a `RankBucket`, and by how much its count changes."""

_TOTAL_TYPES = ("text", "text", "bigint", "bigint", "bigint", "integer")
_BUCKET_TYPES = ("text", "integer", "bigint", "bigint", "bigint", "integer")
_TOTAL_COLUMNS = ", ".join(BoardTotal._fields)
_BUCKET_KEY = ", ".join(RankBucket._fields)
_SUMMED = ", ".join(f"{name} = totals.{name} + excluded.{name}" for name in BoardTotal._fields[2:])


class RankStatements(NamedTuple):
    """The SQL statements of one database. Each takes the values of a whole batch as one source of rows."""

    add_totals: str
    """Adds to the totals, and returns them as they are now."""
    change_counts: str
    """Adds to the counts of buckets."""
    delete_empty: str
    """Deletes those of the buckets given whose count is 0."""


def rank_statements(dialect: str) -> RankStatements:
    """Return the statements for a database; `dialect` is `sqlite` or `postgresql`."""
    source = _rows_from_arrays if dialect == "postgresql" else _rows_from_json
    return RankStatements(
        f"INSERT INTO totals ({_TOTAL_COLUMNS}) {source(_TOTAL_TYPES)} "
        f"ON CONFLICT (board, player) DO UPDATE SET {_SUMMED} RETURNING {_TOTAL_COLUMNS}",
        f"INSERT INTO buckets ({_BUCKET_KEY}, count) {source(_BUCKET_TYPES)} "
        f"ON CONFLICT ({_BUCKET_KEY}) DO UPDATE SET count = buckets.count + excluded.count",
        f"DELETE FROM buckets WHERE count = 0 AND ({_BUCKET_KEY}) IN ({source(_BUCKET_TYPES[:5])})",
    )


def totals_to_add(entries: Iterable[EntryRow]) -> list[BoardTotal]:
    """Return what these runs add to the totals, in the order for writing it."""
    return sum_totals(total for entry in entries for total in run_totals(entry))


def buckets_to_change(
    added: Sequence[BoardTotal], now: Iterable[Sequence[Any]]
) -> tuple[list[BucketValues], list[tuple[Any, ...]]]:
    """Return the changes of the counts of buckets, and the keys of the buckets that may be empty after them.

    `now` are the rows that the statement `add_totals` returned for `added`.
    """
    changes = bucket_changes(added, (BoardTotal(*row) for row in now))
    return [(*bucket, count) for bucket, count in changes], [tuple(bucket) for bucket, count in changes if count < 0]


def _rows_from_arrays(types: Sequence[str]) -> str:
    return f"SELECT * FROM unnest({', '.join(f'${n}::{kind}[]' for n, kind in enumerate(types, 1))})"


def _rows_from_json(types: Sequence[str]) -> str:
    # The WHERE is needed: without it SQLite would read the ON CONFLICT that follows as part of a join.
    values = ", ".join(f"json_extract(value, '$[{n}]')" for n in range(len(types)))
    return f"SELECT {values} FROM json_each(?1) WHERE true"
