"""Days with a beacon: the round that is announced, its signature when the day begins, and the wait for both.

The code that writes these events calls this module. No call blocks: if a value is not known yet, call again later.
"""

from collections.abc import Collection

from msgspec import UNSET, UnsetType

from cadogan.server.core import dates
from cadogan.server.eventlog.events import AnnouncedDeal, DailyDrawn
from cadogan.server.fairness.beacon import round_at, signed_at
from cadogan.server.fairness.beacon_source import BeaconSource
from cadogan.server.fairness.certificates import can_be_searched
from cadogan.server.fairness.stored_certificates import StoredCertificates
from cadogan.wire.beacon import BeaconRound

AWAY_MILLISECONDS = 10 * 60_000
"""Milliseconds after a round is due until the day opens without it, from the secret alone."""
SEARCH_MILLISECONDS = 60_000
"""Milliseconds after the draw for searching the deals. A deal whose search has not ended by then is not certified."""
SHUFFLING_BUDGET = 1_000
"""The node limit of the search for a win, for each candidate, while players wait for it."""


class BeaconDays:
    """The beacon of a server's days; `source` is None for a server that has none."""

    def __init__(self, source: BeaconSource | None, certificates: StoredCertificates) -> None:
        self._source = source
        self._certificates = certificates

    def round_of(self, day: str, now: int) -> BeaconRound | UnsetType | None:
        """Return the round for a day that is announced now; None if the chain is not known yet.

        UNSET for a day that has begun, because its round may be known already, and without a beacon.
        """
        opens_at = dates.day_times(day, 0).opens_at
        if self._source is None or now >= opens_at:
            return UNSET
        chain = self._source.chain()
        return None if chain is None else round_at(chain, opens_at)

    def draw(self, one: BeaconRound, now: int) -> DailyDrawn | None:
        """Return the event that fixes the cards of a day that has begun; None while the signature is not known."""
        signature = None if self._source is None else self._source.signature(one)
        is_away = now >= signed_at(one) + AWAY_MILLISECONDS
        return DailyDrawn(signature) if signature is not None or is_away else None

    async def is_searched(self, deals: Collection[AnnouncedDeal], drawn_at: int, now: int) -> bool:
        """Return whether the search of a day's deals has ended, or its time limit has passed."""
        wanted = [one.deal for one in deals if can_be_searched(one)]
        return now >= drawn_at + SEARCH_MILLISECONDS or len(await self._certificates.get(wanted)) == len(wanted)
