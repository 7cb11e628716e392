"""What is in a digest: the closed days of a week, the reader's own places on them, and the days to come."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cadogan.server.competitions.daily.challenges import DailyChallenges
from cadogan.server.core import dates
from cadogan.server.leaderboards.names import day_board, week_board
from cadogan.server.leaderboards.queries import BoardQueries
from cadogan.server.news.digests.times import digest_days
from cadogan.server.players.player_cache import PlayerCache
from cadogan.server.players.profiles import Profiles
from cadogan.server.players.streaks import count_streak

COMING_DAYS = 7
"""Days to come that a digest names, the one on which it is sent included."""
MAX_WINNERS = 3
"""Names of those who share the first place of a day; more are not named."""


class ClosedDay(NamedTuple):
    """A closed day: its games (slugs), who were first, with how many points, and how many players were on its board."""

    day: str
    games: tuple[str, ...]
    winners: tuple[str, ...]
    points: int
    players: int


class HouseWeek(NamedTuple):
    """The same for every reader. `coming` has days with their games; `open` says that a day is not closed yet."""

    days: tuple[str, ...]
    closed: tuple[ClosedDay, ...]
    coming: tuple[tuple[str, tuple[str, ...]], ...]
    open: bool


class OwnPlace(NamedTuple):
    """A reader's place on the board of a closed day."""

    day: str
    rank: int
    players: int
    points: int


class OwnWeek(NamedTuple):
    """A reader's week: the places on its days, the streak in days as it is now, and the place on the week's board.

    There is no place on the week's board as long as a day of the week is open.
    """

    places: tuple[OwnPlace, ...]
    streak: int
    week: OwnPlace | None = None


class DigestWeeks:
    """Reads weeks from the boards. Moments are in milliseconds since 1970."""

    def __init__(
        self, challenges: DailyChallenges, boards: BoardQueries, profiles: Profiles, players: PlayerCache
    ) -> None:
        self._challenges = challenges
        self._boards = boards
        self._profiles = profiles
        self._players = players

    async def is_open(self, week: int, now: int) -> bool:
        """Return whether a day is not closed yet of those that the digests of this week tell of."""
        found = [await self._challenges.get(day, now) for day in digest_days(week)]
        return any(daily is not None and daily.opened and not daily.closed for daily in found)

    async def house_week(self, week: int, now: int) -> HouseWeek:
        """Return what the digests that are sent in this week tell every reader."""
        days = tuple(digest_days(week))
        closed = []
        for day in days:
            daily = await self._challenges.get(day, now)
            if daily is not None and daily.opened and daily.closed:
                closed.append(await self._closed_day(day, tuple(one.game for one in daily.announced)))
        today, coming = dates.day_of(now), []
        for ahead in range(COMING_DAYS):
            daily = await self._challenges.get(dates.add_days(today, ahead), now)
            if daily is not None:
                coming.append((daily.day, tuple(one.game for one in daily.announced)))
        return HouseWeek(days, tuple(closed), tuple(coming), await self.is_open(week, now))

    async def own_weeks(self, house: HouseWeek, players: Sequence[str], now: int) -> dict[str, OwnWeek]:
        """Return the weeks of these players, by their ids."""
        places: dict[str, list[OwnPlace]] = {player: [] for player in players}
        for day in house.closed:
            for row in await self._boards.ranked(day_board(day.day), players):
                places[row.player].append(OwnPlace(day.day, row.rank, day.players, -row.deficit))
        week = {} if house.open else await self._week_places(house.days[0], players)
        today = dates.day_of(now)
        return {
            player: OwnWeek(tuple(places[player]), await self._streak(player, today), week.get(player))
            for player in players
        }

    async def _week_places(self, monday: str, players: Sequence[str]) -> dict[str, OwnPlace]:
        board = week_board(monday)
        total = await self._boards.total(board)
        rows = await self._boards.ranked(board, players)
        return {row.player: OwnPlace(monday, row.rank, total, -row.deficit) for row in rows}

    async def _closed_day(self, day: str, games: tuple[str, ...]) -> ClosedDay:
        total, rows = await self._boards.page(day_board(day), 0, MAX_WINNERS)
        first = [row for row in rows if row.rank == 1]
        names = await self._names(row.player for row in first)
        return ClosedDay(day, games, names, -first[0].deficit if first else 0, total)

    async def _names(self, players: Iterable[str]) -> tuple[str, ...]:
        ids = list(players)
        named = await self._players.players(ids)
        return tuple(named[id].name for id in ids)

    async def _streak(self, player: str, today: str) -> int:
        return count_streak(await self._profiles.days_played(player), today).current
