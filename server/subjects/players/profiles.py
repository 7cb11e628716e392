"""Profiles: statistics of one player, from the account and from finished games that were not struck."""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import ColumnElement, case, func, or_, select, text, true
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import dates
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import entries, games, log_entries, players, strikes
from cadogan.server.core.event_loop import Batcher
from cadogan.server.core.eventlog.streams import GAMES
from cadogan.server.subjects.players.sharing import RunResult

MAX_RECENT_GAMES = 20
"""The maximum number of games in a profile."""


MIN_MOVES_OF_A_STREAK = 10
"""The minimum number of moves of a resigned ranked run for its day to count for a streak."""

MAX_PAGE = 100
"""The number of games that an export reads at a time."""


WEEKS_SHOWN = 26
"""The number of weeks in a profile's statistics, including the current one."""


class Tally(NamedTuple):
    """The number of a player's finished and won games, and the best and mean score."""

    played: int
    won: int
    best_score: int
    mean_score: float


class RulesTally(NamedTuple):
    """A player's finished games of one kind. `rules` is the game's slug."""

    rules: str
    tally: Tally


class WeekTally(NamedTuple):
    """A player's games of one kind that ended in one week, which is given by its number (`dates.week_number`)."""

    week: int
    rules: str
    tally: Tally


class Profiles:
    """The profiles of the players in a database. Players are given by their ids.

    `withheld` are the ids of the player's games that are left out, since their results are secret
    (`cadogan.server.core.games.competition.Competitions.withheld_runs`).
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._days_played = Batcher(self._read_days_played)

    async def created_at(self, player: str) -> int | None:
        """Return when the account was created, in milliseconds since 1970; None if it does not exist or was erased."""
        found: int | None = await self._database.fetch_value(select(players.c.created_at).where(players.c.id == player))
        return found

    async def tallies(self, player: str, withheld: Collection[str] = ()) -> list[RulesTally]:
        """Return the player's statistics by kind of game, the most played first."""
        over = select(games.c.game, *_FIGURES).where(games.c.player == player, _OVER).group_by(games.c.game)
        async with self._database.reading() as connection:
            over = over.where(await _counted(connection, player, withheld))
            rows = await connection.execute(over.order_by(func.count().desc(), games.c.game))
            return [RulesTally(rules, _tally(*figures)) for rules, *figures in rows]

    async def weeks(self, player: str, until: int, withheld: Collection[str] = ()) -> list[WeekTally]:
        """Return the player's statistics of `WEEKS_SHOWN` weeks by week and kind of game, the earliest first.

        `until` is the number of the last week.
        """
        first = dates.FIRST_MONDAY + (until - WEEKS_SHOWN + 1) * dates.MILLISECONDS_PER_WEEK
        week = ((games.c.finished_at - dates.FIRST_MONDAY) // dates.MILLISECONDS_PER_WEEK).label("week")
        over = select(week, games.c.game, *_FIGURES).where(
            games.c.player == player, games.c.finished_at >= first, _OVER
        )
        async with self._database.reading() as connection:
            over = over.where(await _counted(connection, player, withheld))
            rows = await connection.execute(over.group_by(*_WEEK_AND_GAME).order_by(*_WEEK_AND_GAME))
            return [WeekTally(week, rules, _tally(*figures)) for week, rules, *figures in rows]

    async def earlier_games(self, player: str, rules: str, before: int, withheld: Collection[str] = ()) -> Tally | None:
        """Return the player's statistics of games of one kind that ended before a time; None without such games.

        `before` is in milliseconds since 1970.
        """
        earlier = games.c.finished_at < before
        chosen = select(*_FIGURES).where(games.c.player == player, games.c.game == rules, _OVER, earlier)
        async with self._database.reading() as connection:
            played, *figures = (
                await connection.execute(chosen.where(await _counted(connection, player, withheld)))
            ).one()
            return _tally(played, *figures) if played else None

    async def recent_games(self, player: str, withheld: Collection[str] = ()) -> list[str]:
        """Return the ids of the player's latest finished games, latest first, at most `MAX_RECENT_GAMES`."""
        over = select(games.c.id).where(games.c.player == player, games.c.finished_at.is_not(None), _but(withheld))
        async with self._database.reading() as connection:
            return list(
                await connection.scalars(over.order_by(games.c.started_at.desc(), games.c.id).limit(MAX_RECENT_GAMES))
            )

    async def finished_games(
        self, player: str, since: int, until: int, after: tuple[int, str]
    ) -> list[tuple[int, str]]:
        """Return the start time and id of the player's finished games: the next `MAX_PAGE` after `after`.

        The games began at or after `since` and before `until`, in milliseconds since 1970.
        """
        table = games.c
        over = select(table.started_at, table.id).where(
            table.player == player,
            table.finished_at.is_not(None),
            table.started_at >= since,
            table.started_at < until,
            (table.started_at > after[0]) | ((table.started_at == after[0]) & (table.id > after[1])),
        )
        rows = await self._database.fetch(over.order_by(table.started_at, table.id).limit(MAX_PAGE))
        return [(row.started_at, row.id) for row in rows]

    async def logged_games(self, player: str, offset: int, limit: int) -> list[tuple[str, int | None]]:
        """Return the ids of the player's games, the latest first, each with the number of its log entry, if any."""
        stream = GAMES + games.c.id
        number = select(log_entries.c.number).where(log_entries.c.stream == stream).correlate(games)
        number = number.order_by(log_entries.c.version.desc()).limit(1)
        own = select(games.c.id, number.scalar_subquery()).where(games.c.player == player)
        own = own.order_by(games.c.started_at.desc(), games.c.id).offset(offset).limit(limit)
        return [(game, entry) for game, entry in await self._database.fetch(own)]

    async def days_played(self, player: str) -> list[str]:
        """Return the days on which the player has a played ranked run: won, lost, or resigned after enough moves.

        A run resigned after fewer than `MIN_MOVES_OF_A_STREAK` moves does not count.
        """
        return await self._days_played.get(player) or []

    async def _read_days_played(self, wanted: Collection[str]) -> dict[str, list[str]]:
        played = or_(entries.c.result != "resigned", entries.c.moves >= MIN_MOVES_OF_A_STREAK)
        days = select(entries.c.player, entries.c.day).where(entries.c.player.in_(wanted), played, _ON_BOARDS)
        found = dict[str, list[str]]()
        for player, day in await self._database.fetch(days.distinct()):
            found.setdefault(player, []).append(day)
        return found

    async def day_results(self, player: str, day: str) -> dict[str, RunResult]:
        """Return the results of the player's finished ranked runs of a day, by the id of the deal."""
        mine = select(entries).where(entries.c.player == player, entries.c.day == day, _ON_BOARDS)
        return {
            row.deal: RunResult(row.result, row.score, row.points, row.moves, row.milliseconds)
            for row in await self._database.fetch(mine)
        }


async def _counted(connection: AsyncConnection, player: str, withheld: Collection[str]) -> ColumnElement[bool]:
    """Return the SQL condition that a game is neither struck nor withheld; a constant true if the player has none such.

    So statistics of most players need only the covering index.
    """
    disqualified = await connection.scalars(select(strikes.c.game_id).where(strikes.c.player == player))
    return _but({*disqualified, *withheld})


def _but(left_out: Collection[str]) -> ColumnElement[bool]:
    return games.c.id.not_in(left_out) if left_out else true()


_ON_BOARDS = entries.c.game_id.not_in(select(strikes.c.game_id))
_WEEK_AND_GAME = (text("week"), games.c.game)
_OVER = games.c.finished_at.is_not(None) & games.c.origin.is_(None)
_FIGURES = (
    func.count(),
    func.sum(case((games.c.status == "won", 1), else_=0)),
    func.max(games.c.score),
    func.sum(games.c.score),
)


def _tally(played: int, won: int, best_score: int, total_score: int) -> Tally:
    return Tally(played, won, best_score, round(float(total_score) / played, 2))
