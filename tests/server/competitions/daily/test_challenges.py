"""Days pass: what is announced, opened and closed, by whichever node comes first, however long it was away."""

import asyncio
from collections.abc import Sequence

import pytest

from cadogan.server.core import dates
from cadogan.server.core.database.connections import Database
from cadogan.server.core.eventlog.commits import CommitPublisher
from cadogan.server.core.eventlog.event_store import Store, StreamIncomplete
from cadogan.server.core.fairness.sealed_deals import SealedDeals, StoredCertificates
from cadogan.server.core.ranking import DayDigests
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.daily.challenges import DAYS_AHEAD, SHUFFLING_MILLISECONDS, DailyChallenges
from cadogan.server.subjects.daily.days import SETTLE_MILLISECONDS, DailyChallenge, DayRepository, missed_days
from cadogan.server.subjects.daily.rules import Calendar, Level, ReadSchedule, Schedule
from tests.harness.invisible_events import invisible_event
from tests.harness.partly_unavailable import PartlyUnavailableStore

CALENDAR = Calendar((Level("gentle", ("louis", "quatorze")), Level("stern", ("klondike", "olga", "maze"))))
ANOTHER = Calendar((Level("ours", ("carpet",)),))
HOUR = 3_600_000
NOON = 1_795_176_000_000
DAY = "2026-11-20"


async def digests(day: str, deals: Sequence[str]) -> DayDigests:
    return DayDigests(dict.fromkeys((*deals, "day"), "ab" * 32), {})


def always(calendar: Calendar, grace: int | None = None) -> ReadSchedule:
    """The same schedule whenever a day is announced."""

    async def read() -> Schedule:
        return Schedule(calendar, grace)

    return read


async def end_no_runs(deals: Sequence[str]) -> None:
    pass


def repository(store: Store, stored: StoredCertificates) -> DayRepository:
    """The days of a node that knows none yet."""
    return DayRepository(store, stored, CommitPublisher(), lambda: NOON, HOUR)


def node(database: Database, store: Store, calendar: Calendar = CALENDAR) -> DailyChallenges:
    stored = StoredCertificates(database)
    return DailyChallenges(
        store, repository(store, stored), SealedDeals(database), stored, always(calendar), end_no_runs, digests
    )


async def types(store: Store, day: str) -> list[str]:
    return [event.type for event in await store.read(f"daily/{day}")]


def test_a_day_opens_at_midnight_utc_and_closes_after_its_grace() -> None:
    span = dates.day_times(DAY, HOUR)
    assert (dates.day_of(span.opens_at), dates.day_of(span.opens_at - 1)) == (DAY, "2026-11-19")
    assert span.ends_at - span.opens_at == dates.MILLISECONDS_PER_DAY
    assert span.closes_at - span.ends_at == HOUR


async def test_a_day_plays_what_was_announced_whatever_calendar_a_host_has_by_then(
    database: Database, sql_store: SqlStore
) -> None:
    await node(database, sql_store).list_days(NOON)
    daily = await node(database, sql_store, ANOTHER).get(dates.add_days(DAY, 2), NOON)
    assert daily is not None
    announced = [(one.slot, one.level, one.game, one.deal) for one in daily.announced]
    day = daily.day
    assert announced == [(*slot[:3], f"{day}.{slot.number}") for slot in CALENDAR.card(day)]
    later = await node(database, sql_store, ANOTHER).get(
        dates.add_days(DAY, DAYS_AHEAD + 1), NOON + dates.MILLISECONDS_PER_DAY
    )
    assert later is not None
    assert [one.game for one in later.announced] == ["carpet"]


async def test_a_day_on_which_no_server_was_there_is_missed_and_so_are_those_that_were_never_announced(
    database: Database, sql_store: SqlStore
) -> None:
    away = 10
    await node(database, sql_store).list_days(NOON)
    now = NOON + away * dates.MILLISECONDS_PER_DAY
    back = node(database, sql_store)
    listed = await back.list_days(now)
    gone = [dates.add_days(DAY, days) for days in range(away - 1, 0, -1)]
    assert missed_days(listed, None, now) == gone
    assert missed_days([one for one in listed if one.day < gone[0]], gone[0], now) == gone[1:]
    unopened = await back.get(gone[-1], now)
    assert unopened is not None
    assert unopened.is_missed(now)
    assert await types(sql_store, unopened.day) == ["daily_announced", "daily_closed"]
    played = await back.get(DAY, now)
    assert played is not None
    assert not played.is_missed(now)
    assert missed_days([], None, now) == []


async def test_a_server_opens_a_day_although_nobody_asks_for_it(database: Database, sql_store: SqlStore) -> None:
    days = node(database, sql_store)
    for number in range(4):
        await days.write_due(NOON + number * dates.MILLISECONDS_PER_DAY)
    now = NOON + 3 * dates.MILLISECONDS_PER_DAY
    assert missed_days(await days.list_days(now), None, now) == []


async def test_a_day_is_not_missed_before_it_is_over(database: Database, sql_store: SqlStore) -> None:
    await node(database, sql_store).list_days(NOON)
    tomorrow = DailyChallenge(
        await SealedDeals(database).seal_day(dates.add_days(DAY, 1), NOON),
        dates.day_times(dates.add_days(DAY, 1), HOUR),
    )
    assert not tomorrow.is_missed(tomorrow.span.ends_at - 1)
    assert tomorrow.is_missed(tomorrow.span.ends_at)


async def test_nodes_that_disagree_about_the_calendar_announce_one_card(
    database: Database, sql_store: SqlStore
) -> None:
    one, other = node(database, sql_store), node(database, sql_store, ANOTHER)
    await asyncio.gather(one.list_days(NOON), other.list_days(NOON))
    for ahead in range(DAYS_AHEAD + 1):
        day = dates.add_days(DAY, ahead)
        cards = [found.announced for node in (one, other) if (found := await node.get(day, NOON))]
        assert cards[0] == cards[1]


async def test_each_event_of_a_day_is_written_once_whoever_asks_and_however_often(
    database: Database, sql_store: SqlStore
) -> None:
    nodes = [node(database, sql_store) for _ in range(3)]
    await asyncio.gather(*(one.list_days(NOON) for one in nodes), *(one.get(DAY, NOON) for one in nodes))
    assert await types(sql_store, DAY) == ["daily_announced", "daily_opened"]
    assert await types(sql_store, dates.add_days(DAY, DAYS_AHEAD)) == ["daily_announced"]
    deals = [await one.get(dates.add_days(DAY, 3), NOON) for one in nodes]
    assert len({daily.sealed.commitment for daily in deals if daily}) == 1

    closing = dates.day_times(DAY, HOUR).closes_at
    await asyncio.gather(*(one.list_days(closing) for one in nodes))
    assert (await types(sql_store, DAY))[-1] == "daily_opened"
    await asyncio.gather(*(one.list_days(closing + SETTLE_MILLISECONDS) for one in nodes))
    assert await types(sql_store, DAY) == ["daily_announced", "daily_opened", "daily_closed"]


async def test_a_day_is_closed_however_long_the_server_was_away(database: Database, sql_store: SqlStore) -> None:
    await node(database, sql_store).list_days(NOON)
    await node(database, sql_store).list_days(NOON + 100 * dates.MILLISECONDS_PER_DAY)
    for ahead in range(DAYS_AHEAD + 1):
        assert (await types(sql_store, dates.add_days(DAY, ahead)))[-1] == "daily_closed"


async def test_days_are_not_read_without_an_event_that_cannot_be_seen_and_are_all_there_a_moment_later(
    database: Database, sql_store: SqlStore
) -> None:
    await node(database, sql_store).list_days(NOON)
    restarted, later = node(database, sql_store), NOON + 10 * dates.MILLISECONDS_PER_DAY
    async with invisible_event(database, f"daily/{DAY}", 1):
        for _ in range(2):
            with pytest.raises(StreamIncomplete):
                await restarted.list_days(later)
    await restarted.list_days(later)
    for ahead in range(DAYS_AHEAD + 1):
        assert (await types(sql_store, dates.add_days(DAY, ahead)))[-1] == "daily_closed"


async def test_nobody_plays_on_once_a_day_has_closed_although_its_close_cannot_be_read_yet(
    database: Database, sql_store: SqlStore
) -> None:
    here, elsewhere = node(database, sql_store), node(database, sql_store)
    assert await here.is_playable(DAY, NOON)
    await elsewhere.list_days(NOON + 2 * dates.MILLISECONDS_PER_DAY)
    async with invisible_event(database, f"daily/{DAY}", 3):
        with pytest.raises(StreamIncomplete):
            await here.is_playable(DAY, NOON)
    assert not await here.is_playable(DAY, NOON)


async def test_a_day_whose_log_is_away_stops_no_other_day_and_goes_on_itself_until_it_closes(
    database: Database, partly_unavailable: PartlyUnavailableStore
) -> None:
    days = node(database, partly_unavailable)
    assert await days.is_playable(DAY, NOON)
    tomorrow, next_noon = dates.add_days(DAY, 1), NOON + dates.MILLISECONDS_PER_DAY
    last = dates.add_days(tomorrow, DAYS_AHEAD)
    partly_unavailable.away = {f"daily/{DAY}", f"daily/{last}"}
    assert await days.is_playable(DAY, NOON)
    assert await days.is_playable(tomorrow, next_noon)
    listed = [daily.day for daily in await days.list_days(next_noon + SHUFFLING_MILLISECONDS)]
    assert listed == [dates.add_days(DAY, ahead) for ahead in range(DAYS_AHEAD, -1, -1)]  # without the last one
    assert await types(partly_unavailable, tomorrow) == ["daily_announced", "daily_opened"]
    partly_unavailable.away = ()
    await days.list_days(next_noon + 2 * SHUFFLING_MILLISECONDS)
    assert await types(partly_unavailable, DAY) == ["daily_announced", "daily_opened", "daily_closed"]
    assert await types(partly_unavailable, last) == ["daily_announced"]


async def test_a_node_that_starts_while_a_part_of_the_log_is_away_has_all_other_days(
    database: Database, partly_unavailable: PartlyUnavailableStore
) -> None:
    await node(database, partly_unavailable).list_days(NOON)
    tomorrow, next_noon = dates.add_days(DAY, 1), NOON + dates.MILLISECONDS_PER_DAY
    partly_unavailable.away = {f"daily/{DAY}"}
    started = node(database, partly_unavailable)
    assert await started.is_playable(tomorrow, next_noon)
    with pytest.raises(ConnectionRefusedError):
        await started.write_due(next_noon)  # the server says so in its log
    assert await types(partly_unavailable, dates.add_days(tomorrow, DAYS_AHEAD)) == ["daily_announced"]
    for _ in range(2):
        with pytest.raises(ConnectionRefusedError):
            await started.get(DAY, next_noon)
    partly_unavailable.away = ()
    await started.write_due(next_noon + SHUFFLING_MILLISECONDS)
    assert await types(partly_unavailable, DAY) == ["daily_announced", "daily_opened", "daily_closed"]


async def test_a_day_that_cannot_be_read_is_neither_listed_nor_called_missed(
    database: Database, partly_unavailable: PartlyUnavailableStore
) -> None:
    days = node(database, partly_unavailable)
    for number in range(3):
        await days.write_due(NOON + number * dates.MILLISECONDS_PER_DAY)
    now = NOON + 5 * dates.MILLISECONDS_PER_DAY
    played, away, missed = DAY, dates.add_days(DAY, 1), [dates.add_days(DAY, days) for days in (4, 3)]
    partly_unavailable.away = {f"daily/{away}"}
    before = dates.add_days(DAY, 5)
    listed, left_out = await node(database, partly_unavailable).list_readable(now, before)
    assert [daily.day for daily in listed] == [*missed, dates.add_days(DAY, 2), played]
    assert left_out == [away]
    assert missed_days(listed, before, now, left_out) == missed
    assert missed_days(listed, before, now) == [*missed, away]


async def test_a_day_long_past_is_found_and_one_never_announced_is_not(database: Database, sql_store: SqlStore) -> None:
    await node(database, sql_store).list_days(NOON)
    later = node(database, sql_store)
    now = NOON + 100 * dates.MILLISECONDS_PER_DAY
    found = await later.get(DAY, now)
    assert found is not None
    assert found.state(now) == "closed"
    assert await later.get("2020-01-01", now) is None
    assert await later.get("2026-02-30", now) is None


async def test_the_secret_of_a_day_is_in_no_event_before_its_close(database: Database, sql_store: SqlStore) -> None:
    daily = await node(database, sql_store).get(DAY, NOON)
    assert daily is not None
    secret = daily.sealed.secret.hex()
    assert not any(secret in event.data for event in await sql_store.read(f"daily/{DAY}"))
    await node(database, sql_store).list_days(daily.span.closes_at + SETTLE_MILLISECONDS)
    last = (await sql_store.read(f"daily/{DAY}"))[-1]
    assert secret in last.data
    assert secret not in repr(daily)
