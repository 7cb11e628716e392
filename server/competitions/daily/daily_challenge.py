"""One day of the daily challenge, folded from its stream, and the missed days, which nobody could play."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cadogan.server.core import dates, ids
from cadogan.server.database.damage import DatabaseDamaged
from cadogan.server.eventlog import hash_chain
from cadogan.server.eventlog.event_store import NewEvent, StoredEvent, require_contiguous
from cadogan.server.eventlog.events import (
    AnnouncedDeal,
    Certificate,
    DailyAnnounced,
    DailyClosed,
    DailyDrawn,
    DailyOpened,
    decode_event,
)
from cadogan.server.eventlog.streams import day_stream
from cadogan.server.fairness.beacon import round_digest
from cadogan.server.fairness.certificates import certificate_seal
from cadogan.server.fairness.sealed_deals import SealedDay, SealedDeal
from cadogan.wire.beacon import BeaconRound, SignedRound
from cadogan.wire.values import DayState

MAX_MISSED = 31
"""The maximum number of missed days in one list: a month."""
SETTLE_MILLISECONDS = 10_000
"""Milliseconds between a day's close and the event that records it, so that runs finished before it are stored."""
LAST_DAY = "9999-12-31"
"""A day later than every other."""


@dataclass(frozen=True, slots=True)
class DailyChallenge:
    """A day at one version of its stream.

    `seals` are the seals of the certificates by deal, published when the day began; `certificates` are the known
    certificates. `beacon` is the announced round. `signature` is its signature, drawn at the time `drawn_at`; None if
    the beacon was unreachable for too long.
    """

    sealed: SealedDay
    span: dates.DayTimes
    announced: tuple[AnnouncedDeal, ...] = ()
    version: int = 0
    head: bytes = hash_chain.START_HASH
    opened: bool = False
    closed: bool = False
    seals: Mapping[str, str] = field(default_factory=dict)
    certificates: Mapping[str, Certificate] = field(default_factory=dict, repr=False)
    beacon: BeaconRound | None = None
    drawn_at: int | None = None
    signature: str | None = None

    @property
    def signed(self) -> SignedRound | None:
        """The beacon round from which the cards are derived, if there is one."""
        if self.beacon is None or self.signature is None:
            return None
        return SignedRound(chain=self.beacon.chain, round=self.beacon.round, signature=self.signature)

    @property
    def round_digest(self) -> str | None:
        """The digest of the signed round (`cadogan.server.fairness.beacon`)."""
        return None if self.signed is None else round_digest(self.signed)

    @property
    def day(self) -> str:
        """The day, as ``2026-11-20``."""
        return self.sealed.day

    @property
    def deals(self) -> list[str]:
        """The ids of its deals."""
        return [one.deal for one in self.announced]

    def state(self, now: int) -> DayState:
        """Return ``announced``, ``open`` (until its close is in the log) or ``closed``."""
        if self.closed:
            return "closed"
        return "open" if self.opened and now >= self.span.opens_at else "announced"

    def is_shuffling(self, now: int) -> bool:
        """Return whether a day with a beacon has begun, but its cards are still being drawn and searched."""
        is_open_or_over = self.opened or self.closed
        return self.beacon is not None and not is_open_or_over and self.span.opens_at <= now < self.span.ends_at

    def is_missed(self, now: int) -> bool:
        """Return whether nobody could play this day, because no server was there from its beginning to its end."""
        return not self.opened and now >= self.span.ends_at

    @property
    def moments(self) -> tuple[int, ...]:
        """The times at which the day's state changes or its close is written, in milliseconds since 1970."""
        return (*self.span, self.span.closes_at + SETTLE_MILLISECONDS)

    @property
    def lacks_certificates(self) -> bool:
        """Whether a published seal has no known certificate."""
        return len(self.certificates) < len(self.seals)

    def apply(self, recorded: NewEvent | StoredEvent) -> "DailyChallenge":
        """Return the day after the next event of its stream. Raises StreamIncomplete if events between are missing."""
        require_contiguous(day_stream(self.day), self.version, (recorded,))
        now = replace(self, version=recorded.version, head=recorded.hash)
        match decode_event(recorded.type, recorded.schema, recorded.data):
            case DailyAnnounced(deals=deals, beacon=beacon):
                return replace(now, announced=deals, beacon=beacon or None)
            case DailyDrawn(signature=signature):
                return replace(now, drawn_at=recorded.recorded_at, signature=signature)
            case DailyOpened(certificates=seals):
                return replace(now, opened=True, seals=seals)
            case DailyClosed(certificates=certificates):
                return replace(now, closed=True, certificates={one.deal: one for one in certificates})
        return now

    def deal(self, slot: int) -> SealedDeal | None:
        """Return the deal of this number, from 1; None if the day has no such deal.

        Raises DatabaseDamaged if the deal was certified but its certificate is lost, so that its cards are unknown.
        """
        for one in self.announced:
            if one.slot == slot:
                return self.sealed.deal(slot, one.game, self._candidate(one.deal), self.round_digest)
        return None

    def _candidate(self, deal: str) -> int:
        if deal in self.seals and deal not in self.certificates:
            raise DatabaseDamaged(f"the certificate of {deal} is missing: `cadogan certify` finds it again")
        return self.certificates[deal].candidate if deal in self.seals else 0

    def fits_seal(self, certificate: Certificate) -> bool:
        """Return whether this certificate matches the published seal."""
        return self.seals.get(certificate.deal) == certificate_seal(self.sealed.secret, certificate)

    def attempt(self, deal: str, person: str) -> str:
        """Return the id of this person's one ranked game of the deal (`cadogan.server.players.persons`).

        It is derived from the day's secret.
        """
        return ids.derive_id(self.sealed.secret, "attempt", deal, person)


def missed_days(
    listed: Sequence[DailyChallenge], before: str | None, now: int, left_out: Collection[str] = ()
) -> list[str]:
    """Return the missed days among, after or between the listed days, the latest first.

    A day was missed if it was never announced or never opened because no server was running. Only days before `before`
    and before today are returned, at most `MAX_MISSED`, without those in `left_out`.
    """
    by_day = {daily.day: daily for daily in listed}
    missed: list[str] = []
    day = min(before or LAST_DAY, dates.day_of(now))
    while by_day and day > min(by_day) and len(missed) < MAX_MISSED:
        day = dates.add_days(day, -1)
        if day not in left_out and (day not in by_day or by_day[day].is_missed(now)):
            missed.append(day)
    return missed
