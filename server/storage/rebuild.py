"""Deriving every projection row from the log anew."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict

from sqlalchemy import Insert, func, literal_column, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from server.database.connections import Database
from server.database.tables import buckets, events, totals
from server.eventlog.events import Event, decode_event
from server.eventlog.projections import EntryRow, Row, project
from server.leaderboards.rank_index import LEVEL_MASKS
from server.leaderboards.rank_updates import totals_to_add
from server.leaderboards.ranking import RankKey
from server.storage.row_sql import TABLES

DERIVED = (*TABLES.values(), totals, buckets)
"""The tables that follow from the log, in the order in which every transaction comes to them."""
_CHUNK = 1000
_TYPES = (
    "game_dealt",
    "challenge_spoiled",
    "game_finished",
    "match_opened",
    "player_joined",
    "player_left",
    "match_started",
    "match_finished",
)


async def rebuild(database: Database) -> int:
    """Replace all projection rows by those that the log gives, in one transaction, and return how many there are.

    A running server may go on appending to PostgreSQL: an append that writes rows waits for the rebuild and then adds
    its own. On SQLite every append waits.

    Raises `UnreadableEvent`, and changes nothing, if the log holds an event that cannot be read.
    """
    async with database.writing() as connection:
        for table in DERIVED:
            if connection.dialect.name == "postgresql":
                await connection.execute(text(f"LOCK TABLE {table.name} IN SHARE ROW EXCLUSIVE MODE"))
            await connection.execute(table.delete())
        return await derive(connection)


async def derive(connection: AsyncConnection) -> int:
    """Fill the tables of projections, which are empty, from the log. Raises `UnreadableEvent`."""
    count = await _derive(connection)
    await fill_buckets(connection)
    return count


async def fill_buckets(connection: AsyncConnection) -> None:
    """Count the totals in every bucket of every board, into a table of buckets that is empty."""
    for level, mask in enumerate(LEVEL_MASKS, 1):
        await connection.execute(_count_buckets(level, mask))


async def _derive(connection: AsyncConnection) -> int:
    count = 0
    rows: list[Row] = []
    async for stream, facts in _streams(connection):
        rows += project(stream, facts)
        if len(rows) >= _CHUNK:
            count += await _insert(connection, rows)
            rows = []
    return count + await _insert(connection, rows)


async def _streams(connection: AsyncConnection) -> AsyncIterator[tuple[str, list[tuple[Event, int]]]]:
    """Give every game's and race's stream with those of its events that rows follow from."""
    columns = (events.c.stream, events.c.type, events.c.schema, events.c.data, events.c.recorded_at)
    chosen = select(*columns).where(events.c.type.in_(_TYPES)).order_by(events.c.stream, events.c.version)
    stream = ""
    facts: list[tuple[Event, int]] = []
    async with connection.stream(chosen) as result:
        async for name, kind, schema, data, recorded_at in result:
            if name != stream and facts:
                yield stream, facts
                facts = []
            stream = name
            facts.append((decode_event(kind, schema, data), recorded_at))
    if facts:
        yield stream, facts


async def _insert(connection: AsyncConnection, rows: Sequence[Row]) -> int:
    for kind, table in TABLES.items():
        if own := [asdict(row) for row in rows if type(row) is kind]:
            await connection.execute(table.insert(), own)
    if entries := [row for row in rows if isinstance(row, EntryRow)]:
        await _place(connection, entries)
    return len(rows)


async def _place(connection: AsyncConnection, entries: Sequence[EntryRow]) -> None:
    add = postgresql if connection.dialect.name == "postgresql" else sqlite
    insert = add.insert(totals)
    summed = {name: totals.c[name] + insert.excluded[name] for name in (*RankKey._fields, "runs")}
    upsert = insert.on_conflict_do_update(index_elements=[*totals.primary_key], set_=summed)
    await connection.execute(upsert, [total._asdict() for total in totals_to_add(entries)])


def _count_buckets(level: int, mask: RankKey) -> Insert:
    name = [totals.c[part].bitwise_and(literal_column(str(bits))) for part, bits in mask._asdict().items()]
    counts = select(totals.c.board, literal_column(str(level)), *name, func.count()).group_by(totals.c.board, *name)
    return buckets.insert().from_select([column.name for column in buckets.c], counts)
