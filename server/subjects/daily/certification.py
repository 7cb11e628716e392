"""The search for deals that can be won. It runs in a process of its own (`certify`).

Deals are searched days before they are played. With a beacon they are searched once the day's round is known.

A result is stored once. Several processes that search the same deal find the same result; the first one stored is kept.
If a process is killed during a search, nothing is stored, and the next process starts the search again.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from cadogan.server.core import dates
from cadogan.server.core.clock import Clock
from cadogan.server.core.eventlog.background_tasks import as_unavailable
from cadogan.server.core.eventlog.event_store import Store
from cadogan.server.core.eventlog.events import (
    AnnouncedDeal,
    DailyAnnounced,
    DailyClosed,
    DailyDrawn,
    DailyOpened,
    decode_event,
)
from cadogan.server.core.eventlog.streams import day_stream
from cadogan.server.core.fairness.certificates import can_be_searched, find_certificate
from cadogan.server.core.fairness.commit_reveal import round_digest
from cadogan.server.core.fairness.sealed_deals import SealedDeals, StoredCertificates
from cadogan.server.subjects.daily.beacon_days import BEACON_TIMEOUT_MILLISECONDS, SEARCH_MILLISECONDS
from cadogan.server.subjects.daily.challenges import DAYS_AHEAD
from cadogan.wire.beacon import BeaconRound, SignedRound

DRAWN_CHECK_SECONDS = 0.5
"""Seconds between two checks whether the cards were drawn."""


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

    async def wait_until_drawn(self) -> None:
        """If a round was announced for today, wait until the cards are drawn, or the time limit has passed."""
        day = dates.day_of(self._now())
        until = dates.day_times(day, 0).opens_at + BEACON_TIMEOUT_MILLISECONDS + SEARCH_MILLISECONDS
        while self._now() < until:
            stored = await self._store.read(day_stream(day))
            events = [decode_event(one.type, one.schema, one.data) for one in stored]
            if not any(isinstance(event, DailyAnnounced) and event.beacon for event in events) or len(events) > 1:
                return
            await asyncio.sleep(DRAWN_CHECK_SECONDS)

    async def search_all(self) -> AsyncGenerator[Searched]:
        """Search every deal without a certificate, one after another, and store the results.

        A day that cannot be read is skipped, and its error is raised at the end.
        """
        today = dates.day_of(self._now())
        failure: Exception | None = None
        for ahead in range(-1, DAYS_AHEAD + 1):
            day = dates.add_days(today, ahead)
            try:
                unsearched, digest = await self._unsearched(day)
            except Exception as error:
                if as_unavailable(error) is None:
                    raise
                failure = error
                continue
            for deal in unsearched:
                sealed = await self._deals.get_day(day)
                assert sealed is not None
                found = await asyncio.to_thread(find_certificate, deal, sealed.secret, digest)
                await self._certificates.add(deal.deal, found, self._now())
                yield Searched(deal, found is not None)
        if failure is not None:
            raise failure

    async def _unsearched(self, day: str) -> tuple[list[AnnouncedDeal], str | None]:
        """Return a day's deals that still need a certificate, and the digest of the day's beacon round.

        After the day has begun, these are only deals whose certificate was lost (`DailyChallenge.deal`). There are none
        before the beacon's round is known, because the cards are not fixed.
        """
        wanted: list[AnnouncedDeal] = []
        promised: BeaconRound | UnsetType = UNSET
        digest: str | None = None
        is_known = True
        for stored in await self._store.read(day_stream(day)):
            match decode_event(stored.type, stored.schema, stored.data):
                case DailyAnnounced(deals=deals, beacon=promised):
                    wanted = [deal for deal in deals if can_be_searched(deal)]
                    is_known = not promised
                case DailyDrawn(signature=signature):
                    is_known = True
                    if promised and signature is not None:
                        signed = SignedRound(chain=promised.chain, round=promised.round, signature=signature)
                        digest = round_digest(signed)
                case DailyOpened(certificates=seals):
                    wanted = [deal for deal in wanted if deal.deal in seals]
                case DailyClosed():
                    return [], None
        known = await self._certificates.get([deal.deal for deal in wanted])
        return [deal for deal in wanted if is_known and deal.deal not in known], digest
