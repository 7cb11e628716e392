"""Writing places and buckets: the statements of both databases, each one step for a whole batch of finished runs.

A place is added to, never read first: what comes back from that is where the place is now, and with what was added
where it was before, so the counts that change follow. Every writer takes the rows in the same order; two nodes that
finish runs of one player at once wait for each other, in no circle.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from server.eventlog.projections import EntryRow
from server.leaderboards.rank_index import changes
from server.leaderboards.ranking import Place, add_up, places

BucketValues = tuple[str, int, int, int, int, int]

_PLACE = ("text", "text", "bigint", "bigint", "bigint", "integer")
_BUCKET = ("text", "integer", "bigint", "bigint", "bigint", "integer")


class Statements(NamedTuple):
    """What is sent, each with the batch's values as one source of rows."""

    add: str
    """Adds to places, and returns them as they are now."""
    shift: str
    """Adds to the counts of buckets."""
    forget: str
    """Drops those of the buckets that are empty."""


def statements(dialect: str) -> Statements:
    """The statements for a database, `sqlite` or `postgresql`."""
    source = _arrays if dialect == "postgresql" else _json
    return Statements(
        "INSERT INTO totals (board, player, deficit, moves, milliseconds, runs) "
        f"{source(_PLACE)} ON CONFLICT (board, player) DO UPDATE SET deficit = totals.deficit + excluded.deficit, "
        "moves = totals.moves + excluded.moves, milliseconds = totals.milliseconds + excluded.milliseconds, "
        "runs = totals.runs + excluded.runs RETURNING board, player, deficit, moves, milliseconds, runs",
        "INSERT INTO buckets (board, level, deficit, moves, milliseconds, count) "
        f"{source(_BUCKET)} ON CONFLICT (board, level, deficit, moves, milliseconds) "
        "DO UPDATE SET count = buckets.count + excluded.count",
        "DELETE FROM buckets WHERE count = 0 AND (board, level, deficit, moves, milliseconds) IN "
        f"({source(_BUCKET[:5])})",
    )


def added(entries: Iterable[EntryRow]) -> list[Place]:
    """What these runs add to everybody's places."""
    return add_up(place for entry in entries for place in places(entry))


def counted(added: Sequence[Place], now: Iterable[Sequence[Any]]) -> tuple[list[BucketValues], list[tuple[Any, ...]]]:
    """From what was added and the rows that came back: the changes of counts, and the buckets that may be empty now."""
    changed = changes(added, (Place(*row) for row in now))
    return [(*bucket, count) for bucket, count in changed], [tuple(bucket) for bucket, count in changed if count < 0]


def _arrays(types: Sequence[str]) -> str:
    return f"SELECT * FROM unnest({', '.join(f'${n}::{kind}[]' for n, kind in enumerate(types, 1))})"


def _json(types: Sequence[str]) -> str:
    # Without its WHERE the ON CONFLICT behind it would be read as a join's.
    values = ", ".join(f"json_extract(value, '$[{n}]')" for n in range(len(types)))
    return f"SELECT {values} FROM json_each(?1) WHERE true"
