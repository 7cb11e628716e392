"""Rebuilding: every projection row is compared with the log, and recomputed if it is wrong.

Servers keep running. The comparison only reads, and reading blocks no writer. Differing rows are recomputed from the
present data in short exclusive transactions, with pauses for other writers. Every append writes its own projection
rows, so a correct row stays correct. Appends during the rebuild are therefore safe, and so is a row that differs only
because it has just changed.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import asdict
from time import monotonic
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Insert, Select, func, literal_column, select, text, tuple_, union_all
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import buckets, contests, entries, events, games, ratings, strikes, totals
from cadogan.server.core.eventlog.events import Event, UnreadableEvent, decode_event
from cadogan.server.core.eventlog.projections import (
    BoardRules,
    ContestRow,
    EntryRow,
    GameRow,
    RaceRow,
    Row,
    StrikeRow,
    project,
    project_strikes,
)
from cadogan.server.core.eventlog.streams import GAMES, HOUSE, RACES, id_of
from cadogan.server.core.rank_rows import rank_statements, totals_to_add
from cadogan.server.core.ranking import LEVEL_MASKS, BoardTotal, RankKey
from cadogan.server.core.storage import rating_rows, sql_store
from cadogan.server.core.storage.writers import TABLES

DERIVED_TABLES = (*TABLES.values(), strikes, totals, buckets, ratings)
"""The tables that are derived from the log, in the order in which every transaction locks them."""
TRANSACTION_SECONDS = 0.02
"""Seconds after which a correcting transaction is committed."""
PAUSE_SECONDS = 0.06
"""Seconds between two such transactions. A server that waits for an SQLite lock retries at least every 0.1 s."""
_ITEMS_AT_ONCE = 20
_ROWS_PER_INSERT = 1000
_BUCKET_WIDTH = -LEVEL_MASKS[0].deficit
"""The width of a bucket of the coarsest level in deficits; it contains the buckets of finer levels."""
_ROWS_OF: dict[str, tuple[type[Row], ...]] = {GAMES: (GameRow, EntryRow), RACES: (RaceRow,)}
"""The kinds of rows that are derived from streams, by prefix of their names; streams of competitions have theirs."""
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


_CORRECTED = {
    "_derive_again": "rows of",
    "_strike_again": "strike of",
    "_recompute_sums": "total of",
    "_count_again": "rank bucket of",
    "derive_again": "ratings of",
}
"""The kind of row that each step of a rebuild corrects."""
Item = TypeVar("Item")
TotalKey = tuple[str, str]
"""The board and the player of a total."""


async def rebuild(database: Database, boards: BoardRules) -> int:
    """Correct all projection rows from the log; return the number of derived rows. Servers may keep running.

    Raises UnreadableEvent or StreamIncomplete if an event cannot be read. Rows of earlier streams may have been
    corrected by then; nothing else has changed, so it can be run again.
    """
    return await _Rebuild(database, boards).run()


async def find_differences(database: Database, boards: BoardRules) -> list[str]:
    """Return the sorted table names and keys that `rebuild` would correct, without changing anything.

    Servers may keep running: rows that differ only because they are changing are compared again and not returned.
    Raises the same as `rebuild`.
    """
    found: set[str] | None = None
    for _ in range(2):
        comparison = _Comparison(database, boards)
        await comparison.run()
        found = comparison.differences if found is None else found & comparison.differences
        if not found:
            break
    return sorted(found or ())


class _Rebuild:
    """One rebuild, while servers are running."""

    def __init__(self, database: Database, boards: BoardRules) -> None:
        self._database = database
        self._boards = boards
        self._rows_of = _ROWS_OF | dict.fromkeys(boards.listed_events(), (ContestRow,))

    async def run(self) -> int:
        """Correct every derived table, in the order of their dependencies."""
        count = sum([await self._correct_rows(prefix) for prefix in self._rows_of])
        count += await self._correct_strikes()
        await self._correct_totals()
        await self._correct_buckets()
        async with self._database.reading() as connection:
            rated, wrong = await rating_rows.compare(connection)
        await self._process_in_batches(rating_rows.derive_again, wrong)
        return count + rated

    async def _correct_rows(self, prefix: str) -> int:
        count, after, is_last = 0, prefix, False
        while not is_last:
            async with self._database.reading() as connection:
                names = await sql_store.complete_streams(connection, after, prefix)
                is_last = len(names) < sql_store.STREAMS_PER_PAGE
                last = None if is_last else names[-1]  # the last page also holds the rows without a stream
                right = {*await self._project(connection, _between(events.c.stream, after, last, prefix))}
                until = None if last is None else id_of(last)
                kinds = self._rows_of[prefix]
                found = {row async for row in _read_rows(connection, prefix, kinds, id_of(after), until)}
            wrong = {_stream_of(row) for row in right ^ found}
            await self._process_in_batches(self._derive_again, sorted(wrong))
            count, after = count + len(right), last or after
        return count

    async def _derive_again(self, connection: AsyncConnection, streams: Sequence[str]) -> None:
        rows = await self._project(connection, events.c.stream.in_(streams))
        for prefix, kinds in self._rows_of.items():
            wanted = [id_of(stream) for stream in streams if stream.startswith(prefix)]
            for kind in kinds:
                table = TABLES[kind]
                await connection.execute(table.delete().where(next(iter(table.primary_key)).in_(wanted)))
        # A row that conflicts with a correct one is wrong, and is recomputed itself.
        ranked = [(row.deal, row.player) for row in rows if isinstance(row, GameRow) and row.ranked]
        await connection.execute(games.delete().where(tuple_(games.c.deal, games.c.player).in_(ranked), text("ranked")))
        entered = [(row.deal, row.player) for row in rows if isinstance(row, EntryRow)]
        await connection.execute(entries.delete().where(tuple_(entries.c.deal, entries.c.player).in_(entered)))
        await _insert(connection, rows)

    async def _project(self, connection: AsyncConnection, *chosen: ColumnElement[bool]) -> list[Row]:
        streams = _streams(connection, self._boards, *chosen)
        projected = [project(stream, told, self._boards) async for stream, told in streams]
        return [row for rows in projected for row in rows]

    async def _correct_strikes(self) -> int:
        async with self._database.reading() as connection:
            right = {*await _project_strikes(connection)}
            found = {StrikeRow(**row._mapping) for row in await connection.execute(select(strikes))}
        await self._process_in_batches(_strike_again, sorted({row.game_id for row in right ^ found}))
        return len(right)

    async def _correct_totals(self) -> None:
        after, page = "", list[BoardTotal]()
        async with (
            self._database.reading() as connection,
            connection.stream(select(totals).order_by(totals.c.player)) as result,
        ):
            async for row in result:
                if len(page) >= _ROWS_PER_INSERT and row.player != page[-1].player:
                    await self._compare_totals(connection, page, after, page[-1].player)
                    after, page = page[-1].player, []
                page.append(BoardTotal(**row._mapping))
            await self._compare_totals(connection, page, after, None)

    async def _compare_totals(
        self, connection: AsyncConnection, found: Iterable[BoardTotal], after: str, until: str | None
    ) -> None:
        """Compare the totals of the players after `after` up to `until` with their runs, and correct them."""
        right = await _sum_runs(connection, _between(entries.c.player, after, until))
        wrong = {(total.board, total.player) for total in {*right} ^ {*found}}
        await self._process_in_batches(_recompute_sums, sorted(wrong))

    async def _correct_buckets(self) -> None:
        wrong = {(board, deficit) for board, deficit in await self._database.fetch(_select_wrong_buckets())}
        await self._process_in_batches(_count_again, sorted(wrong))

    async def _process_in_batches(
        self, work: Callable[[AsyncConnection, Sequence[Item]], Awaitable[None]], items: Collection[Item]
    ) -> None:
        """Process all items, several in each short transaction, with pauses for other writers."""
        waiting = deque(items)
        while waiting:
            async with self._database.writing() as connection:
                ends = monotonic() + TRANSACTION_SECONDS
                if connection.dialect.name == "postgresql":
                    names = ", ".join(table.name for table in DERIVED_TABLES)
                    await connection.execute(text(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE"))
                while True:
                    await work(connection, [waiting.popleft() for _ in range(min(_ITEMS_AT_ONCE, len(waiting)))])
                    if not waiting or monotonic() >= ends:
                        break
            await asyncio.sleep(PAUSE_SECONDS)


class _Comparison(_Rebuild):
    """A dry run of a rebuild: it collects what it would correct."""

    def __init__(self, database: Database, boards: BoardRules) -> None:
        super().__init__(database, boards)
        self.differences: set[str] = set()

    async def _process_in_batches(
        self, work: Callable[[AsyncConnection, Sequence[Any]], Awaitable[None]], items: Collection[Any]
    ) -> None:
        kind = _CORRECTED[work.__name__]
        self.differences |= {f"{kind} {item if isinstance(item, str) else ' '.join(map(str, item))}" for item in items}


async def derive_rows(connection: AsyncConnection, boards: BoardRules) -> int:
    """Fill the projection tables, which must be empty, from the log; return how many rows. Raises UnreadableEvent."""
    disqualified = await _project_strikes(connection)
    await _insert_strikes(connection, disqualified)
    count = await _project_streams(connection, boards, {row.game_id for row in disqualified})
    await fill_buckets(connection)
    return count + len(disqualified) + await rating_rows.derive(connection)


async def fill_buckets(connection: AsyncConnection) -> None:
    """Count the totals in every rank bucket of every leaderboard. The table of buckets must be empty."""
    for level, mask in enumerate(LEVEL_MASKS, 1):
        await connection.execute(_count_buckets(level, mask))


async def _project_strikes(connection: AsyncConnection) -> Sequence[StrikeRow]:
    """Return the disqualified runs, derived from the log of hosts and moderators."""
    return project_strikes(await rating_rows.read_stream(connection, HOUSE))


async def _strike_again(connection: AsyncConnection, wanted: Sequence[str]) -> None:
    await connection.execute(strikes.delete().where(strikes.c.game_id.in_(wanted)))
    await _insert_strikes(connection, [row for row in await _project_strikes(connection) if row.game_id in wanted])


async def _insert_strikes(connection: AsyncConnection, rows: Sequence[StrikeRow]) -> None:
    if rows:
        await connection.execute(strikes.insert(), [asdict(row) for row in rows])


async def _project_streams(connection: AsyncConnection, boards: BoardRules, disqualified: Collection[str]) -> int:
    count = 0
    rows: list[Row] = []
    async for stream, recorded in _streams(connection, boards):
        rows += project(stream, recorded, boards)
        if len(rows) >= _ROWS_PER_INSERT:
            count += await _insert_with_totals(connection, rows, disqualified)
            rows = []
    return count + await _insert_with_totals(connection, rows, disqualified)


async def _streams(
    connection: AsyncConnection, boards: BoardRules, *conditions: ColumnElement[bool]
) -> AsyncIterator[tuple[str, list[tuple[Event, int]]]]:
    """Iterate over the streams that have rows, each with the events from which these follow, and their times."""
    types = (*_EVENT_TYPES, *(name for names in boards.listed_events().values() for name in names))
    columns = (events.c.stream, events.c.type, events.c.schema, events.c.data, events.c.recorded_at)
    chosen = select(*columns).where(events.c.type.in_(types), *conditions)
    chosen = chosen.order_by(events.c.stream, events.c.version)
    stream = ""
    recorded: list[tuple[Event, int]] = []
    async with connection.stream(chosen) as result:
        async for name, kind, schema, data, recorded_at in result:
            if name != stream and recorded:
                yield stream, recorded
                recorded = []
            stream = name
            try:
                recorded.append((decode_event(kind, schema, data), recorded_at))
            except UnreadableEvent as error:
                raise UnreadableEvent(f"{name}: {error}") from None
    if recorded:
        yield stream, recorded


async def _insert_with_totals(connection: AsyncConnection, rows: Sequence[Row], disqualified: Collection[str]) -> int:
    await _insert(connection, rows)
    if runs := [row for row in rows if isinstance(row, EntryRow) and row.game_id not in disqualified]:
        await _add_totals(connection, runs)
    return len(rows)


async def _insert(connection: AsyncConnection, rows: Sequence[Row]) -> None:
    for kind, table in TABLES.items():
        if of_kind := [asdict(row) for row in rows if type(row) is kind]:
            await connection.execute(table.insert(), of_kind)


async def _add_totals(connection: AsyncConnection, runs: Sequence[EntryRow]) -> None:
    ranks = rank_statements(connection.dialect.name)
    await connection.exec_driver_sql(ranks.add_totals, ranks.parameters(totals_to_add(runs)))


async def _recompute_sums(connection: AsyncConnection, keys: Sequence[TotalKey]) -> None:
    right = await _sum_runs(connection, entries.c.player.in_({player for _, player in keys}))
    await connection.execute(totals.delete().where(tuple_(totals.c.board, totals.c.player).in_(keys)))
    wanted = {*keys}
    if rows := [total._asdict() for total in right if (total.board, total.player) in wanted]:
        await connection.execute(totals.insert(), rows)


async def _sum_runs(connection: AsyncConnection, chosen: ColumnElement[bool]) -> list[BoardTotal]:
    counted = entries.c.game_id.not_in(select(strikes.c.game_id))
    runs = await connection.execute(select(entries).where(chosen, counted))
    return totals_to_add(EntryRow(**row._mapping) for row in runs)


async def _count_again(connection: AsyncConnection, keys: Sequence[tuple[str, int]]) -> None:
    for board, deficit in keys:
        for table in (buckets, totals):
            chosen = (table.c.board == board, table.c.deficit >= deficit, table.c.deficit < deficit + _BUCKET_WIDTH)
            if table is buckets:
                await connection.execute(buckets.delete().where(*chosen))
                continue
            for level, mask in enumerate(LEVEL_MASKS, 1):
                await connection.execute(_count_buckets(level, mask, *chosen))


def _select_wrong_buckets() -> Select[Any]:
    """Select the board and the deficit of the coarsest bucket around every bucket whose count is wrong."""
    counted = [_counts(level, mask) for level, mask in enumerate(LEVEL_MASKS, 1)]
    stored = select(*list(buckets.c)[:-1], -buckets.c.count)
    both = union_all(*counted, stored).subquery()
    coarsest = both.c.deficit.bitwise_and(literal_column(str(LEVEL_MASKS[0].deficit)))
    keys = [both.c[column.name] for column in buckets.primary_key]
    return select(both.c.board, coarsest).group_by(*keys).having(func.sum(both.c.count) != 0)


def _count_buckets(level: int, mask: RankKey, *conditions: ColumnElement[bool]) -> Insert:
    counts = _counts(level, mask).where(*conditions)
    return buckets.insert().from_select([column.name for column in buckets.c], counts)


def _counts(level: int, mask: RankKey) -> Select[Any]:
    """Select every bucket of a level, in the columns of `buckets`, with the number of totals that lie in it."""
    key = [totals.c[part].bitwise_and(literal_column(str(bits))).label(part) for part, bits in mask._asdict().items()]
    counted = func.count().label("count")
    grouped = select(totals.c.board, literal_column(str(level)).label("level"), *key, counted)
    return grouped.group_by(totals.c.board, *key)


async def _read_rows(
    connection: AsyncConnection, prefix: str, kinds: Iterable[type[Row]], after: str, until: str | None
) -> AsyncIterator[Row]:
    """Read the rows of the streams that begin with `prefix` and whose ids are after `after`, up to `until`."""
    for kind in kinds:
        table = TABLES[kind]
        chosen = select(table).where(_between(next(iter(table.primary_key)), after, until))
        if kind is ContestRow:
            chosen = chosen.where(contests.c.competition == prefix.removesuffix("/"))
        for row in await connection.execute(chosen):
            yield kind(**row._mapping)


def _between(column: ColumnElement[str], after: str, until: str | None, prefix: str = "") -> ColumnElement[bool]:
    """Return the condition `after` < column <= `until`; if `until` is None, up to the end of the prefix."""
    if until is not None:
        return (column > after) & (column <= until)
    return (column > after) & (column < sql_store.end_of(prefix)) if prefix else column > after


def _stream_of(row: Row) -> str:
    if isinstance(row, ContestRow):
        return f"{row.competition}/{row.id}"
    return (RACES if isinstance(row, RaceRow) else GAMES) + row.key
