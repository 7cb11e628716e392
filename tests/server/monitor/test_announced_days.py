"""A monitor finds a commitment that was exchanged, announced twice, dropped or dated back, before and after its day.

The forger has the whole database and the host's key, as in `test_monitor`.
"""

from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from typing import Any

import aiohttp
import pytest
from sqlalchemy import select, update

from cadogan.server.core import dates
from cadogan.server.core.database.tables import days, events
from cadogan.server.core.eventlog.hash_chain import START_HASH
from cadogan.server.core.fairness.commit_reveal import commitment
from cadogan.server.operations.announced_days import DAYS_KEPT, LAG_MILLISECONDS, AnnouncedDays
from cadogan.server.operations.watched_server import WatchedServer
from cadogan.server.subjects.transparency.leaves import DayEvent, Ended, read_entry
from tests.harness.daily_actions import CLOSED, DAY, play_and_resign
from tests.harness.logging_ends import DAY_ENTRIES, log_ends
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server
from tests.server.monitor.lived import Entry, Lived, new_state, no_wait

COMING = "2026-11-23"
NOON = 1_795_176_000_000
OTHER_SECRET = "ab" * 32
OTHER_COMMITMENT = commitment(bytes.fromhex(OTHER_SECRET))


@pytest.fixture
async def club(database_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Lived]:
    """A server that has announced its days, watched from the beginning: over SQLite, and over PostgreSQL."""
    monkeypatch.setattr("cadogan.server.subjects.transparency.sequencer.BATCH_SECONDS", 3600.0)
    async with (
        open_server(replace(TEST_SETTINGS, database_url=database_url)) as server,
        aiohttp.ClientSession() as session,
    ):
        await log_ends(server.server)
        one = Lived(server, session, [])
        assert await one.look() == []
        assert [event.type for event in one.state.announced.events[DAY]] == ["daily_announced", "daily_opened"]
        assert len(one.state.announced.events) == DAY_ENTRIES - 1
        yield one


async def live_the_day(club: Lived) -> None:
    """Let somebody play the day, and the day close."""
    ann = await club.server.guest()
    await play_and_resign(ann, await ann.enter(slot=1), moves=2)
    await close_the_day(club.server)


async def close_the_day(server: RunningServer) -> None:
    """Let the day close, and be logged."""
    server.clock.at = CLOSED
    await server.server.challenges.write_due(CLOSED)
    await log_ends(server.server)


async def exchange_the_secret(club: Lived, day: str) -> None:
    """Another secret takes the place of that of a day, with its commitment in the announcement."""

    def forge(stored: list[dict[str, Any]]) -> None:
        stored[0]["data"]["commitment"] = OTHER_COMMITMENT

    async with club.database.writing() as connection:
        await connection.execute(
            update(days).where(days.c.day == day).values(secret=OTHER_SECRET, commitment=OTHER_COMMITMENT)
        )
    await club.change_events(f"daily/{day}", forge)


async def exchange_a_deal(club: Lived) -> None:
    """Another game takes the place of one that was announced."""

    def forge(stored: list[dict[str, Any]]) -> None:
        stored[0]["data"]["deals"][0]["game"] = "klondike"
        stored[0]["data"]["deals"][0]["search"] = None

    await club.change_events(f"daily/{COMING}", forge)


async def entries_of(club: Lived) -> list[DayEvent]:
    """The entries about events of days."""
    found = list[Entry]()

    def keep(entries: list[Entry]) -> list[Entry]:
        found.extend(entries)
        return entries

    await club.log_again(keep)
    read = [read_entry(entry) for _, _, entry in found]
    return [one for one in read if isinstance(one, DayEvent)]


async def append(club: Lived, *forged: DayEvent) -> None:
    """Put entries at the end of the log."""
    entries = [(f"forged/{number}", one.version, one.as_bytes()) for number, one in enumerate(forged)]
    await club.server.server.transparency.append(entries, club.key)


async def announcement_of(club: Lived, day: str) -> DayEvent:
    """The entry in which a day was announced."""
    (found,) = [one for one in await entries_of(club) if (one.stream, one.version) == (f"daily/{day}", 1)]
    return found


async def test_nothing_is_wrong_with_days_that_are_announced_opened_and_closed(club: Lived) -> None:
    await live_the_day(club)
    assert await club.look() == []
    assert await club.look_anew() == []
    assert (club.state.announced.closed, club.state.announced.unlogged) == ([DAY], {})


async def test_a_commitment_that_is_exchanged_before_its_day_is_found_at_the_next_look(club: Lived) -> None:
    await exchange_the_secret(club, COMING)
    entry = club.state.announced.events[COMING][0]
    found = f"the server shows the day {COMING} with another commitment than entry {entry.number + 1} of the log"
    assert await club.look_again(club.state, new_state()) == [[found], [found]]


async def test_a_deal_that_is_exchanged_before_its_day_is_found_at_the_next_look(club: Lived) -> None:
    await exchange_a_deal(club)
    ((found,),) = await club.look_again(club.state)
    assert f"the server shows the day {COMING} with other deals or another beacon than entry" in found


async def test_a_commitment_that_is_exchanged_in_the_record_of_the_day_is_found(club: Lived) -> None:
    """Whoever exchanges it when the cards are known has to write the whole day anew."""
    await close_the_day(club.server)

    def forge(stored: list[dict[str, Any]]) -> None:
        stored[0]["data"]["commitment"] = OTHER_COMMITMENT
        stored[-1]["data"] |= {"secret": OTHER_SECRET, "certificates": []}
        for event in stored[1:-1]:
            event["data"] = {"certificates": {}}

    await exchange_the_secret(club, DAY)
    await club.change_events(f"daily/{DAY}", forge)
    async with club.database.reading() as connection:
        chosen = select(events.c.hash).where(events.c.stream == f"daily/{DAY}").order_by(events.c.version.desc())
        head = await connection.scalar(chosen.limit(1))
    assert head is not None
    await club.log_again(lambda entries: [closed_with(head, one) for one in entries])
    for found in await club.look_again(club.state, new_state()):
        assert any(f"the record of {DAY} has another commitment than entry" in wrong for wrong in found), found


def closed_with(head: bytes, entry: Entry) -> Entry:
    """The entry of the close of the day with another last event; another entry as it is."""
    stream, version, _ = entry
    if stream != f"daily/{DAY}":
        return entry
    return stream, version, Ended.of(stream, version, b"", head).as_bytes()


@pytest.mark.parametrize("other", [True, False])
async def test_a_day_that_is_announced_twice_is_found_whatever_is_shown_of_it(club: Lived, other: bool) -> None:
    first = await announcement_of(club, COMING)
    forged = DayEvent.of(first.stream, 1, first.type, NOON + 1000, bytes(32), OTHER_COMMITMENT)
    await append(club, forged if other else forged._replace(commitment=first.commitment))
    words = "a second time, with another commitment" if other else "a second time; the first time"
    for found in await club.look_again(club.state, new_state()):
        assert any(f"daily/{COMING}: it is announced {words}" in wrong for wrong in found), found


async def test_an_announcement_that_was_left_out_of_the_log_is_found(club: Lived) -> None:
    """Who has watched the log sees it at once, and who comes later sees it after some minutes."""
    await club.log_again(lambda entries: [one for one in entries if one[0] != f"daily_announced/{COMING}"])
    state = new_state()
    watching, late = await club.look_again(club.state, state)
    assert any("the log was set back" in wrong for wrong in watching)
    assert late == []  # it may still come
    missing = f"the server shows the day {COMING}, and the log has no entry of its announcement"
    assert await club.look_again(state, at=NOON + LAG_MILLISECONDS + 1) == [[missing]]


@pytest.mark.parametrize("type", ["daily_announced", "daily_opened"])
async def test_a_day_that_closes_without_entries_of_what_came_before_is_found(club: Lived, type: str) -> None:
    await live_the_day(club)
    await club.log_again(lambda entries: [one for one in entries if one[0] != f"{type}/{DAY}"])
    (found,) = await club.look_again(new_state())
    said = {
        "daily_announced": f"the record of {DAY} has a daily_announced, and the log has no entry of that",
        "daily_opened": f"the record of {DAY} has a daily_opened, and the log has no entry of that",
    }
    assert any(said[type] in wrong for wrong in found), found


async def test_an_announcement_that_is_dated_back_is_found_by_anybody(club: Lived) -> None:
    """A day whose commitment was made when its cards could be known is said to have been announced a week before."""
    await club.log_again(lambda entries: [one for one in entries if one[0] != f"daily_announced/{COMING}"])
    first = DayEvent.of(f"daily/{COMING}", 1, "daily_announced", NOON - 7 * 86_400_000, bytes(32), OTHER_COMMITMENT)
    await append(club, first)
    (found,) = await club.look_again(new_state())
    assert any(f"daily/{COMING}: it is dated back" in wrong for wrong in found), found


async def test_a_day_that_is_hidden_after_it_was_announced_is_found(club: Lived) -> None:
    club.watched = HidesADay(club.session, club.server.url, no_wait)
    assert await club.look() == []
    assert await club.look(at=NOON + LAG_MILLISECONDS + 1) == [
        f"the log says that the day {COMING} was announced, and the server does not show it"
    ]


class HidesADay(WatchedServer):
    """A server that says of a day that there is none."""

    async def shown_days(self) -> Any:
        return [one for one in await super().shown_days() if one[0].day != COMING]

    async def shown_day(self, day: str) -> Any:
        assert day == COMING
        return await super().shown_day("2027-11-23")


BEGINS, ENDS, _ = dates.day_times(DAY, 0)
ANNOUNCED = DayEvent.of(f"daily/{DAY}", 1, "daily_announced", BEGINS - 86_400_000, START_HASH, "ab" * 32)
OPENED = DayEvent.of(f"daily/{DAY}", 2, "daily_opened", BEGINS, START_HASH, "ab" * 32)


def told(entries: Iterable[DayEvent], seen_at: int | None = None) -> list[str]:
    """What is wrong with these entries, without the words before a colon."""
    known = AnnouncedDays()
    wrong = [one for number, entry in enumerate(entries) for one in known.add(number, entry, seen_at, ENDS)]
    return [one.partition(": ")[2] for one in wrong]


@pytest.mark.parametrize(
    ("entries", "wrong"),
    [
        ([ANNOUNCED, OPENED], []),
        ([OPENED], ["this daily_opened does not follow from the entries before it"]),
        ([ANNOUNCED, OPENED, OPENED], ["this daily_opened does not follow from the entries before it"]),
        (
            [ANNOUNCED, OPENED._replace(commitment="cd" * 32)],
            ["its commitment is not the one that was announced in entry 1"],
        ),
        ([ANNOUNCED._replace(at=ENDS)], ["this daily_announced has a time at which no server may write it"]),
        ([ANNOUNCED, OPENED._replace(at=BEGINS - 1)], ["this daily_opened has a time at which no server may write it"]),
        ([ANNOUNCED, OPENED._replace(stream="daily/today")], ["this is no day"]),
        (
            [ANNOUNCED, OPENED._replace(at=ENDS + 90_000)],
            ["this daily_opened has a time at which no server may write it", "it has a time in the future"],
        ),
    ],
)
def test_entries_of_a_day_that_contradict_each_other_or_the_calendar_are_named(
    entries: list[DayEvent], wrong: list[str]
) -> None:
    assert told(entries) == wrong


def test_a_witness_who_saw_an_announcement_before_it_was_made_is_named() -> None:
    (wrong,) = told([ANNOUNCED], ANNOUNCED.at // 1000 - 90)
    assert wrong.startswith("a witness signed it at 2026-11-18 23:58 UTC, and it went on until")
    assert told([ANNOUNCED], ANNOUNCED.at // 1000 - 50) == []


def test_closed_days_of_long_ago_are_forgotten_and_others_are_kept() -> None:
    known = AnnouncedDays()
    for number in range(30):
        day = dates.add_days(DAY, number)
        one = ANNOUNCED._replace(stream=f"daily/{day}", at=BEGINS + 86_400_000 * (number - 1))
        assert [*known.add(number, one, None, one.at)] == []
        if number > 0:
            known.close(day)
    assert sorted(known.events) == [DAY, *(dates.add_days(DAY, number) for number in range(29 - DAYS_KEPT, 30))]
