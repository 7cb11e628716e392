"""What a beacon adds to the days: the round that is announced, its signature when the day begins, the wait for both.

Whoever writes these events asks here. Nobody waits inside: what is not known yet is asked for again a moment later.
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
"""Milliseconds after a round is due in which the beacon must tell it. Then the day opens from the secret alone."""
SEARCH_MILLISECONDS = 60_000
"""Milliseconds after the draw in which the deals are searched. A deal that is not searched by then is not certified."""
SHUFFLING_BUDGET = 1_000
"""The most nodes that the search for a win takes for each candidate, where players wait for it."""


class BeaconDays:
    """The beacon of a server's days; `source` is None for a server that has none."""

    def __init__(self, source: BeaconSource | None, certificates: StoredCertificates) -> None:
        self._source = source
        self._certificates = certificates

    def round_of(self, day: str, now: int) -> BeaconRound | UnsetType | None:
        """Return the round for a day that is announced now; None if the day has to wait until the chain is known.

        A day that has begun gets none: its round may be known already.
        """
        opens_at = dates.day_times(day, 0).opens_at
        if self._source is None or now >= opens_at:
            return UNSET
        chain = self._source.chain()
        return None if chain is None else round_at(chain, opens_at)

    def draw(self, one: BeaconRound, now: int) -> DailyDrawn | None:
        """Return what fixes the cards of a day that has begun; None as long as the signature is waited for."""
        signature = None if self._source is None else self._source.signature(one)
        is_away = now >= signed_at(one) + AWAY_MILLISECONDS
        return DailyDrawn(signature) if signature is not None or is_away else None

    async def is_searched(self, deals: Collection[AnnouncedDeal], drawn_at: int, now: int) -> bool:
        """Return whether the search of a day's deals has ended, or has had its time since the draw."""
        wanted = [one.deal for one in deals if can_be_searched(one)]
        return now >= drawn_at + SEARCH_MILLISECONDS or len(await self._certificates.get(wanted)) == len(wanted)
