"""The days of the daily challenge: announced a week before, opened, and closed with their secret and their boards.

This needs no timer. The first request after an event is due writes it. Every node would write the same event, and the
log's unique versions accept only one writer. A day keeps the deals that were announced; a later change of the calendar
does not affect them.

Every day is read and written independently: a day that cannot be read or written does not block the others. A request
for a day waits for the due events of that day; only the first request also waits for the other days.

The clock decides when these events are written and when ranked runs must end; only the events reveal secrets. While the
clocks of nodes disagree (`cadogan.server.core.clock_check`), no event is written. A day before one that has begun is
neither announced nor opened, because the clock must have been set back. A day that was never opened is closed only
after the clock was trusted for an hour.

A deal can be played after `daily_opened`, and its cards are public after `daily_closed`. From then on no ranked run can
begin or continue, whatever a clock shows.

With a beacon, a day is announced with the round that is due when it begins (`beacon_days`). Then `daily_drawn` comes
first, and `daily_opened` once the deals were searched.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Sequence

from msgspec import UNSET

from cadogan import engine
from cadogan.engine.solver import SOLVER_VERSION
from cadogan.server.core import dates
from cadogan.server.core.clock_check import STEADY_MILLISECONDS, ClockCheck
from cadogan.server.core.event_loop import Batcher
from cadogan.server.core.eventlog.background_tasks import as_unavailable
from cadogan.server.core.eventlog.event_store import Store, StreamIncomplete
from cadogan.server.core.eventlog.events import AnnouncedDeal, DailyAnnounced, DailyClosed, DailyOpened, DealSearch
from cadogan.server.core.eventlog.streams import day_stream
from cadogan.server.core.fairness.certificates import MAX_BUDGET, certificate_seal, wins
from cadogan.server.core.fairness.commit_reveal import daily_deal_id
from cadogan.server.core.fairness.sealed_deals import SealedDay, SealedDeals, StoredCertificates
from cadogan.server.core.ranking import DayDigests
from cadogan.server.core.shares import SharedLock
from cadogan.server.subjects.daily.beacon_days import SHUFFLING_BUDGET, BeaconDays
from cadogan.server.subjects.daily.days import LAST_DAY, SETTLE_MILLISECONDS, DailyChallenge, DayRepository
from cadogan.server.subjects.daily.rules import ReadSchedule

DAYS_AHEAD = 7
"""Days after today that are announced, with their commitments."""
SHUFFLING_MILLISECONDS = 500
"""Milliseconds between two checks whether a day that has begun can be opened."""
CLOCK_RETRY_MILLISECONDS = 10_000
"""Milliseconds between two checks whether disagreeing clocks agree again."""
NEVER = 2**63
"""A time later than every other, in milliseconds since 1970."""
EndStuckRuns = Callable[[Sequence[str]], Awaitable[None]]
"""Ends all attempts without a legal move at the deals with these ids."""
Digests = Callable[[str, Sequence[str]], Awaitable[DayDigests]]
"""Given a day and the ids of its deals, returns the current digests of their boards, and the struck runs."""


class DailyChallenges:
    """The days of a server.

    `read_schedule` is called for every day that is announced. `beacon` supplies the rounds from which the cards are
    derived, if the server has one. `clocks` checks whether the clock can be trusted; without it, the clock is always
    trusted.
    """

    def __init__(
        self,
        store: Store,
        repository: DayRepository,
        deals: SealedDeals,
        certificates: StoredCertificates,
        read_schedule: ReadSchedule,
        end_stuck_runs: EndStuckRuns,
        digests: Digests,
        beacon: BeaconDays | None = None,
        clocks: ClockCheck | None = None,
    ) -> None:
        self._store = store
        self._days = repository
        self._deals = deals
        self._certificates = certificates
        self._read_schedule = read_schedule
        self._end_stuck_runs = end_stuck_runs
        self._digests = digests
        self._beacon = beacon or BeaconDays(None, certificates)
        self._clocks = clocks
        self._writing: defaultdict[str, DueWriting] = defaultdict(DueWriting)
        self._all = DueWriting()
        self._unclosed_are_known = False
        self._latest = Batcher(self._catch_up_all, pause_seconds=0)
        self._ended = Batcher(self._find_ended, pause_seconds=0)  # every ranked move needs it

    def cached(self, day: str) -> DailyChallenge | None:
        """Return a day if it is in memory, however old that copy is."""
        return self._days.cached(day)

    async def list_days(self, now: int, most: int = 31) -> list[DailyChallenge]:
        """Return at most `most` announced days, the latest first.

        Due days are announced first. In a distributed log, days on an unreachable worker are left out.
        """
        listed, _ = await self.list_readable(now, most=most)
        return listed

    async def list_readable(
        self, now: int, before: str | None = None, most: int = 31
    ) -> tuple[list[DailyChallenge], list[str]]:
        """Return days as `list_days` does, and the names of those that were left out."""
        before = before or LAST_DAY
        known = {sealed.day: sealed for sealed in await self._deals.sealed_days(before, most)}
        asked = sorted({day for day in (*known, *_announced_at(now)) if day < before}, reverse=True)[:most]
        found = await asyncio.gather(*(self.get(day, now, known.get(day)) for day in asked), return_exceptions=True)
        listed, left_out = list[DailyChallenge](), list[str]()
        for day, daily in zip(asked, found, strict=True):
            if isinstance(daily, DailyChallenge):
                listed.append(daily)
            elif daily is not None:
                if not self._store.is_partly_unavailable(daily):
                    raise daily
                left_out.append(day)
        return listed, left_out

    async def get(self, day: str, now: int, sealed: SealedDay | None = None) -> DailyChallenge | None:
        """Return a day that was announced, or None. Everything that is due at `now` is written first.

        If a due event cannot be written now, an announced day in memory is returned as it is, and the write is retried
        later. `sealed` is the day's row of `SealedDeals`, if the caller has it.
        """
        if self._days.cached(day) is None and dates.is_valid(day):
            sealed = sealed or await self._deals.get_day(day)
            if sealed is not None:
                await self._days.find(sealed)
        if self._days.cached(day) is not None or day in _announced_at(now):
            try:
                await self._write_due(day, now)
            except Exception as error:
                known = self._days.cached(day)
                if known is None or not known.announced or as_unavailable(error) is None:
                    raise
        if not self._all.lock.locked():
            try:
                await self.write_due(now)
            except Exception as error:
                if as_unavailable(error) is None:
                    raise
        daily = self._days.cached(day)
        return daily if daily is not None and daily.announced else None

    async def get_latest(self, day: str, now: int) -> DailyChallenge | None:
        """Return a day as `get` does, including events that other nodes have written.

        After a day was opened, only its close can follow. Checking for the close does not need the day's stream, so in
        a distributed log runs continue while the worker with this stream is unreachable. Raises StreamIncomplete if the
        day has closed but its close event cannot be read yet.
        """
        daily = await self.get(day, now)
        if daily is None or daily.closed:
            return daily
        has_ended = await self._ended.get(day)
        is_later = has_ended or not daily.opened or daily.lacks_certificates
        if is_later:
            latest = await self._latest.get(day)
            if isinstance(latest, BaseException):
                raise latest
            daily = latest or daily
        if has_ended and not daily.closed:
            raise StreamIncomplete(day_stream(day))
        return daily

    async def is_closed(self, day: str, now: int) -> bool:
        """Return whether the close of a day is in the log, which makes its deals public."""
        daily = await self.get(day, now)
        return daily is not None and daily.closed

    async def is_playable(self, day: str, now: int) -> bool:
        """Return whether a ranked run of a day may continue: neither the clock nor the log has reached the day's close.

        The log is checked each time. Otherwise a node whose clock is behind would accept moves when the cards are
        public.
        """
        daily = await self.get_latest(day, now)
        return daily is not None and not daily.closed and now < daily.span.closes_at

    async def write_due(self, now: int) -> None:
        """Announce, open and close all days that are due at `now`.

        The server also calls this periodically, because a missing event marks a day as missed. A day that cannot be
        written does not block the others. The last error is raised at the end, and a call after
        `SHUFFLING_MILLISECONDS` retries.
        """
        if not self._all.is_due(now):
            return
        async with self._all.lock:
            if not self._all.is_due(now):
                return
            failure = None if self._unclosed_are_known else await self._find_unclosed()
            for day in sorted(_announced_at(now) | self._days.known().keys()):
                try:
                    await self._write_due(day, now)
                except Exception as error:
                    if as_unavailable(error) is None:
                        raise
                    failure = error
            due = min(one.due for one in self._writing.values())
            self._all.done(now, now + SHUFFLING_MILLISECONDS if failure else due, failure)
            if failure is not None:
                raise failure

    async def _write_due(self, day: str, now: int) -> None:
        """Write the events of one day that are due at `now`: announced, opened, closed."""
        writing = self._writing[day]
        if not writing.is_due(now):
            return
        async with writing.lock:
            if not writing.is_due(now):
                return
            soon, later = now + SHUFFLING_MILLISECONDS, now + CLOCK_RETRY_MILLISECONDS
            if self._clocks is not None and not await self._clocks.agree():
                writing.done(now, later)
                return
            try:
                if day in _announced_at(now):
                    await self._announce(day, now)
                if (daily := self._days.cached(day)) is not None:
                    await self._open_or_close(daily, now)
            except Exception as error:
                if as_unavailable(error) is not None:
                    writing.done(now, soon, error)
                raise
            daily = self._days.cached(day)
            must_wait = day in _announced_at(now) if daily is None or not daily.announced else daily.is_shuffling(now)
            moments = [moment for moment in daily.moments if moment > now] if daily is not None else []
            if daily is not None and daily.announced and not daily.closed and not moments:
                moments = [later]  # not before the clock has been trusted for long enough
            writing.done(now, min([soon] * must_wait + moments, default=NEVER))

    def milliseconds_until_due(self, now: int) -> int:
        """Return the milliseconds until the next event is due, at least `SHUFFLING_MILLISECONDS`."""
        return max(self._all.due - now, SHUFFLING_MILLISECONDS)

    async def _find_unclosed(self) -> Exception | None:
        """Read every day that is not closed yet, even if the server was off for a long time.

        Returns the error if a day could not be read; the next call searches again.
        """
        before, closed, failure = LAST_DAY, False, None
        while not closed and (found := await self._deals.sealed_days(before, DAYS_AHEAD)):
            for sealed in found:
                try:
                    closed = (await self._days.find(sealed)).closed or closed
                except Exception as error:
                    if as_unavailable(error) is None:
                        raise
                    failure = error
            before = found[-1].day
        self._unclosed_are_known = failure is None
        return failure

    async def _catch_up_all(self, days: Collection[str]) -> dict[str, DailyChallenge | BaseException]:
        """Return these days with the later events of their streams, or the error of reading them."""
        done = await asyncio.gather(*map(self._days.get_latest, days), return_exceptions=True)
        return dict(zip(days, done, strict=True))

    async def _find_ended(self, days: Collection[str]) -> dict[str, bool]:
        ended = await self._store.find_ended([*map(day_stream, days)])
        return {day: day_stream(day) in ended for day in days}

    async def _announce(self, day: str, now: int) -> None:
        daily = self._days.cached(day)
        if (daily is not None and daily.announced) or self._has_later_begun(day):
            return
        beacon = self._beacon.round_of(day, now)
        if beacon is None:
            return
        most = MAX_BUDGET if beacon is UNSET else SHUFFLING_BUDGET
        schedule = await self._read_schedule()
        daily = daily or await self._days.find(await self._deals.seal_day(day, now, schedule.grace))
        card = schedule.calendar.card(day)
        while not daily.announced:
            deals = tuple(
                AnnouncedDeal(
                    slot.number,
                    slot.level,
                    slot.game,
                    daily_deal_id(day, slot.number),
                    DealSearch(SOLVER_VERSION, min(slot.budget, most)) if slot.budget else None,
                )
                for slot in card
            )
            announced = DailyAnnounced(day, daily.sealed.commitment, deals, beacon)
            daily = await self._days.write(daily, announced, now)

    async def _open_or_close(self, daily: DailyChallenge, now: int) -> None:
        span = daily.span
        if span.opens_at <= now < span.ends_at and not self._has_later_begun(daily.day):
            daily = await self._open(daily, now)
        if now >= span.closes_at + SETTLE_MILLISECONDS and (daily.opened or self._is_clock_trusted()):
            await self._close(daily, now)

    def _has_later_begun(self, day: str) -> bool:
        """Return whether this node knows that one of the next `DAYS_AHEAD` days was opened or closed.

        A day further ahead was opened by a clock that was wrong for a moment; it must not block the days before it.
        """
        following = (self._days.cached(dates.add_days(day, ahead)) for ahead in range(1, DAYS_AHEAD + 1))
        return any(daily is not None and (daily.opened or daily.closed) for daily in following)

    def _is_clock_trusted(self) -> bool:
        return self._clocks is None or self._clocks.agreed_milliseconds() >= STEADY_MILLISECONDS

    async def _open(self, daily: DailyChallenge, now: int) -> DailyChallenge:
        while daily.beacon is not None and daily.drawn_at is None and daily.is_shuffling(now):
            drawn = self._beacon.draw(daily.beacon, now)
            if drawn is None:
                return daily
            daily = await self._days.write(daily, drawn, now)
        while daily.announced and not (daily.opened or daily.closed):
            if daily.drawn_at is not None and not await self._beacon.is_searched(daily.announced, daily.drawn_at, now):
                break
            daily = await self._days.write(daily, DailyOpened(await self._seals(daily)), now)
        return daily

    async def _seals(self, daily: DailyChallenge) -> dict[str, str]:
        """Return the seals, by deal, of the stored certificates that are valid under the current rules."""
        stored = await self._certificates.get([one.deal for one in daily.announced if one.search is not None])
        return {
            one.deal: certificate_seal(daily.sealed.secret, found)
            for one in daily.announced
            if (found := stored.get(one.deal)) is not None
            and found.rules_version == engine.game(one.game).rules_version
            and (daily.beacon is None or wins(one, daily.sealed.secret, found, daily.round_digest))
        }

    async def _close(self, daily: DailyChallenge, now: int) -> None:
        while daily.announced and not daily.closed:
            await self._end_stuck_runs(daily.deals)
            boards, disqualified = await self._digests(daily.day, daily.deals)
            certificates = tuple(daily.certificates[deal] for deal in daily.deals if deal in daily.certificates)
            closed = DailyClosed(daily.sealed.secret.hex(), boards, certificates, disqualified or UNSET)
            daily = await self._days.write(daily, closed, now)


def _announced_at(now: int) -> set[str]:
    """Return the days that must be announced at `now`: today and the following days."""
    today = dates.day_of(now)
    return {dates.add_days(today, ahead) for ahead in range(DAYS_AHEAD + 1)}


class DueWriting:
    """The times of the last write and the next due event, in milliseconds since 1970, and the last error."""

    def __init__(self) -> None:
        self.lock = SharedLock()
        self.due = 0
        self._done_at = 0
        self._failure: Exception | None = None

    def is_due(self, now: int) -> bool:
        """Return whether to write now. After a failed write, raises its error until the next retry is due."""
        if not self._done_at <= now < self.due:
            return True
        if self._failure is not None:
            raise self._failure.with_traceback(None)
        return False

    def done(self, now: int, due: int, failure: Exception | None = None) -> None:
        """Note that everything due at `now` was written, or the error if it was not."""
        self._done_at, self.due, self._failure = now, due, failure
