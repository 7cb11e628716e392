"""The search for deals that can be won, days before they are played. It belongs in a process of its own (`certify`).

What is found is stored once. If several processes search for the same deal, they find the same, and what comes first
is kept. If a process is ended in the middle of a deal, nothing of it is stored, and the next one begins it again.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import NamedTuple

from server.competitions.daily.challenges import DAYS_AHEAD
from server.core import dates
from server.core.clock import Clock
from server.eventlog.event_store import Store
from server.eventlog.events import AnnouncedDeal, DailyAnnounced, DailyClosed, DailyOpened, decode_event
from server.eventlog.streams import day_stream
from server.fairness.certificates import can_be_searched, find_certificate
from server.fairness.sealed_deals import SealedDeals
from server.fairness.stored_certificates import StoredCertificates


class Searched(NamedTuple):
    """One deal that was searched for a win, and whether it is certified now."""

    deal: AnnouncedDeal
    certified: bool


class Certification:
    """Finds the certificates of the announced days, the next day first."""

    def __init__(self, store: Store, deals: SealedDeals, certificates: StoredCertificates, now: Clock) -> None:
        self._store = store
        self._deals = deals
        self._certificates = certificates
        self._now = now

    async def search_all(self) -> AsyncGenerator[Searched]:
        """Search every deal that has no certificate yet, one after another, and store what is found."""
        today = dates.day_of(self._now())
        for ahead in range(-1, DAYS_AHEAD + 1):
            day = dates.add_days(today, ahead)
            for deal in await self._unsearched(day):
                sealed = await self._deals.get_day(day)
                assert sealed is not None
                found = await asyncio.to_thread(find_certificate, deal, sealed.secret)
                await self._certificates.add(deal.deal, found, self._now())
                yield Searched(deal, found is not None)

    async def _unsearched(self, day: str) -> list[AnnouncedDeal]:
        """Return the deals of a day whose certificates may still be used, and are not stored.

        After the day has begun these are only certificates that were lost (`DailyChallenge.deal`).
        """
        wanted: list[AnnouncedDeal] = []
        for stored in await self._store.read(day_stream(day)):
            match decode_event(stored.type, stored.schema, stored.data):
                case DailyAnnounced(deals=deals):
                    wanted = [deal for deal in deals if can_be_searched(deal)]
                case DailyOpened(certificates=seals):
                    wanted = [deal for deal in wanted if deal.deal in seals]
                case DailyClosed():
                    return []
        known = await self._certificates.get([deal.deal for deal in wanted])
        return [deal for deal in wanted if deal.deal not in known]
