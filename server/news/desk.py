"""Finding what is news, and writing a delivery of it for each webhook: once, whichever node comes first."""

from collections.abc import Callable

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from cadogan.server.competitions.daily.challenges import DAYS_AHEAD, DailyChallenges
from cadogan.server.competitions.daily.daily_challenge import DailyChallenge
from cadogan.server.competitions.races.race_state import RaceState
from cadogan.server.competitions.races.repository import RaceRepository
from cadogan.server.core import ids
from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import deliveries, news, races, webhooks
from cadogan.server.house.fair_play.findings import Findings
from cadogan.server.house.fair_play.reports import Report, Reports
from cadogan.server.leaderboards.names import day_board
from cadogan.server.leaderboards.queries import BoardQueries
from cadogan.server.news.items import Item, Place
from cadogan.server.news.webhooks import delivery_row

LOOK_BACK_MILLISECONDS = 2 * MILLISECONDS_PER_DAY
"""What happened longer ago is no news: a server that was off for a week tells nothing about it."""
KEEP_MILLISECONDS = 30 * MILLISECONDS_PER_DAY
"""For so long it is kept what was told, and how it arrived."""
TOP = 10
"""Places of a day's board that are told."""
_RACE_KINDS = {"started": ("race_started",), "over": ("race_started", "race_ended")}


class NewsDesk:
    """The desk of one node. `now` returns the time in milliseconds since 1970."""

    def __init__(
        self,
        database: Database,
        challenges: DailyChallenges,
        repository: RaceRepository,
        boards: BoardQueries,
        reports: Reports,
        findings: Findings,
        now: Callable[[], int],
    ) -> None:
        self._database = database
        self._challenges = challenges
        self._races = repository
        self._boards = boards
        self._reports = reports
        self._findings = findings
        self._now = now
        self._told: set[str] = set()

    async def collect(self) -> None:
        """Write the deliveries of everything that has happened and that no node has written yet."""
        now = self._now()
        since = await self._database.fetch_value(select(webhooks.c.created_at).order_by(webhooks.c.created_at).limit(1))
        if since is None:
            return
        since = max(since, now - LOOK_BACK_MILLISECONDS)
        for daily in await self._challenges.list_days(now, most=DAYS_AHEAD + 4):
            if daily.opened and since <= daily.span.opens_at <= now:
                await self._queue(_day_opened(daily))
            if daily.closed and since <= daily.span.closes_at:
                await self._publish_close(daily)
        for race, status in await self._latest_races(since):
            for kind in _RACE_KINDS[status]:
                if f"{kind}/{race}" not in self._told:
                    await self._publish_race(kind, race, since)
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
        self._told.clear()

    async def _latest_races(self, since: int) -> list[tuple[str, str]]:
        """Return the open races of the last days that have begun, with their status; a race lasts a day at most."""
        begun = races.c.status.in_(_RACE_KINDS)
        wanted = select(races.c.id, races.c.status).where(races.c.open, begun, races.c.opened_at >= since)
        return [(row.id, row.status) for row in await self._database.fetch(wanted)]

    async def _publish_close(self, daily: DailyChallenge) -> None:
        if f"day_closed/{daily.day}" in self._told:
            return
        _, rows = await self._boards.page(day_board(daily.day), 0, TOP)
        places = tuple(Place(one.rank, one.player, -one.deficit) for one in rows)
        games = tuple(one.game for one in daily.announced)
        await self._queue(Item("day_closed", daily.day, daily.span.closes_at, games, places=places))

    async def _publish_race(self, kind: str, race_id: str, since: int) -> None:
        race = await self._races.read(race_id)
        if race is None or race.started is None:
            return
        item = _race_ended(race) if kind == "race_ended" else _race_started(race)
        if item.at >= since:
            await self._queue(item)
        self._told.add(item.id)

    async def _queue(self, item: Item) -> None:
        if item.id in self._told:
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
        self._told.add(item.id)


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
