"""The daily challenge: one sealed deal a day, announced days before, opened, and closed with its secret.

No timer does any of this. Whoever asks first after a moment has passed writes what it brought: the events are the same
whoever writes them, and the log's unique versions let only one writer through.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from server import chain, days, ids
from server.deals import Deals, SealedDeal
from server.events import DailyAnnounced, DailyClosed, DailyOpened, Event
from server.store import Append, Store, VersionConflict

AHEAD = 7
"""Days after today whose commitments are published already."""
SHOWN = 30
"""Days before today that are listed."""


@dataclass(slots=True)
class Daily:
    """A day's challenge as its stream tells it."""

    deal: SealedDeal
    day: str
    span: days.Span
    version: int = 0
    head: bytes = chain.START
    opened: bool = False
    closed: bool = False

    def state(self, now: int) -> str:
        """``announced``, ``open`` (until its grace is over) or ``closed``."""
        if self.closed or now >= self.span.closes_at:
            return "closed"
        return "open" if now >= self.span.opens_at else "announced"

    def attempt(self, player: str) -> str:
        """The id of this player's one ranked game of the day; nobody else can tell it before the secret is out."""
        return ids.derive(self.deal.secret, "attempt", self.day, player)


class Dailies:
    """The days of a server. `grace` is in milliseconds."""

    def __init__(self, store: Store, deals: Deals, games: tuple[str, ...], grace: int) -> None:
        self._store = store
        self._deals = deals
        self._games = games
        self._grace = grace
        self._days: dict[str, Daily] = {}
        self._due = 0
        self._lock = asyncio.Lock()

    async def listed(self, now: int) -> list[Daily]:
        """The days announced, today, and the last month, latest first."""
        await self._bring_up_to(now)
        today = days.day_of(now)
        first = days.later(today, -SHOWN)
        return sorted((daily for day, daily in self._days.items() if day >= first), key=_day, reverse=True)

    async def get(self, day: str, now: int) -> Daily | None:
        """One day that was announced. `now` brings every day up to date first."""
        await self._bring_up_to(now)
        if day in self._days or not days.readable(day):
            return self._days.get(day)
        deal = await self._deals.of_day(day, days.game_of(day, self._games))
        return None if deal is None else await self._read(deal, day)

    async def closed(self, day: str, now: int) -> bool:
        """Whether a day and its grace are over, so that its deal is no secret any more."""
        daily = self._days.get(day) or await self.get(day, now)
        return daily is not None and daily.state(now) == "closed"

    async def _bring_up_to(self, now: int) -> None:
        if now < self._due:
            return
        async with self._lock:
            if now < self._due:
                return
            today = days.day_of(now)
            if not self._days:
                await self._load(today)
            for ahead in range(AHEAD + 1):
                await self._announce(days.later(today, ahead), now)
            await self._open(self._days[today], now)
            for daily in self._days.values():
                if daily.state(now) == "closed":
                    await self._close(daily, now)
            self._due = min(
                (moment for daily in self._days.values() for moment in daily.span if moment > now),
                default=now,
            )

    async def _load(self, today: str) -> None:
        """Read the days that are listed and, however long the server was away, every one that is not closed yet."""
        first = days.later(today, -SHOWN)
        for day in reversed(await self._deals.sealed_days(days.later(today, AHEAD))):
            deal = await self._deals.of_day(day, days.game_of(day, self._games))
            if deal is not None:
                daily = self._days[day] = await self._read(deal, day)
                if daily.closed and day < first:
                    return

    async def _read(self, deal: SealedDeal, day: str) -> Daily:
        daily = Daily(deal, day, days.span(day, self._grace))
        await self._follow(daily)
        return daily

    async def _follow(self, daily: Daily) -> None:
        for event in await self._store.read(_stream(daily.day), daily.version):
            daily.version, daily.head = event.version, event.hash
            daily.opened = daily.opened or event.type == "daily_opened"
            daily.closed = daily.closed or event.type == "daily_closed"

    async def _announce(self, day: str, now: int) -> None:
        if day not in self._days:
            deal = await self._deals.seal_day(days.game_of(day, self._games), day, now)
            self._days[day] = await self._read(deal, day)
        daily = self._days[day]
        while daily.version == 0:
            deal = daily.deal
            await self._write(daily, DailyAnnounced(day, deal.game, deal.id, deal.commitment), now)

    async def _open(self, daily: Daily, now: int) -> None:
        while not (daily.opened or daily.closed):
            await self._write(daily, DailyOpened(), now)

    async def _close(self, daily: Daily, now: int) -> None:
        while not daily.closed:
            await self._write(daily, DailyClosed(daily.deal.secret.hex()), now)

    async def _write(self, daily: Daily, event: Event, now: int) -> None:
        """Write the event unless another node writes one first; either way follow what is there then."""
        stream = _stream(daily.day)
        sealed = chain.seal(daily.head, stream, daily.version + 1, event, now)
        with suppress(VersionConflict):
            await self._store.append(Append(stream, None, (sealed,)))
        await self._follow(daily)


def _stream(day: str) -> str:
    return f"daily/{day}"


def _day(daily: Daily) -> str:
    return daily.day
