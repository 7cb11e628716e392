"""The leaderboard of a day: score, then fewer moves, then less time; whoever is equal in all three shares a rank."""

from typing import NamedTuple

from sqlalchemy import func, select

from server.db import Database
from server.models import entries


class Entry(NamedTuple):
    """One finished ranked run, with its rank."""

    rank: int
    game: str
    player: str
    result: str
    score: int
    moves: int
    milliseconds: int


_ORDER = (entries.c.score.desc(), entries.c.moves, entries.c.milliseconds)
_ENTRIES = select(
    func.rank().over(order_by=_ORDER),
    entries.c.game_id,
    entries.c.player,
    entries.c.result,
    entries.c.score,
    entries.c.moves,
    entries.c.milliseconds,
)


class Leaderboard:
    """The boards of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_day(self, day: str, offset: int, limit: int) -> tuple[int, list[Entry]]:
        """How many runs of the day have finished, and a stretch of them, best first; among equals the earlier first."""
        stretch = _ENTRIES.where(entries.c.day == day).order_by(*_ORDER, entries.c.finished_at, entries.c.game_id)
        async with self._database.reading() as connection:
            total = await connection.scalar(select(func.count()).select_from(entries).where(entries.c.day == day))
            rows = await connection.execute(stretch.offset(offset).limit(limit))
            return total or 0, [Entry(*row) for row in rows]
