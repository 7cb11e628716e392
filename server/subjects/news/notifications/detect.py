"""Detects news for readers: a day opens, a race or an evening begins, a series stops, a player was overtaken.

Who was overtaken on the board of a day: a player's rank is worse than the one known, and the own total is the same.

The board is compared when a run has ended, and not otherwise. A player is told a few times a day at most, and not in
quick succession; until then the rank that is known stays, so what happens meanwhile is told together.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from cadogan.server.core import dates, ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import news, notification_devices, notifications, notified_ranks, races
from cadogan.server.core.dates import LAST_MOMENT
from cadogan.server.core.ended_feed import EndedFeed
from cadogan.server.core.eventlog.streams import GAMES
from cadogan.server.core.ranking import day_board
from cadogan.server.subjects.daily.challenges import DailyChallenges
from cadogan.server.subjects.daily.days import DailyChallenge
from cadogan.server.subjects.leaderboards.queries import BoardQueries, RankedTotal
from cadogan.server.subjects.news.notifications.queue import devices_with, write_notifications
from cadogan.server.subjects.races.race_state import START_TIMEOUT_MILLISECONDS
from cadogan.server.subjects.races.repository import RaceRepository
from cadogan.wire.notifications import NotificationTopic

MAX_A_DAY = 3
"""So often a player is told of being overtaken on one day's board."""
PAUSE_MILLISECONDS = 30 * 60_000
"""Between two of them."""
KEEP_DAYS = 3
_PLAYERS_PER_STATEMENT = 500


class OvertakenDetector:
    """Finds who was overtaken, on one node. Moments are in milliseconds since 1970."""

    def __init__(self, database: Database, challenges: DailyChallenges, boards: BoardQueries) -> None:
        self._database = database
        self._challenges = challenges
        self._boards = boards
        self._ended = EndedFeed(database)
        self._due_at = 0

    def note_change(self) -> None:
        """Compare the ranks at the next `collect`, because a device has subscribed to rank changes.

        This never waits.
        """
        self._due_at = 0

    async def collect(self, now: int) -> None:
        """Write the notifications of those who were overtaken since the last time."""
        async for _ in self._ended.read("overtaken", GAMES):
            await self._compare_all(now)  # before the page counts as read on all nodes
        if now >= self._due_at:
            await self._compare_all(now)

    async def clear(self, now: int) -> None:
        """Forget the ranks on boards of days that are long over."""
        before = dates.add_days(dates.day_of(now), -KEEP_DAYS)
        async with self._database.writing() as connection:
            await connection.execute(delete(notified_ranks).where(notified_ranks.c.day < before))

    async def _compare_all(self, now: int) -> None:
        self._due_at = LAST_MOMENT
        wanted = select(notification_devices.c.player).distinct()
        async with self._database.reading() as connection:
            rows = await connection.scalars(wanted.where(notification_devices.c.topics.contains("overtaken")))
            readers = sorted(one for one in rows if not ids.is_bot(one))
        for day in (dates.day_of(now), dates.add_days(dates.day_of(now), -1)):  # yesterday's runs may still end
            daily = await self._challenges.get(day, now)
            if daily is not None and daily.state(now) == "open":
                for start in range(0, len(readers), _PLAYERS_PER_STATEMENT):
                    await self._compare(daily, readers[start : start + _PLAYERS_PER_STATEMENT], now)

    async def _compare(self, daily: DailyChallenge, readers: Sequence[str], now: int) -> None:
        here = select(notified_ranks).where(notified_ranks.c.day == daily.day, notified_ranks.c.player.in_(readers))
        known = {row.player: row for row in await self._database.fetch(here)}
        for own in await self._boards.ranked(day_board(daily.day), readers):
            await self._compare_one(daily, own, known.get(own.player), now)

    async def _compare_one(
        self, daily: DailyChallenge, own: RankedTotal, known: Row[tuple[Any, ...]] | None, now: int
    ) -> None:
        total = f"{own.deficit} {own.moves} {own.milliseconds}"
        if known is None:
            await self._begin(daily.day, own, total)
            return
        is_overtaken = own.rank > known.rank and total == known.total
        if is_overtaken and known.told >= MAX_A_DAY:
            return
        if is_overtaken and now < known.told_at + PAUSE_MILLISECONDS:
            self._due_at = min(self._due_at, known.told_at + PAUSE_MILLISECONDS)
            return
        if (own.rank, total) == (known.rank, known.total):
            return
        notified = {"told": known.told + 1, "told_at": now} if is_overtaken else {}
        changed = update(notified_ranks).where(
            notified_ranks.c.player == own.player,
            notified_ranks.c.day == daily.day,
            notified_ranks.c.rank == known.rank,
            notified_ranks.c.told == known.told,
        )
        async with self._database.writing() as connection:
            is_first = (await connection.execute(changed.values(rank=own.rank, total=total, **notified))).rowcount
            if is_first and is_overtaken:  # else another node has told it
                mine = notification_devices.c.player == own.player
                devices = await devices_with(connection, "overtaken", mine)
                await write_notifications(connection, devices, "overtaken", daily.day, "", now, daily.span.closes_at)

    async def _begin(self, day: str, own: RankedTotal, total: str) -> None:
        row = {"player": own.player, "day": day, "rank": own.rank, "total": total, "told": 0, "told_at": 0}
        try:
            async with self._database.writing() as connection:
                await connection.execute(insert(notified_ranks).values(row))
        except IntegrityError:
            pass  # another node has, or the player was erased


class EveningNotice(NamedTuple):
    """News of an evening: its kind, id and games, the recipients, and the expiry in milliseconds since 1970."""

    topic: NotificationTopic
    id: str
    games: Sequence[str]
    players: Collection[str]
    until: int


RACE_MILLISECONDS = 5 * 60_000
"""So long after its start nobody is called to a race any more."""
_KEEP_RACES = 10_000
"""Races that this node remembers to have told."""


FindNotices = Callable[[], Awaitable[Sequence[EveningNotice]]]
"""Returns what is to be told of evenings now, also what was told before."""


class NotificationDetector:
    """Finds what is news for readers, on one node. `now` returns the time in milliseconds since 1970."""

    def __init__(
        self,
        database: Database,
        challenges: DailyChallenges,
        repository: RaceRepository,
        overtaken: OvertakenDetector,
        find_notices: FindNotices,
        now: Callable[[], int],
    ) -> None:
        self._database = database
        self._challenges = challenges
        self._races = repository
        self._overtaken = overtaken
        self._find_notices = find_notices
        self._now = now
        self._notified: set[str] = set()

    async def collect(self) -> None:
        """Write the notifications of everything that has happened and that no node has written yet."""
        now = self._now()
        async with self._database.reading() as connection:
            topics = {
                topic
                for text in await connection.scalars(select(notification_devices.c.topics).distinct())
                for topic in text.split()
            }
        if not topics:
            return
        today = await self._challenges.get(dates.day_of(now), now)
        if today is not None and "day_opened" in topics and today.state(now) == "open":
            await self._publish_day(today)
        if "race_started" in topics:
            for race in await self._latest_races(now):
                await self._publish_race(race)
        if topics & {"evening_begins", "challenged", "series_stopped"}:
            for one in await self._find_notices():
                theirs = notification_devices.c.player.in_(one.players)
                await self._queue(one.topic, one.id, " ".join(dict.fromkeys(one.games)), one.until, theirs)
        if "overtaken" in topics:
            await self._overtaken.collect(now)

    async def clear(self) -> None:
        """Delete expired notifications."""
        now = self._now()
        async with self._database.writing() as connection:
            await connection.execute(delete(notifications).where(notifications.c.expires_at <= now))
        await self._overtaken.clear(now)

    async def _publish_day(self, daily: DailyChallenge) -> None:
        games = " ".join(one.game for one in daily.announced)
        opened_before = notification_devices.c.created_at <= daily.span.opens_at
        await self._queue("day_opened", daily.day, games, daily.span.ends_at, opened_before)

    async def _latest_races(self, now: int) -> list[str]:
        """Return the races that have begun and that this node has not told, of those that may have begun just now."""
        since = now - START_TIMEOUT_MILLISECONDS - RACE_MILLISECONDS
        begun = select(races.c.id).where(races.c.opened_at >= since, races.c.status == "started")
        async with self._database.reading() as connection:
            found = set(await connection.scalars(begun))
        return sorted(one for one in found if f"race_started/{one}" not in self._notified)

    async def _publish_race(self, race_id: str) -> None:
        race = await self._races.read(race_id)
        if race is None or race.started is None:
            return
        until = race.started.starts_at + RACE_MILLISECONDS
        if until > self._now():
            theirs = notification_devices.c.player.in_(race.players)
            await self._queue("race_started", race.id, race.opened.game, until, theirs)
        self._remember(f"race_started/{race_id}")

    async def _queue(
        self, topic: NotificationTopic, about: str, games: str, expires_at: int, whom: ColumnElement[bool]
    ) -> None:
        what, now = f"{topic}/{about}", self._now()
        if what in self._notified:
            return
        try:
            async with self._database.writing() as connection:
                await connection.execute(insert(news).values(id=f"notified/{what}", at=now))
                devices = await devices_with(connection, topic, whom)
                await write_notifications(connection, devices, topic, about, games, now, expires_at)
        except IntegrityError:
            pass  # another node has told it, or this one before it was started again
        self._remember(what)

    def _remember(self, what: str) -> None:
        if len(self._notified) >= _KEEP_RACES:
            self._notified.clear()  # the database knows it too
        self._notified.add(what)
