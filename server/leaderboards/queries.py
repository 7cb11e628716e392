"""Reading boards: a stretch of one from any place on, and anybody's rank, without counting a million better places.

A rank is the sum of the counts of the better buckets beside one's own at every level, and of the better places in one's
own at the last. A page begins where those counts say: level by level the bucket is chosen in which its first place
lies, until few enough places are left to pass over. Those who are equal share a rank, and are shown by their ids.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Row, Text, TextClause, bindparam, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.database.connections import Database
from server.database.tables import entries
from server.eventlog.projections import EntryRow
from server.leaderboards import digests
from server.leaderboards.rank_index import LEVELS
from server.leaderboards.ranking import Standing, deal_of

MOST_ASKED = 500
"""How many games are asked for in one statement."""
FEW = 2_000
"""How many places are passed over one by one."""


class Ranked(NamedTuple):
    """A player on a board: the rank, which equals share, and the place, which nobody does, both from 1.

    `deficit` is the score or the sum of points below zero; `game` and `result` are told on the board of a deal.
    """

    rank: int
    place: int
    player: str
    deficit: int
    moves: int
    milliseconds: int
    runs: int
    game: str | None
    result: str | None


class BoardQueries:
    """The boards of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def total(self, board: str) -> int:
        """How many places there are."""
        async with self._database.reading() as connection:
            return await _total(connection, board)

    async def page(self, board: str, offset: int, limit: int) -> tuple[int, list[Ranked]]:
        """How many places there are, and so many of them from the one after `offset` others."""
        async with self._database.reading() as connection:
            start = await _find(connection, board, offset)
            shown = [] if start is None else await _stretch(connection, board, start, offset, limit)
            return shown[0].total if shown else await _total(connection, board), [Ranked(*row[1:]) for row in shown]

    async def ranked(self, board: str, players: Sequence[str]) -> list[Ranked]:
        """The places of these players among everybody's, best first."""
        return await self._places(_RANKED, board, players)

    async def among(self, board: str, players: Sequence[str]) -> list[Ranked]:
        """The places of these players among each other, best first."""
        return await self._places(_AMONG, board, players)

    async def digests(self, day: str, deals: Sequence[str]) -> dict[str, str]:
        """The digests of a day's boards as they stand, by its deals' names and `day`."""
        return digests.of_day(day, deals, await self._runs(entries.c.day == day))

    async def runs(self, games: Iterable[str]) -> list[EntryRow]:
        """The finished ranked runs among these games."""
        found: list[EntryRow] = []
        asked = sorted(games)
        for start in range(0, len(asked), MOST_ASKED):
            found += await self._runs(entries.c.game_id.in_(asked[start : start + MOST_ASKED]))
        return found

    async def _runs(self, which: ColumnElement[bool]) -> list[EntryRow]:
        async with self._database.reading() as connection:
            rows = await connection.execute(select(entries).where(which))
            return [EntryRow(**row) for row in rows.mappings()]

    async def _places(self, statement: TextClause, board: str, players: Sequence[str]) -> list[Ranked]:
        wanted = {"board": board, "deal": deal_of(board), "players": players}
        async with self._database.reading() as connection:
            return [Ranked(*row) for row in await connection.execute(statement, wanted)]


class _Cut(NamedTuple):
    """How a level cuts the buckets of the one before it: along which part of the standing, and how finely."""

    level: int
    part: str
    equal: tuple[str, ...]
    coarse: int
    fine: int


def _cuts() -> Iterator[_Cut]:
    before = Standing(0, 0, 0)
    for level, mask in enumerate(LEVELS, 1):
        place = max(place for place, bits in enumerate(mask) if bits)
        yield _Cut(level, Standing._fields[place], Standing._fields[:place], before[place], mask[place])
        before = mask


_CUTS = tuple(_cuts())


def _better(cut: _Cut) -> str:
    """How many lie in the better buckets of a level, beside that of the place `t`."""
    same = "".join(f" AND b.{part} = t.{part}" for part in cut.equal)
    beside = f" AND b.{cut.part} >= (t.{cut.part} & {cut.coarse})" if cut.coarse else ""
    return (
        f"coalesce((SELECT sum(b.count) FROM buckets b WHERE b.board = t.board AND b.level = {cut.level}{same}{beside} "
        f"AND b.{cut.part} < (t.{cut.part} & {cut.fine})), 0)"
    )


_PLACE = "t.player, t.deficit, t.moves, t.milliseconds, t.runs, e.game_id, e.result"
_RUN = "LEFT JOIN entries e ON e.deal = :deal AND e.player = t.player"
_BETTER = (
    f"{' + '.join(map(_better, _CUTS))} + (SELECT count(*) FROM totals b WHERE b.board = t.board "
    "AND b.deficit = t.deficit AND b.moves = t.moves "
    f"AND b.milliseconds >= (t.milliseconds & {_CUTS[-1].fine}) AND b.milliseconds < t.milliseconds)"
)
_EQUAL = (
    "(SELECT count(*) FROM totals b WHERE b.board = :board AND b.deficit = t.deficit AND b.moves = t.moves "
    "AND b.milliseconds = t.milliseconds AND b.player < t.player)"
)
_RANKED = text(
    f"SELECT 1 + better, 1 + better + equal, player, deficit, moves, milliseconds, runs, game_id, result "
    f"FROM (SELECT {_BETTER} AS better, {_EQUAL} AS equal, {_PLACE} FROM totals t {_RUN} "
    "WHERE t.board = :board AND t.player IN :players) ranked ORDER BY 2"
).bindparams(bindparam("players", type_=Text, expanding=True))
_AMONG = text(
    "SELECT rank() OVER (ORDER BY t.deficit, t.moves, t.milliseconds), "
    f"row_number() OVER (ORDER BY t.deficit, t.moves, t.milliseconds, t.player), {_PLACE} "
    f"FROM totals t {_RUN} WHERE t.board = :board AND t.player IN :players ORDER BY 2"
).bindparams(bindparam("players", type_=Text, expanding=True))
_TOTAL = "SELECT coalesce(sum(count), 0) FROM buckets WHERE board = :board AND level = 1"
_PAGE = text(
    f"SELECT ({_TOTAL}) AS total, t.place - {_EQUAL}, t.place, {_PLACE} FROM "
    "(SELECT CAST(:offset AS bigint) + row_number() OVER () AS place, s.* FROM ("
    "SELECT player, deficit, moves, milliseconds, runs FROM totals WHERE board = :board "
    "AND (deficit, moves, milliseconds) >= (:deficit, :moves, :milliseconds) "
    f"ORDER BY deficit, moves, milliseconds, player LIMIT :limit OFFSET :pass) s) t {_RUN} ORDER BY t.place"
)


def _choose(cut: _Cut) -> str:
    """Of the bucket that was chosen before: the part that holds the place sought, and how many it holds before it."""
    before = f"FROM chosen{cut.level - 1})"
    within = "".join(f" AND {part} = (SELECT {part} {before}" for part in cut.equal)
    if cut.coarse:
        begins = f"(SELECT {cut.part} {before}"
        within += f" AND {cut.part} >= {begins} AND {cut.part} < {begins} + {-cut.coarse}"
    return (
        f"chosen{cut.level} AS (SELECT deficit, moves, milliseconds, (SELECT pass {before} - upto + count AS pass, "
        f"count FROM (SELECT *, sum(count) OVER (ORDER BY {cut.part} ROWS UNBOUNDED PRECEDING) AS upto "
        f"FROM buckets WHERE board = :board AND level = {cut.level}{within}) counted "
        f"WHERE upto > (SELECT pass {before} ORDER BY {cut.part} LIMIT 1)"
    )


class _Start(NamedTuple):
    """Where to begin: the least standing of a bucket, and how many of its places are to be passed over."""

    deficit: int
    moves: int
    milliseconds: int
    pass_over: int

    def on(self, board: str) -> dict[str, object]:
        """It as a statement takes it."""
        standing = {"deficit": self.deficit, "moves": self.moves, "milliseconds": self.milliseconds}
        return {"board": board, **standing, "pass": self.pass_over}


def _descend(cuts: Sequence[_Cut]) -> TextClause:
    """From a bucket, and the number of places to pass over in it, down these levels."""
    names = ", ".join(f"CAST(:{name} AS bigint) AS {name}" for name in (*Standing._fields, "pass"))
    chosen = f"WITH chosen{cuts[0].level - 1} AS (SELECT {names}), {', '.join(map(_choose, cuts))}"
    return text(f"{chosen} SELECT * FROM chosen{cuts[-1].level}")


_DESCENTS = tuple(_descend([cut for cut in _CUTS if (cut.part == "deficit") is scores]) for scores in (True, False))
"""Most pages are found by the first alone; were it one statement, a database would plan it for the worst."""


async def _find(connection: AsyncConnection, board: str, offset: int) -> _Start | None:
    """A bucket's start with few places between it and the one after `offset` others; None if that is past the last."""
    start = _Start(-(1 << 62), 0, 0, offset)
    for descent in _DESCENTS if offset else ():
        found = (await connection.execute(descent, start.on(board))).first()
        if found is None:
            return None
        *begins, count = map(int, found)
        start = _Start(*begins)
        if count <= FEW:
            break
    return start


async def _stretch(
    connection: AsyncConnection, board: str, start: _Start, offset: int, limit: int
) -> Sequence[Row[tuple[int, ...]]]:
    wanted = {**start.on(board), "deal": deal_of(board), "offset": offset, "limit": limit}
    return (await connection.execute(_PAGE, wanted)).all()


async def _total(connection: AsyncConnection, board: str) -> int:
    return int((await connection.execute(text(_TOTAL), {"board": board})).scalar_one())
