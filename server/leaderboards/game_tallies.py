"""Statistics of each kind of game on this server: finished, won, and mean time."""

import asyncio
from typing import NamedTuple

from sqlalchemy import case, func, select, union_all

from cadogan.server.core.clock import Clock
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import archived_games, games, players, strikes

MAX_AGE_MILLISECONDS = 10 * 60 * 1000
"""Milliseconds for which the figures are cached, because the query reads all games."""
MIN_MOVES = 10
"""Games resigned after fewer moves are not counted."""
MAX_GAME_MILLISECONDS = 60 * 60 * 1000
"""Longer games are left out of the mean time, because they were interrupted."""


class GameTally(NamedTuple):
    """Finished games of one kind. `milliseconds` is their mean time, over `timed` games; 0 if there are none."""

    played: int = 0
    won: int = 0
    timed: int = 0
    milliseconds: int = 0


class GameTallies:
    """The figures of all games in a database, of people and not of bots. Archived games still count."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now
        self._lock = asyncio.Lock()
        self._read_at: int | None = None
        self._tallies: dict[str, GameTally] = {}

    async def all(self) -> dict[str, GameTally]:
        """Return the figures by the game's slug, at most `MAX_AGE_MILLISECONDS` old."""
        async with self._lock:
            now = self._now()
            if self._read_at is None or not 0 <= now - self._read_at < MAX_AGE_MILLISECONDS:
                self._tallies = await self._read()
                self._read_at = now
        return self._tallies

    async def _read(self) -> dict[str, GameTally]:
        names = ("game", "status", "moves", "milliseconds")
        stored = select(*(games.c[name] for name in names)).outerjoin(players, players.c.id == games.c.player)
        stored = stored.where(games.c.finished_at.is_not(None), games.c.origin.is_(None), players.c.owner.is_(None))
        stored = stored.where(games.c.id.not_in(select(strikes.c.game_id)))
        archived = select(*(archived_games.c[name] for name in names))
        over = union_all(stored.where(games.c.moves >= MIN_MOVES), archived.where(archived_games.c.moves >= MIN_MOVES))
        each = over.subquery().c
        is_timed = (each.status != "resigned") & (each.milliseconds <= MAX_GAME_MILLISECONDS)
        rows = select(
            each.game,
            func.count().label("played"),
            func.sum(case((each.status == "won", 1), else_=0)).label("won"),
            func.sum(case((is_timed, 1), else_=0)).label("timed"),
            func.sum(case((is_timed, each.milliseconds), else_=0)).label("milliseconds"),
        ).group_by(each.game)
        return {
            row.game: GameTally(row.played, int(row.won), int(row.timed), int(row.milliseconds) // (row.timed or 1))
            for row in await self._database.fetch(rows)
        }
