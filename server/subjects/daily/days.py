"""The days: each folded from its stream, the copies of a node in memory, and the records of closed ones."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from cadogan.server.core import dates, ids
from cadogan.server.core.clock import Clock
from cadogan.server.core.cluster.bus import ENDED_TOPIC
from cadogan.server.core.database.revisions import DatabaseDamaged
from cadogan.server.core.errors import NotFound
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.aggregate import Aggregate, FoldedAggregates
from cadogan.server.core.eventlog.commits import Commit, CommitPublisher
from cadogan.server.core.eventlog.event_store import NewEvent, Store, StoredEvent, VersionConflict, require_contiguous
from cadogan.server.core.eventlog.events import (
    AnnouncedDeal,
    Certificate,
    DailyAnnounced,
    DailyClosed,
    DailyDrawn,
    DailyOpened,
    Event,
    decode_event,
)
from cadogan.server.core.eventlog.streams import DAYS, day_stream
from cadogan.server.core.fairness.certificates import certificate_seal
from cadogan.server.core.fairness.commit_reveal import round_digest
from cadogan.server.core.fairness.sealed_deals import SealedDay, SealedDeal, StoredCertificates
from cadogan.server.subjects.daily.day_record import build_day_record
from cadogan.server.subjects.transparency.transparency_log import TransparencyLog
from cadogan.wire.beacon import BeaconRound, SignedRound
from cadogan.wire.bodies import DayRecord
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
        """The digest of the signed round (`cadogan.server.core.fairness.commit_reveal`)."""
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
        """Return the id of this person's one ranked game of the deal (`cadogan.server.core.people`).

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


class DayCommitted(Commit[DailyChallenge], frozen=True):
    """An in-memory day that has changed."""


class DayEntry(Aggregate[DailyChallenge]):
    """One day in memory, with its data from other tables."""

    __slots__ = ("sealed",)

    sealed: SealedDay


class DayRepository(FoldedAggregates[DayEntry, DailyChallenge]):
    """The days that one node has in memory. They are never dropped, and every node gets the wake-ups of every day."""

    prefix = DAYS
    entry_class = DayEntry
    commit_class = DayCommitted

    def __init__(
        self, store: Store, certificates: StoredCertificates, commits: CommitPublisher, now: Clock, grace: int
    ) -> None:
        """`grace` is as in `DailyChallenges`."""
        super().__init__(store, commits, now)
        self._certificates = certificates
        self._grace = grace

    async def find(self, sealed: SealedDay) -> DailyChallenge:
        """Return a day from memory, or read it."""
        if (known := self.cached(sealed.day)) is not None:
            return known
        entry = self.entry(sealed.day)
        entry.sealed = sealed
        return await self.get(sealed.day)

    def known(self) -> dict[str, DailyChallenge]:
        """Return all days in memory."""
        return {entry.id: entry.state for entry in self.entries() if entry.state is not None}

    async def write(self, daily: DailyChallenge, event: Event, at: int) -> DailyChallenge:
        """Append an event to a day unless the day has changed since; return the current day."""
        entry = self.entry(daily.day)
        async with entry.lock:
            if entry.version == daily.version:
                with suppress(VersionConflict):
                    await self.append(entry, self.seal(entry, [event], at))
            return await self.catch_up(entry)

    async def catch_up(self, entry: DayEntry) -> DailyChallenge:
        """Read and publish the newer events of a locked day, and look up its missing certificates."""
        entry.state = await self._with_certificates(await super().catch_up(entry))
        return entry.state

    async def resync(self, topics: Collection[str] | None) -> None:
        """Catch up with every day in memory that is not closed: wake-ups of days may have been lost."""
        if topics is None or ENDED_TOPIC in topics:
            for daily in [daily for daily in self.known().values() if not daily.closed]:
                await self.get_latest(daily.day)

    def drop(self, id: str) -> None:
        """Do nothing: days stay in memory."""

    async def _read(self, entry: DayEntry) -> DailyChallenge:
        grace = self._grace if entry.sealed.grace is None else entry.sealed.grace
        daily = DailyChallenge(entry.sealed, dates.day_times(entry.id, grace))
        for stored in await self._store.read_later(entry.stream, 0):
            daily = daily.apply(stored)
        return await self._with_certificates(daily)

    async def _with_certificates(self, daily: DailyChallenge) -> DailyChallenge:
        if daily.closed or not daily.lacks_certificates:
            return daily
        known = await self._certificates.get(daily.seals)
        fitting = {deal: one for deal, one in known.items() if one is not None and daily.fits_seal(one)}
        return replace(daily, certificates=fitting)

    def _apply(self, entry: DayEntry, state: DailyChallenge | None, event: NewEvent | StoredEvent) -> DailyChallenge:
        assert state is not None  # the secret of a day is created first
        return state.apply(event)

    def _not_found(self) -> NotFound:
        return NotFound("There is no such day.")

    def _is_id(self, id: str) -> bool:
        return dates.is_valid(id)


async def read_day_record(store: Store, log: TransparencyLog, day: str) -> DayRecord | None:
    """Return the record of a day; None if the day is not closed. Raises StreamIncomplete."""
    stream = day_stream(day)
    events = await store.read(stream)
    if build_day_record(day, events) is None:
        return None
    return build_day_record(day, events, *await log.prove_both(stream, "daily_announced"))
