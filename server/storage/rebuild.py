"""Rebuilding: every projection row is derived from the log again."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict

from sqlalchemy import Insert, func, literal_column, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from server.database.connections import Database
from server.database.tables import buckets, events, totals
from server.eventlog.events import Event, decode_event
from server.eventlog.projections import BoardRules, EntryRow, Row, project
from server.leaderboards.rank_index import LEVEL_MASKS
from server.leaderboards.rank_updates import totals_to_add
from server.leaderboards.ranking import RankKey
from server.storage.row_sql import TABLES

DERIVED_TABLES = (*TABLES.values(), totals, buckets)
"""The tables that are derived from the log, in the order in which every transaction locks them."""
_ROWS_PER_INSERT = 1000
_EVENT_TYPES = (
    "game_dealt",
    "challenge_spoiled",
    "game_finished",
    "match_opened",
    "player_joined",
    "player_left",
    "match_started",
    "match_finished",
)


async def rebuild(database: Database, boards: BoardRules) -> int:
    """Replace all projection rows by those that follow from the log, in one transaction; return how many there are.

    A server may keep running meanwhile. On PostgreSQL an append that writes projection rows waits until the rebuild has
    ended; on SQLite every append waits.

    Raises UnreadableEvent, and changes nothing, if the log contains an event that cannot be read.
    """
    async with database.writing() as connection:
        for table in DERIVED_TABLES:
            if connection.dialect.name == "postgresql":
                await connection.execute(text(f"LOCK TABLE {table.name} IN SHARE ROW EXCLUSIVE MODE"))
            await connection.execute(table.delete())
        return await derive_rows(connection, boards)


async def derive_rows(connection: AsyncConnection, boards: BoardRules) -> int:
    """Fill the projection tables, which must be empty, from the log; return how many rows. Raises UnreadableEvent."""
    count = await _project_streams(connection, boards)
    await fill_buckets(connection)
    return count


async def fill_buckets(connection: AsyncConnection) -> None:
    """Count the totals in every rank bucket of every leaderboard. The table of buckets must be empty."""
    for level, mask in enumerate(LEVEL_MASKS, 1):
        await connection.execute(_count_buckets(level, mask))


async def _project_streams(connection: AsyncConnection, boards: BoardRules) -> int:
    count = 0
    rows: list[Row] = []
    async for stream, recorded in _streams(connection):
        rows += project(stream, recorded, boards)
        if len(rows) >= _ROWS_PER_INSERT:
            count += await _insert(connection, rows)
            rows = []
    return count + await _insert(connection, rows)


async def _streams(connection: AsyncConnection) -> AsyncIterator[tuple[str, list[tuple[Event, int]]]]:
    """Iterate over the streams of games and races, each with its events (of `_EVENT_TYPES`) and their times."""
    columns = (events.c.stream, events.c.type, events.c.schema, events.c.data, events.c.recorded_at)
    chosen = select(*columns).where(events.c.type.in_(_EVENT_TYPES)).order_by(events.c.stream, events.c.version)
    stream = ""
    recorded: list[tuple[Event, int]] = []
    async with connection.stream(chosen) as result:
        async for name, kind, schema, data, recorded_at in result:
            if name != stream and recorded:
                yield stream, recorded
                recorded = []
            stream = name
            recorded.append((decode_event(kind, schema, data), recorded_at))
    if recorded:
        yield stream, recorded


async def _insert(connection: AsyncConnection, rows: Sequence[Row]) -> int:
    for kind, table in TABLES.items():
        if of_kind := [asdict(row) for row in rows if type(row) is kind]:
            await connection.execute(table.insert(), of_kind)
    if entries := [row for row in rows if isinstance(row, EntryRow)]:
        await _add_totals(connection, entries)
    return len(rows)


async def _add_totals(connection: AsyncConnection, entries: Sequence[EntryRow]) -> None:
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    insert = dialect.insert(totals)
    summed = {name: totals.c[name] + insert.excluded[name] for name in (*RankKey._fields, "runs")}
    upsert = insert.on_conflict_do_update(index_elements=[*totals.primary_key], set_=summed)
    await connection.execute(upsert, [total._asdict() for total in totals_to_add(entries)])


def _count_buckets(level: int, mask: RankKey) -> Insert:
    key = [totals.c[part].bitwise_and(literal_column(str(bits))) for part, bits in mask._asdict().items()]
    counts = select(totals.c.board, literal_column(str(level)), *key, func.count()).group_by(totals.c.board, *key)
    return buckets.insert().from_select([column.name for column in buckets.c], counts)
