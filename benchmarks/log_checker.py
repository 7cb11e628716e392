"""Holds what players were told against what the log says, by its published format alone."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.kill_harness import Command, Ledger
from server.database.connections import database_url

EVENT_OF_COMMAND = {"play": "move_played", "take_back": "move_taken_back", "resign": "game_finished"}
PROJECTIONS = {
    "games": "id",
    "entries": "game_id",
    "races": "id",
    "totals": "board, player",
    "buckets": "board, level, deficit, moves, milliseconds",
}


@dataclass(frozen=True)
class Row:
    """One event as it lies in the database."""

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
    """What was found wrong, each as a readable line; empty lists are what one hopes for."""

    lost: list[str]
    doubled: list[str]
    broken: list[str]

    @property
    def clean(self) -> bool:
        """Whether nothing at all was found."""
        return not (self.lost or self.doubled or self.broken)


async def events(url: str) -> list[Row]:
    """Every event of the log, stream by stream and in order."""
    columns = "stream, version, command_id, type, schema, data, recorded_at, hash"
    rows = await _select(url, f"SELECT {columns} FROM events ORDER BY stream, version")
    return [Row(*row) for row in rows]


async def projections(url: str) -> dict[str, list[dict[str, Any]]]:
    """The rows of every projection, in a fixed order."""
    return {
        table: [dict(row._mapping) for row in await _select(url, f"SELECT * FROM {table} ORDER BY {key}")]
        for table, key in PROJECTIONS.items()
    }


def judge(ledger: Ledger, log: list[Row]) -> Verdict:
    """Whether every acknowledged command is in the log once, where it was said to be, and no other move is."""
    streams = {stream: list(rows) for stream, rows in groupby(log, key=lambda row: row.stream)}
    return Verdict(
        lost=[
            f"{command} was acknowledged at version {version}"
            for name, version in ledger.acknowledged.items()
            if not _holds(streams, command := ledger.sent[name], version)
        ],
        doubled=_doubled(ledger, log),
        broken=[*ledger.contradictions, *(line for rows in streams.values() if (line := _broken(rows)))],
    )


def _holds(streams: dict[str, list[Row]], command: Command, version: int) -> bool:
    rows = streams.get(f"game/{command.game}", [])
    if not 0 < version <= len(rows):
        return False
    row = rows[version - 1]
    same = row.command_id == command.id and row.type == EVENT_OF_COMMAND[command.type]
    return same and version == command.version + 1 and json.loads(row.data).get("move") == command.move


def _doubled(ledger: Ledger, log: list[Row]) -> list[str]:
    commanded = [row for row in log if row.type in ("move_played", "move_taken_back")]
    strays = [f"nobody sent {row}" for row in commanded if row.command_id not in ledger.sent]
    counts = Counter(row.command_id for row in log if row.command_id in ledger.sent)
    return [*strays, *(f"{name} is in the log {count} times" for name, count in counts.items() if count > 1)]


def _broken(rows: list[Row]) -> str | None:
    previous = bytes(32)
    for expected, row in enumerate(rows, start=1):
        if row.version != expected:
            return f"{row.stream} has version {row.version} where {expected} belongs"
        previous = hashlib.sha256(previous + _canonical(row)).digest()
        if row.hash != previous:
            return f"{row.stream} breaks at version {row.version}"
    return None


def _canonical(row: Row) -> bytes:
    head = f'{{"data":{row.data},"recorded_at":{row.recorded_at},"schema":{row.schema}'
    return f'{head},"stream":"{row.stream}","type":"{row.type}","version":{row.version}}}'.encode()


async def _select(url: str, statement: str) -> Sequence[Any]:
    engine = create_async_engine(database_url(url))
    try:
        async with engine.connect() as connection:
            return (await connection.execute(text(statement))).all()
    finally:
        await engine.dispose()
