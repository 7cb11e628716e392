"""The in-memory days of a node, each folded from its stream; reads from and writes to the log."""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace

from cadogan.server.cluster.bus import ENDED_TOPIC
from cadogan.server.competitions.daily.daily_challenge import DailyChallenge
from cadogan.server.core import dates
from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import NotFound
from cadogan.server.eventlog.aggregate import Aggregate, FoldedAggregates
from cadogan.server.eventlog.commits import Commit, CommitPublisher
from cadogan.server.eventlog.event_store import NewEvent, Store, StoredEvent, VersionConflict
from cadogan.server.eventlog.events import Event
from cadogan.server.eventlog.streams import DAYS
from cadogan.server.fairness.sealed_deals import SealedDay
from cadogan.server.fairness.stored_certificates import StoredCertificates


class DayCommitted(Commit[DailyChallenge], frozen=True):
    """An in-memory day that has changed."""


class DayEntry(Aggregate[DailyChallenge]):
    """One day in memory, with what is known about it from other tables."""

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
