"""The search for deals of evenings that can be won, by the process that also searches those of days (`certify`).

A deal is searched from the announcement on, or from the draw of its cards, until its round opens.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import NamedTuple

from sqlalchemy import select

from cadogan.server.core.clock import Clock
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import contests
from cadogan.server.core.eventlog.event_store import Store
from cadogan.server.core.eventlog.events import AnnouncedDeal, register_events
from cadogan.server.core.fairness.certificates import can_be_searched, find_certificate
from cadogan.server.core.fairness.commit_reveal import signed_at
from cadogan.server.core.fairness.sealed_deals import SealedDeals, StoredCertificates
from cadogan.server.subjects.evenings.cards.evening_cards import to_search
from cadogan.server.subjects.evenings.evening_events import KEY
from cadogan.server.subjects.evenings.evening_rules import EveningRules, evening_stream
from cadogan.server.subjects.evenings.evening_state import EveningState


class Unsearched(NamedTuple):
    """A deal to search, and the digits of the beacon round in its nonce, if the evening has one."""

    deal: AnnouncedDeal
    round_digest: str | None


class EveningCertification:
    """Finds the certificates of the evenings that are to come or on, those that begin first."""

    def __init__(
        self, database: Database, store: Store, deals: SealedDeals, certificates: StoredCertificates, now: Clock
    ) -> None:
        self._database = database
        self._store = store
        self._deals = deals
        self._certificates = certificates
        self._now = now
        register_events(EveningRules.key, EveningRules.events)  # in a process that has no other use for them
        self._asleep: dict[str, int] = {}
        """The evenings in which nothing is to be searched before a moment, in milliseconds since 1970."""

    async def find_unsearched(self) -> list[Unsearched]:
        """Return the deals that can be searched now and have no result."""
        is_there = (contests.c.competition == KEY) & contests.c.state.in_(("coming", "on"))
        chosen = select(contests.c.id, contests.c.ends_at).where(is_there).order_by(contests.c.starts_at)
        rows = await self._database.fetch(chosen)
        asleep, now = self._asleep, self._now()
        self._asleep = {row.id: asleep[row.id] for row in rows if asleep.get(row.id, 0) > now}
        found: list[Unsearched] = []
        for row in rows:
            if row.id not in self._asleep:
                found += await self._of_evening(row.id, row.ends_at)
        return found

    async def search_all(self) -> AsyncGenerator[tuple[AnnouncedDeal, bool]]:
        """Search every deal without a result, store the results, and yield each deal with whether it is certified."""
        tried: set[str] = set()
        while left := [one for one in await self.find_unsearched() if one.deal.deal not in tried]:
            deal, digest = left[0]  # an evening that begins earlier may have been announced meanwhile
            tried.add(deal.deal)
            secret = await self._deals.get_secret(deal.deal)
            if secret is None:
                continue
            found = await asyncio.to_thread(find_certificate, deal, secret, digest)
            await self._certificates.add(deal.deal, found, self._now())
            yield deal, found is not None

    async def _of_evening(self, id: str, ends_at: int) -> list[Unsearched]:
        state = EveningState(stream=evening_stream(id))
        for stored in await self._store.read(state.stream):
            state = state.follow(stored)
        if state.plan.beacon is not None and state.drawn is None:
            self._asleep[id] = signed_at(state.plan.beacon)
            return []
        coming = [one for one in state.rounds if one.round > state.opened or one.round in state.seals]
        wanted = [deal for deal in map(to_search, coming) if can_be_searched(deal)]
        known = await self._certificates.get([deal.deal for deal in wanted])
        left = [Unsearched(deal, state.round_digest) for deal in wanted if deal.deal not in known]
        if not left:
            self._asleep[id] = ends_at
        return left
