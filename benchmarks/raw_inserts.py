"""What the database alone can do: events inserted with nothing around them, committed in groups.

The limit that the log, and the server around it, are compared with: the same rows into the same table on the same
database, by the driver's quickest way, one connection and one transaction for each group.
"""

import sqlite3
import time
from collections.abc import Sequence

import asyncpg
from sqlalchemy.engine import make_url

from server.storage.row_sql import EventValues

_COLUMNS = "stream, version, command_id, type, schema, data, recorded_at, hash"
_TYPES = ("text", "integer", "text", "text", "integer", "text", "bigint", "bytea")


def moves(games: int, each: int, first: int = 1) -> list[EventValues]:
    """Return `each` moves of every game, in the order in which games played at once would bring them."""
    data = '{"effects":["moved tableau.3 foundation.1 1","turned tableau.3 4 up"],"move":"tableau.3 foundation.1"}'
    return [
        (f"game/{game:016}", version, f"{version:08}", "move_played", 1, data, 1_700_000_000_000 + version, bytes(32))
        for version in range(first, first + each)
        for game in range(games)
    ]


async def insert(url: str, events: Sequence[EventValues], group: int) -> float:
    """Insert the events, `group` to a transaction, into a database that has its tables; return events a second."""
    groups = [events[start : start + group] for start in range(0, len(events), group)]
    seconds = _sqlite(url, groups) if make_url(url).get_backend_name() == "sqlite" else await _postgresql(url, groups)
    return len(events) / seconds


def _sqlite(url: str, groups: Sequence[Sequence[EventValues]]) -> float:
    path = make_url(url).database
    assert path is not None
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    statement = f"INSERT INTO events ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?)"
    began = time.perf_counter()
    for group in groups:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(statement, group)
        connection.execute("COMMIT")
    seconds = time.perf_counter() - began
    connection.close()
    return seconds


async def _postgresql(url: str, groups: Sequence[Sequence[EventValues]]) -> float:
    connection = await asyncpg.connect(make_url(url).set(drivername="postgresql").render_as_string(hide_password=False))
    arrays = ", ".join(f"${place}::{kind}[]" for place, kind in enumerate(_TYPES, 1))
    statement = f"INSERT INTO events ({_COLUMNS}) SELECT * FROM unnest({arrays})"
    began = time.perf_counter()
    for group in groups:
        await connection.execute(statement, *zip(*group, strict=True))
    seconds = time.perf_counter() - began
    await connection.close()
    return seconds
