"""Inserts events into a database as fast as its driver can: the baseline for the event log and the server.

The rows, the table and the database are the same as those of the measured code. There is one connection, one
transaction for each group of events, and no other code.
"""

import sqlite3
import time
from collections.abc import Sequence

import asyncpg
from sqlalchemy.engine import make_url

from cadogan.server.core.database.short_events import shorten
from cadogan.server.core.storage.writers import EventValues

_COLUMNS = "stream, version, command_id, type, schema, data, recorded_at, hash"
_TYPES = ("text", "integer", "text", "text", "integer", "text", "bigint", "bytea")


def generate_events(games: int, moves_per_game: int) -> list[EventValues]:
    """Return the events of concurrently played games: first every game's first move, and so on."""
    data = shorten(
        '{"effects":["moved tableau.3 foundation.1 1","turned tableau.3 4 up"],"move":"tableau.3 foundation.1"}'
    )
    return [
        (f"game/{game:016}", version, f"{version:08}", "move_played", 1, data, 1_700_000_000_000 + version, bytes(32))
        for version in range(1, moves_per_game + 1)
        for game in range(games)
    ]


async def insert(url: str, events: Sequence[EventValues], group: int) -> float:
    """Insert the events into a database with all tables, `group` events a transaction; return events a second."""
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
    started = time.perf_counter()
    for group in groups:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(statement, group)
        connection.execute("COMMIT")
    seconds = time.perf_counter() - started
    connection.close()
    return seconds


async def _postgresql(url: str, groups: Sequence[Sequence[EventValues]]) -> float:
    connection = await asyncpg.connect(make_url(url).set(drivername="postgresql").render_as_string(hide_password=False))
    arrays = ", ".join(f"${place}::{kind}[]" for place, kind in enumerate(_TYPES, 1))
    statement = f"INSERT INTO events ({_COLUMNS}) SELECT * FROM unnest({arrays})"
    started = time.perf_counter()
    for group in groups:
        await connection.execute(statement, *zip(*group, strict=True))
    seconds = time.perf_counter() - started
    await connection.close()
    return seconds
