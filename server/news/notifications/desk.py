"""What is news for readers: a day has opened, a race of theirs begins. Told once, by whichever node is first."""

from collections.abc import Callable

from sqlalchemy import ColumnElement, delete, insert, select
from sqlalchemy.exc import IntegrityError

from cadogan.server.competitions.daily.challenges import DailyChallenges
from cadogan.server.competitions.daily.daily_challenge import DailyChallenge
from cadogan.server.competitions.races.race_state import START_TIMEOUT_MILLISECONDS
from cadogan.server.competitions.races.repository import RaceRepository
from cadogan.server.core import dates
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import news, notification_devices, notifications, races
from cadogan.server.news.notifications.overtaken import OvertakenDesk
from cadogan.server.news.notifications.queue import devices_with, write_notifications
from cadogan.wire.notifications import NotificationTopic

RACE_MILLISECONDS = 5 * 60_000
"""So long after its start nobody is called to a race any more."""
_KEEP_RACES = 10_000
"""Races that this node remembers to have told."""


class NotificationDesk:
    """The desk of one node. `now` returns the time in milliseconds since 1970."""

    def __init__(
        self,
        database: Database,
        challenges: DailyChallenges,
        repository: RaceRepository,
        overtaken: OvertakenDesk,
        now: Callable[[], int],
    ) -> None:
        self._database = database
        self._challenges = challenges
        self._races = repository
        self._overtaken = overtaken
        self._now = now
        self._told: set[str] = set()

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
        if "overtaken" in topics:
            await self._overtaken.collect(now)

    async def clear(self) -> None:
        """Delete what nobody is to be told any more."""
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
        return sorted(one for one in found if f"race_started/{one}" not in self._told)

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
        if what in self._told:
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
        if len(self._told) >= _KEEP_RACES:
            self._told.clear()  # the database knows it too
        self._told.add(what)
