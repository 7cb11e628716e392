"""Finding what is news, and writing a delivery of it for each webhook: once, whichever node comes first."""

from collections.abc import Callable, Sequence

from sqlalchemy import ColumnElement, delete, insert, select
from sqlalchemy.exc import IntegrityError

from cadogan.server.core import dates, ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import deliveries, news, races, webhooks
from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.core.ended_feed import EndedFeed
from cadogan.server.core.eventlog.streams import DAYS, RACES, id_of
from cadogan.server.core.ranking import day_board
from cadogan.server.subjects.admin.findings import Findings
from cadogan.server.subjects.admin.reports import Report, Reports
from cadogan.server.subjects.daily.challenges import DAYS_AHEAD, DailyChallenges
from cadogan.server.subjects.daily.days import DailyChallenge
from cadogan.server.subjects.leaderboards.queries import BoardQueries
from cadogan.server.subjects.news.evening_news import EveningNews
from cadogan.server.subjects.news.items import Item, Place, figures_of
from cadogan.server.subjects.news.webhooks import delivery_row
from cadogan.server.subjects.races.race_state import RaceState
from cadogan.server.subjects.races.repository import RaceRepository
from cadogan.server.subjects.reviews.reviews import Reviews
from cadogan.wire.reviews import DayReview

MAX_NEWS_AGE_MILLISECONDS = 2 * MILLISECONDS_PER_DAY
"""What happened longer ago is no news: a server that was off for a week tells nothing about it."""
KEEP_MILLISECONDS = 30 * MILLISECONDS_PER_DAY
"""For so long it is kept what was told, and how it arrived."""
DAYS_OF_GRACE = 3
"""A day closes within so many days of its beginning."""
TOP = 10
"""Places of a day's board that are told."""


class NewsDetector:
    """Finds what is news, on one node. `now` returns the time in milliseconds since 1970."""

    def __init__(
        self,
        database: Database,
        challenges: DailyChallenges,
        repository: RaceRepository,
        boards: BoardQueries,
        reports: Reports,
        findings: Findings,
        reviews: Reviews,
        evenings: EveningNews,
        now: Callable[[], int],
    ) -> None:
        self._database = database
        self._challenges = challenges
        self._races = repository
        self._boards = boards
        self._reports = reports
        self._findings = findings
        self._reviews = reviews
        self._evenings = evenings
        self._now = now
        self._notified: set[str] = set()
        self._ended = EndedFeed(database)

    async def collect(self) -> None:
        """Write the deliveries of everything that has happened and that no node has written yet."""
        now = self._now()
        since = await self._database.fetch_value(select(webhooks.c.created_at).order_by(webhooks.c.created_at).limit(1))
        if since is None:
            return
        since = max(since, now - MAX_NEWS_AGE_MILLISECONDS)
        for daily in await self._challenges.list_days(now, most=DAYS_AHEAD + 4):
            if daily.opened and since <= daily.span.opens_at <= now:
                await self._queue(_day_opened(daily))
            if daily.closed and since <= daily.span.closes_at and (review := self._reviews.known(daily.day)):
                await self._publish_review(daily, review)
        for race in await self._open_races(since, races.c.status == "started"):
            if f"race_started/{race}" not in self._notified:
                await self._publish_race(race, since)
        first_day = dates.add_days(dates.day_of(since), -DAYS_OF_GRACE)
        async for streams in self._ended.read("news", DAYS, RACES, first_day=first_day):
            await self._publish_ends(streams, since, first_day)
        for item in await self._evenings.read(since, self._notified):
            await self._queue(item)
        for report in await self._reports.waiting_since(since):
            await self._queue(_report_made(report))
        for looked in await self._findings.latest():
            if looked.at >= since:
                await self._queue(Item("findings_made", looked.day, looked.at, count=looked.found))

    async def clear(self) -> None:
        """Delete what is older than `KEEP_MILLISECONDS`."""
        before = self._now() - KEEP_MILLISECONDS
        async with self._database.writing() as connection:
            await connection.execute(delete(deliveries).where(deliveries.c.created_at < before))
            await connection.execute(delete(news).where(news.c.at < before))
        self._notified.clear()

    async def _open_races(self, since: int, chosen: ColumnElement[bool]) -> list[str]:
        """Return the ids of these open races of the last days; a race lasts a day at most."""
        wanted = select(races.c.id).where(races.c.open, races.c.opened_at >= since - MILLISECONDS_PER_DAY, chosen)
        return [row.id for row in await self._database.fetch(wanted)]

    async def _publish_ends(self, streams: Sequence[str], since: int, first_day: str) -> None:
        """Queue news of closed days and finished races; those that were queued before are skipped."""
        for day in [id_of(stream) for stream in streams if stream.startswith(DAYS)]:
            daily = await self._challenges.get(day, self._now()) if day >= first_day else None
            if daily is not None and since <= daily.span.closes_at:
                await self._publish_close(daily)
        over = [id_of(stream) for stream in streams if stream.startswith(RACES)]
        for race in await self._open_races(since, races.c.id.in_(over)):
            await self._publish_race(race, since)

    async def _publish_close(self, daily: DailyChallenge) -> None:
        _, rows = await self._boards.page(day_board(daily.day), 0, TOP)
        places = tuple(Place(one.rank, one.player, -one.deficit) for one in rows)
        games = tuple(one.game for one in daily.announced)
        await self._queue(Item("day_closed", daily.day, daily.span.closes_at, games, places=places))

    async def _publish_review(self, daily: DailyChallenge, review: DayReview) -> None:
        deals, games = figures_of(review), tuple(one.game for one in daily.announced)
        if deals:
            await self._queue(Item("day_reviewed", daily.day, daily.span.closes_at, games, deals=deals))

    async def _publish_race(self, race_id: str, since: int) -> None:
        race = await self._races.read(race_id)
        if race is None or race.started is None:
            return
        for item in (_race_started(race), *((_race_ended(race),) if race.over else ())):
            if item.at >= since:
                await self._queue(item)
            self._notified.add(item.id)

    async def _queue(self, item: Item) -> None:
        if item.id in self._notified:
            return
        now = self._now()
        wanted = select(webhooks.c.id, webhooks.c.topics).where(webhooks.c.created_at <= item.at)
        try:
            async with self._database.writing() as connection:
                await connection.execute(insert(news).values(id=item.id, at=now))
                for webhook in (await connection.execute(wanted)).all():
                    if item.kind in webhook.topics.split():
                        row = delivery_row(ids.new_id(), webhook.id, item, now)
                        await connection.execute(insert(deliveries).values(row))
        except IntegrityError:
            pass  # another node has told it, or this one before it was started again
        self._notified.add(item.id)


def _day_opened(daily: DailyChallenge) -> Item:
    return Item("day_opened", daily.day, daily.span.opens_at, tuple(one.game for one in daily.announced))


def _report_made(report: Report) -> Item:
    return Item("report_made", report.id, report.reported_at, reason=report.reason, run=report.game)


def _race_started(race: RaceState) -> Item:
    assert race.started is not None
    return Item("race_started", race.id, race.started.starts_at, (race.opened.game,), tuple(race.players))


def _race_ended(race: RaceState) -> Item:
    results = race.finished.results if race.finished else ()
    places = tuple(Place(number, one.player, one.home) for number, one in enumerate(results, 1))
    return Item("race_ended", race.id, race.changed_at, (race.opened.game,), tuple(race.players), places)
