"""Profiles: figures about one player, from the account and from the games that are over."""

from typing import NamedTuple

from sqlalchemy import case, func, or_, select

from server.database.connections import Database
from server.database.tables import entries, games, players
from server.players.share_text import RunResult

MAX_RECENT_GAMES = 20
"""How many games a profile lists."""


MIN_MOVES_OF_A_STREAK = 10
"""How many moves a ranked run that was given up must have, so that its day counts for a streak."""

MAX_PAGE = 100
"""How many games an export reads at a time."""


class RulesTally(NamedTuple):
    """How many games of one kind a player has finished and won, and their best score. `rules` is the game's slug."""

    rules: str
    played: int
    won: int
    best_score: int


class Profiles:
    """The profiles of the players in a database. Players are given by their ids."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def created_at(self, player: str) -> int | None:
        """Return when the account was created, in milliseconds since 1970; None if it does not exist or was erased."""
        async with self._database.reading() as connection:
            found: int | None = await connection.scalar(select(players.c.created_at).where(players.c.id == player))
            return found

    async def tallies(self, player: str) -> list[RulesTally]:
        """Return the player's figures for each kind of game, the kind played most first."""
        won = func.sum(case((games.c.status == "won", 1), else_=0))
        over = select(games.c.game, func.count(), won, func.max(games.c.score)).where(
            games.c.player == player, games.c.finished_at.is_not(None)
        )
        async with self._database.reading() as connection:
            rows = await connection.execute(over.group_by(games.c.game).order_by(func.count().desc(), games.c.game))
            return [RulesTally(*row) for row in rows]

    async def recent_games(self, player: str) -> list[str]:
        """Return the ids of the player's games that are over, latest first, at most `MAX_RECENT_GAMES`."""
        over = select(games.c.id).where(games.c.player == player, games.c.finished_at.is_not(None))
        async with self._database.reading() as connection:
            return list(
                await connection.scalars(over.order_by(games.c.started_at.desc(), games.c.id).limit(MAX_RECENT_GAMES))
            )

    async def finished_games(
        self, player: str, since: int, until: int, after: tuple[int, str]
    ) -> list[tuple[int, str]]:
        """Return when each of the player's games that are over began, and its id: the next `MAX_PAGE` after this one.

        They began from `since` until before `until`, in milliseconds since 1970.
        """
        table = games.c
        over = select(table.started_at, table.id).where(
            table.player == player,
            table.finished_at.is_not(None),
            table.started_at >= since,
            table.started_at < until,
            (table.started_at > after[0]) | ((table.started_at == after[0]) & (table.id > after[1])),
        )
        async with self._database.reading() as connection:
            rows = await connection.execute(over.order_by(table.started_at, table.id).limit(MAX_PAGE))
            return [(row.started_at, row.id) for row in rows]

    async def days_played(self, player: str) -> list[str]:
        """Return the days of which the player has finished a ranked run: won it, got stuck, or played some moves.

        A run that was given up after fewer than `MIN_MOVES_OF_A_STREAK` moves was not played.
        """
        played = or_(entries.c.result != "resigned", entries.c.moves >= MIN_MOVES_OF_A_STREAK)
        days = select(entries.c.day).where(entries.c.player == player, played).distinct()
        async with self._database.reading() as connection:
            return list(await connection.scalars(days))

    async def day_results(self, player: str, day: str) -> dict[str, RunResult]:
        """Return the results of the player's finished ranked runs of a day, by the id of the deal."""
        mine = select(entries).where(entries.c.player == player, entries.c.day == day)
        async with self._database.reading() as connection:
            return {
                row.deal: RunResult(row.result, row.points, row.moves, row.milliseconds)
                for row in await connection.execute(mine)
            }
