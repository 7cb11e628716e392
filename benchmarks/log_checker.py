"""Compares the responses that players received with the event log, using only the log's published format."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.kill_harness import Command, CommandHistory
from cadogan.server.core.database.connections import database_url
from cadogan.server.core.database.short_events import expand

EVENT_OF_COMMAND = {"play": "move_played", "take_back": "move_taken_back", "resign": "game_finished"}
PROJECTIONS = {
    "games": "id",
    "entries": "game_id",
    "races": "id",
    "totals": "board, player",
    "buckets": "board, level, deficit, moves, milliseconds",
}


@dataclass(frozen=True)
class EventRow:
    """One row of the table of events."""

    stream: str
    version: int
    command_id: str | None
    type: str
    schema: int
    data: str
    recorded_at: int
    hash: bytes


@dataclass(frozen=True)
class Verdict:
    """The faults of a log: one readable line for each. All lists are empty if there are none."""

    lost: list[str]
    duplicated: list[str]
    broken: list[str]

    @property
    def is_clean(self) -> bool:
        """Whether there are no faults."""
        return not (self.lost or self.duplicated or self.broken)


async def read_events(url: str) -> list[EventRow]:
    """Return every event of the log, ordered by stream and version."""
    columns = "stream, version, command_id, type, schema, data, recorded_at, hash"
    rows = await _select(url, f"SELECT {columns} FROM events ORDER BY stream, version")
    return [replace(EventRow(*row), data=expand(row.data)) for row in rows]


async def read_projections(url: str) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of every projection, by table and in a fixed order."""
    return {
        table: [dict(row._mapping) for row in await _select(url, f"SELECT * FROM {table} ORDER BY {key}")]
        for table, key in PROJECTIONS.items()
    }


def check_log(history: CommandHistory, log: list[EventRow]) -> Verdict:
    """Check that the log has every acknowledged command once, at the acknowledged version, and no other move."""
    streams = {stream: list(rows) for stream, rows in groupby(log, key=lambda row: row.stream)}
    return Verdict(
        lost=[
            f"{command} was acknowledged at version {version}"
            for command_id, version in history.acknowledged.items()
            if not _holds(streams, command := history.sent[command_id], version)
        ],
        duplicated=_duplicated(history, log),
        broken=[*history.contradictions, *(line for rows in streams.values() if (line := _broken(rows)))],
    )


def _holds(streams: dict[str, list[EventRow]], command: Command, version: int) -> bool:
    rows = streams.get(f"game/{command.game}", [])
    if not 0 < version <= len(rows):
        return False
    row = rows[version - 1]
    same = row.command_id == command.id and row.type == EVENT_OF_COMMAND[command.type]
    return same and version == command.version + 1 and json.loads(row.data).get("move") == command.move


def _duplicated(history: CommandHistory, log: list[EventRow]) -> list[str]:
    commanded = [row for row in log if row.type in ("move_played", "move_taken_back")]
    unsent = [f"nobody sent {row}" for row in commanded if row.command_id not in history.sent]
    counts = Counter(row.command_id for row in log if row.command_id in history.sent)
    return [
        *unsent,
        *(f"{command_id} is in the log {count} times" for command_id, count in counts.items() if count > 1),
    ]


def _broken(rows: list[EventRow]) -> str | None:
    previous = bytes(32)
    for expected, row in enumerate(rows, start=1):
        if row.version != expected:
            return f"{row.stream} has version {row.version} instead of {expected}"
        previous = hashlib.sha256(previous + _canonical(row)).digest()
        if row.hash != previous:
            return f"{row.stream} has a wrong hash at version {row.version}"
    return None


def _canonical(row: EventRow) -> bytes:
    head = f'{{"data":{row.data},"recorded_at":{row.recorded_at},"schema":{row.schema}'
    return f'{head},"stream":"{row.stream}","type":"{row.type}","version":{row.version}}}'.encode()


async def _select(url: str, statement: str) -> Sequence[Any]:
    engine = create_async_engine(database_url(url))
    try:
        async with engine.connect() as connection:
            return (await connection.execute(text(statement))).all()
    finally:
        await engine.dispose()
