"""Profiles: what the log and the accounts tell of somebody, in numbers of games that are over."""

from typing import NamedTuple

from sqlalchemy import case, func, select

from server.database.connections import Database
from server.database.tables import entries, games, players
from server.players.share_text import Result

RECENT = 20
"""Games that a profile lists."""


class Tally(NamedTuple):
    """How somebody has fared with one set of rules."""

    rules: str
    played: int
    won: int
    best_score: int


class Profiles:
    """The profiles of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def since(self, player: str) -> int | None:
        """When the account was made, in milliseconds since 1970; None for one that is unknown or gone."""
        async with self._database.reading() as connection:
            made: int | None = await connection.scalar(select(players.c.created_at).where(players.c.id == player))
            return made

    async def tallies(self, player: str) -> list[Tally]:
        """How the player has fared, with the rules played most first."""
        won = func.sum(case((games.c.status == "won", 1), else_=0))
        over = select(games.c.game, func.count(), won, func.max(games.c.score)).where(
            games.c.player == player, games.c.finished_at.is_not(None)
        )
        async with self._database.reading() as connection:
            rows = await connection.execute(over.group_by(games.c.game).order_by(func.count().desc(), games.c.game))
            return [Tally(*row) for row in rows]

    async def recent(self, player: str) -> list[str]:
        """The ids of the player's latest games that are over, latest first."""
        over = select(games.c.id).where(games.c.player == player, games.c.finished_at.is_not(None))
        async with self._database.reading() as connection:
            return list(await connection.scalars(over.order_by(games.c.started_at.desc(), games.c.id).limit(RECENT)))

    async def days(self, player: str) -> list[str]:
        """The days of which the player has finished a ranked run."""
        async with self._database.reading() as connection:
            return list(await connection.scalars(select(entries.c.day).where(entries.c.player == player).distinct()))

    async def results(self, player: str, day: str) -> dict[str, Result]:
        """The player's finished ranked runs of a day, by the deal's name."""
        mine = select(entries).where(entries.c.player == player, entries.c.day == day)
        async with self._database.reading() as connection:
            return {
                row.deal: Result(row.result, row.points, row.moves, row.milliseconds)
                for row in await connection.execute(mine)
            }
