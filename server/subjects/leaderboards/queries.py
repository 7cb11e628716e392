"""Queries of boards: a page from any position, and a player's rank, without counting all better totals.

A rank is the sum of the counts of the better buckets beside one's own at every level, and of the better totals in one's
own bucket at the last level (`rank_index`). The start of a page is found with the same counts: at each level the bucket
with the page's first row is chosen, until few rows are left to skip. Totals with equal keys share a rank, and are
listed by their players' ids. Every ORDER BY here is made from the fields of `ranking.RankKey`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Row, Text, TextClause, bindparam, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import entries, strikes, totals
from cadogan.server.core.eventlog.projections import EntryRow
from cadogan.server.core.ranking import LEVEL_MASKS, DayDigests, RankKey, day_digests, deal_of

MAX_GAMES_PER_STATEMENT = 500
MAX_SKIPPED_ROWS = 2_000
"""The maximum number of rows that the last statement skips; the buckets locate a page up to this distance."""


class RankedTotal(NamedTuple):
    """A player's total on a board, with its rank. Every statement here selects these fields, in this order.

    Equal totals share a `rank`; `position` is the row on the board, unique for each total. Both count from 1. The other
    fields are columns of the table `totals`, or else of `entries`; those of `entries` are None except on the board of a
    deal. `deficit` is the score or the sum of points, times -1.
    """

    rank: int
    position: int
    player: str
    deficit: int
    moves: int
    milliseconds: int
    runs: int
    game_id: str | None
    result: str | None
    active: int | None


class BoardPlace(NamedTuple):
    """A player's place on a board: the rank, how many players are on the board, and how many of them are behind."""

    rank: int
    total: int
    behind: int


class BoardQueries:
    """The boards in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def total(self, board: str) -> int:
        """Return how many players are on the board."""
        async with self._database.reading() as connection:
            return await _total(connection, board)

    async def page(self, board: str, offset: int, limit: int) -> tuple[int, list[RankedTotal]]:
        """Return how many players are on the board, and at most `limit` of its rows after the first `offset`."""
        async with self._database.reading() as connection:
            start = await _find_start(connection, board, offset)
            rows = [] if start is None else await _read_page(connection, board, start, offset, limit)
            return rows[0].total if rows else await _total(connection, board), [RankedTotal(*row[:-1]) for row in rows]

    async def ranked(self, board: str, players: Sequence[str]) -> list[RankedTotal]:
        """Return these players' totals with their ranks on the whole board, best first. Absent players are left out."""
        return await self._ranked(_RANKED, board, players)

    async def place(self, board: str, player: str) -> BoardPlace | None:
        """Return the player's place on the board; None if the player is not on it."""
        async with self._database.reading() as connection:
            parameters = {"board": board, "deal": deal_of(board), "players": [player]}
            found = (await connection.execute(_RANKED, parameters)).first()
            if found is None:
                return None
            own = RankedTotal(*found)
            key = RankKey(own.deficit, own.moves, own.milliseconds)
            same_order = (await connection.execute(_SAME_ORDER, {"board": board, **key._asdict()})).scalar_one()
            total = await _total(connection, board)
            return BoardPlace(own.rank, total, total - own.rank + 1 - int(same_order))

    async def ranked_among(self, board: str, players: Sequence[str]) -> list[RankedTotal]:
        """Return these players' totals with their ranks among each other, best first."""
        return await self._ranked(_RANKED_AMONG, board, players)

    async def digests(self, day: str, deals: Sequence[str]) -> DayDigests:
        """Return the current digests of a day's boards, and the runs struck off them."""
        joined = select(*entries.c, strikes.c.reason).outerjoin(strikes, strikes.c.game_id == entries.c.game_id)
        runs, disqualified = [], {}
        for row in await self._database.fetch(joined.where(entries.c.day == day)):
            values = dict(row._mapping)
            reason, run = values.pop("reason"), EntryRow(**values)
            if reason is None:
                runs.append(run)
            else:
                disqualified[run.game_id] = reason
        return DayDigests(day_digests(day, deals, runs), disqualified)

    async def runs(self, games: Iterable[str]) -> list[EntryRow]:
        """Return the finished ranked runs among the games with these ids."""
        found: list[EntryRow] = []
        ids = sorted(games)
        for start in range(0, len(ids), MAX_GAMES_PER_STATEMENT):
            found += await self._runs(entries.c.game_id.in_(ids[start : start + MAX_GAMES_PER_STATEMENT]))
        return found

    async def _runs(self, condition: ColumnElement[bool]) -> list[EntryRow]:
        return [EntryRow(**row._mapping) for row in await self._database.fetch(select(entries).where(condition))]

    async def _ranked(self, statement: TextClause, board: str, players: Sequence[str]) -> list[RankedTotal]:
        parameters = {"board": board, "deal": deal_of(board), "players": players}
        return [RankedTotal(*row) for row in await self._database.fetch(statement, parameters)]


def _columns(table: str, names: Iterable[str]) -> str:
    """Return the columns of a table for SQL: ``t.deficit, t.moves``."""
    return ", ".join(f"{table}.{name}" for name in names)


_KEY = ", ".join(RankKey._fields)
_T_KEY = _columns("t", RankKey._fields)
*_EXACT, _LAST = RankKey._fields
"""The parts of the key that are exact in the buckets of the last level, and the part that is rounded."""


class _Level(NamedTuple):
    """The division of the previous level's buckets at one level: a part of the key, and the step.

    `same_order` are the parts before `part`, which are equal within a bucket of the level before. `coarse` and `fine`
    are the masks of `part` at the level before (0 if it did not count there) and at this level.
    """

    number: int
    part: str
    same_order: tuple[str, ...]
    coarse: int
    fine: int


def _levels() -> Iterator[_Level]:
    before = RankKey(0, 0, 0)
    for number, mask in enumerate(LEVEL_MASKS, 1):
        index = max(index for index, bits in enumerate(mask) if bits)
        yield _Level(number, RankKey._fields[index], RankKey._fields[:index], before[index], mask[index])
        before = mask


_LEVELS = tuple(_levels())


def _count_better(level: _Level) -> str:
    """Return the SQL that counts the totals in the better buckets at one level than the bucket of the total `t`."""
    same = "".join(f" AND b.{part} = t.{part}" for part in level.same_order)
    beside = f" AND b.{level.part} >= (t.{level.part} & {level.coarse})" if level.coarse else ""
    return (
        f"coalesce((SELECT sum(b.count) FROM buckets b WHERE b.board = t.board AND b.level = {level.number}"
        f"{same}{beside} AND b.{level.part} < (t.{level.part} & {level.fine})), 0)"
    )


_FIELDS = RankedTotal._fields[2:]
_OF_TOTALS = ", ".join(name for name in _FIELDS if name in totals.c)
_SHOWN = ", ".join(f"{'t' if name in totals.c else 'e'}.{name}" for name in _FIELDS)
_JOIN_RUN = "LEFT JOIN entries e ON e.deal = :deal AND e.player = t.player"
_BETTER = (
    f"{' + '.join(map(_count_better, _LEVELS))} + (SELECT count(*) FROM totals b WHERE b.board = t.board"
    f"{''.join(f' AND b.{part} = t.{part}' for part in _EXACT)} "
    f"AND b.{_LAST} >= (t.{_LAST} & {_LEVELS[-1].fine}) AND b.{_LAST} < t.{_LAST})"
)
"""SQL for the number of totals of the board that are better than `t`."""
_SAME_ORDER_BEFORE = (
    f"(SELECT count(*) FROM totals b WHERE b.board = :board"
    f"{''.join(f' AND b.{part} = t.{part}' for part in RankKey._fields)} AND b.player < t.player)"
)
"""SQL for the number of totals with the same key as `t` that are listed before it."""
_RANKED = text(
    f"SELECT 1 + better, 1 + better + equal, {', '.join(_FIELDS)} "
    f"FROM (SELECT {_BETTER} AS better, {_SAME_ORDER_BEFORE} AS equal, {_SHOWN} FROM totals t {_JOIN_RUN} "
    "WHERE t.board = :board AND t.player IN :players) ranked ORDER BY 2"
).bindparams(bindparam("players", type_=Text, expanding=True))
_RANKED_AMONG = text(
    f"SELECT rank() OVER (ORDER BY {_T_KEY}), row_number() OVER (ORDER BY {_T_KEY}, t.player), {_SHOWN} "
    f"FROM totals t {_JOIN_RUN} WHERE t.board = :board AND t.player IN :players ORDER BY 2"
).bindparams(bindparam("players", type_=Text, expanding=True))
_SAME_ORDER = text(
    f"SELECT count(*) FROM totals WHERE board = :board{''.join(f' AND {part} = :{part}' for part in RankKey._fields)}"
)
"""SQL for the number of totals of the board with a given key."""
_TOTAL = "SELECT coalesce(sum(count), 0) FROM buckets WHERE board = :board AND level = 1"
_PAGE = text(
    f"SELECT t.position - {_SAME_ORDER_BEFORE}, t.position, {_SHOWN}, ({_TOTAL}) AS total FROM "
    "(SELECT CAST(:offset AS bigint) + row_number() OVER () AS position, s.* FROM ("
    f"SELECT {_OF_TOTALS} FROM totals WHERE board = :board "
    f"AND ({_KEY}) >= ({', '.join(f':{part}' for part in RankKey._fields)}) "
    f"ORDER BY {_KEY}, player LIMIT :limit OFFSET :skipped) s) t {_JOIN_RUN} ORDER BY t.position"
)


def _choose_bucket(level: _Level) -> str:
    """Return the SQL that chooses, in the bucket chosen at the level before, the bucket that holds the row sought.

    It selects the bucket's least key, the number of its rows before the one sought, and the bucket's count.
    """
    before = f"FROM chosen{level.number - 1})"
    within = "".join(f" AND {part} = (SELECT {part} {before}" for part in level.same_order)
    if level.coarse:
        begins = f"(SELECT {level.part} {before}"
        within += f" AND {level.part} >= {begins} AND {level.part} < {begins} + {-level.coarse}"
    return (
        f"chosen{level.number} AS (SELECT {_KEY}, (SELECT skipped {before} - running + count AS skipped, "
        f"count FROM (SELECT *, sum(count) OVER (ORDER BY {level.part} ROWS UNBOUNDED PRECEDING) AS running "
        f"FROM buckets WHERE board = :board AND level = {level.number}{within}) counted "
        f"WHERE running > (SELECT skipped {before} ORDER BY {level.part} LIMIT 1)"
    )


class _PageStart(NamedTuple):
    """Where a page begins: the least key of a bucket, and the number of rows to skip from there."""

    deficit: int
    moves: int
    milliseconds: int
    skipped: int


def _descend(levels: Sequence[_Level]) -> TextClause:
    """Return the statement that refines a `_PageStart` through these levels."""
    values = ", ".join(f"CAST(:{name} AS bigint) AS {name}" for name in _PageStart._fields)
    chosen = f"WITH chosen{levels[0].number - 1} AS (SELECT {values}), {', '.join(map(_choose_bucket, levels))}"
    return text(f"{chosen} SELECT * FROM chosen{levels[-1].number}")


_DESCENTS = tuple(
    _descend([level for level in _LEVELS if (level.part == RankKey._fields[0]) is by_score])
    for by_score in (True, False)
)
"""First by scores, then by moves and time. The first statement finds most pages. A combined one would be planned for
the worst case."""


async def _find_start(connection: AsyncConnection, board: str, offset: int) -> _PageStart | None:
    """Return a start with few rows between it and the row after `offset` others; None if there is no such row."""
    start = _PageStart(-(1 << 62), 0, 0, offset)
    for descent in _DESCENTS if offset else ():
        found = (await connection.execute(descent, {"board": board, **start._asdict()})).first()
        if found is None:
            return None
        *begins, count = map(int, found)
        start = _PageStart(*begins)
        if count <= MAX_SKIPPED_ROWS:
            break
    return start


async def _read_page(
    connection: AsyncConnection, board: str, start: _PageStart, offset: int, limit: int
) -> Sequence[Row[tuple[int, ...]]]:
    parameters = {"board": board, **start._asdict(), "deal": deal_of(board), "offset": offset, "limit": limit}
    return (await connection.execute(_PAGE, parameters)).all()


async def _total(connection: AsyncConnection, board: str) -> int:
    return int((await connection.execute(text(_TOTAL), {"board": board})).scalar_one())
