"""What a server sends to other programs and to readers: webhooks, digests by mail, and notifications."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from cadogan.server.core.clock import Clock
from cadogan.server.core.clock_check import ClockCheck
from cadogan.server.core.database.connections import Database
from cadogan.server.core.mailer import Mailer
from cadogan.server.core.outbox import Outbox, run_periodically
from cadogan.server.core.people import Persons, PlayerCache
from cadogan.server.subjects.admin.administration import Administration
from cadogan.server.subjects.daily.challenges import DailyChallenges
from cadogan.server.subjects.evenings.evenings import Evenings
from cadogan.server.subjects.evenings.leading.series import EveningSeries
from cadogan.server.subjects.evenings.views import EveningViews
from cadogan.server.subjects.leaderboards.queries import BoardQueries
from cadogan.server.subjects.news.detect import NewsDetector
from cadogan.server.subjects.news.digest_sender import BATCHES, DigestQueue, DigestReaders
from cadogan.server.subjects.news.digest_text import DigestWeeks
from cadogan.server.subjects.news.evening_news import EveningNews
from cadogan.server.subjects.news.items import Item, RenderedItem, render_item
from cadogan.server.subjects.news.notifications.sender import Notifier
from cadogan.server.subjects.news.webhook_sender import DeliveryQueue
from cadogan.server.subjects.news.webhooks import Webhooks
from cadogan.server.subjects.players.groups import Groups
from cadogan.server.subjects.players.profiles import Profiles
from cadogan.server.subjects.races.repository import RaceRepository
from cadogan.server.subjects.reviews.reviews import Reviews


class Sources(Protocol):
    """The sources of news; a server has all of them."""

    now: Clock
    clocks: ClockCheck
    database: Database
    challenges: DailyChallenges
    race_repository: RaceRepository
    boards: BoardQueries
    profiles: Profiles
    players: PlayerCache
    persons: Persons
    admin: Administration
    reviews: Reviews
    groups: Groups
    evenings: Evenings
    evening_views: EveningViews
    evening_series: EveningSeries


class News:
    """The news of one server, whose address is `origin`; without one, or without a `mailer`, no digests are offered.

    `contact` is the contact address sent to push services. `webhooks_inside` and `notifications_inside` let them be at
    addresses that are not public.
    """

    def __init__(
        self,
        sources: Sources,
        origin: str,
        mailer: Mailer | None,
        contact: str,
        webhooks_inside: bool,
        notifications_inside: bool,
    ) -> None:
        database, now, admin = sources.database, sources.now, sources.admin
        challenges, races, boards = sources.challenges, sources.race_repository, sources.boards
        self._origin = origin
        self._sources = sources
        self.webhooks = Webhooks(database, now, webhooks_inside)
        self.evening_news = EveningNews(sources)
        self.detector = NewsDetector(
            database,
            challenges,
            races,
            boards,
            admin.reports,
            admin.findings,
            sources.reviews,
            self.evening_news,
            now,
        )
        self.webhook_call = asyncio.Event()
        self.webhook_sender = Outbox(DeliveryQueue(database, now, self._render, webhooks_inside), self.webhook_call.set)
        self.digest_readers = DigestReaders(database, bool(mailer and origin), now)
        weeks = DigestWeeks(challenges, boards, sources.reviews, sources.profiles, sources.players)
        digests = DigestQueue(database, mailer, weeks, now, admin.name, origin)
        self.digest_sender = Outbox(digests, batches=BATCHES)
        self.notifier = Notifier(
            database,
            challenges,
            races,
            boards,
            sources.persons,
            self.evening_news.notices,
            now,
            admin.name,
            contact,
            notifications_inside,
        )

    async def run(self, stopping: asyncio.Event) -> None:
        """Look for news and send webhooks and digests until the server is stopping."""
        agree, now = self._sources.clocks.agree, self._sources.now

        async def send_webhooks(stopping: asyncio.Event) -> None:
            await self.detector.collect()
            await self.webhook_sender.start_due(stopping)

        async def send_digests(stopping: asyncio.Event) -> None:
            if await agree():  # a week that has ended is told once
                await self.digest_sender.start_due(stopping)

        def agreed(clear: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[None]]:
            async def clear_if_clocks_agree() -> None:
                if await agree():
                    await clear()

            return clear_if_clocks_agree

        clear_news, clear_readers = agreed(self.detector.clear), agreed(self.digest_readers.clear)
        await asyncio.gather(
            run_periodically("news", send_webhooks, clear_news, now, self.webhook_call, stopping),
            run_periodically("digests", send_digests, clear_readers, now, asyncio.Event(), stopping),
        )

    async def close(self) -> None:
        """Wait until nothing is being sent."""
        await asyncio.gather(self.webhook_sender.close(), self.digest_sender.close())

    async def _render(self, item: Item, language: str) -> RenderedItem:
        named = await self._sources.players.players({*item.players, *(place.player for place in item.places)})
        names = {id: player.name for id, player in named.items()}
        if item.kind == "evening_ended":
            names |= await self.evening_news.names(item.about)
        return render_item(item, names, await self._sources.admin.name(), self._origin, language)
