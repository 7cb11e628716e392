"""Questions to the index, which is derived from the log: which games and races there are, not how they stand."""

from typing import Any

from sqlalchemy import select

from server.db import Database
from server.models import games, races


class Index:
    """The index of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_day(self, day: str) -> list[str]:
        """The ids of a day's runs, in the order they began."""
        return await self._ids(select(games.c.id).where(games.c.day == day).order_by(games.c.started_at, games.c.id))

    async def playing(self, since: int, most: int) -> list[str]:
        """The ids of games that began after `since` and have not ended, the latest first."""
        unfinished = select(games.c.id).where(games.c.status == "playing", games.c.started_at > since)
        return await self._ids(unfinished.order_by(games.c.started_at.desc(), games.c.id).limit(most))

    async def days_of(self, player: str) -> dict[str, str]:
        """The player's ranked game of each day that the player has entered."""
        mine = select(games.c.day, games.c.id).where(games.c.player == player, games.c.day.is_not(None), games.c.ranked)
        async with self._database.reading() as connection:
            return {row.day: row.id for row in await connection.execute(mine)}

    async def open_races(self, since: int, most: int) -> list[str]:
        """The ids of races that anyone may join, opened after `since` and not started, the latest first."""
        chosen = select(races.c.id).where(races.c.opened_at > since, races.c.status == "open", races.c.open)
        return await self._ids(chosen.order_by(races.c.opened_at.desc(), races.c.id).limit(most))

    async def _ids(self, chosen: Any) -> list[str]:
        async with self._database.reading() as connection:
            return list((await connection.scalars(chosen)).all())
