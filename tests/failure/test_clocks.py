"""A server's clock that is set forward and back, in the middle of play and over a day's close, bends nothing."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import aiohttp
import pytest
from aiohttp.test_utils import TestServer

from benchmarks.kill_harness import CommandHistory
from cadogan.server.core import dates
from cadogan.server.core.clock import now
from cadogan.server.subjects.daily.days import SETTLE_MILLISECONDS
from cadogan.server.web_app import make_app
from tests.failure.verdicts import assert_nothing_is_lost, playing
from tests.harness.daily_actions import CLOSES, DAY, event_types, play_and_resign, refusal
from tests.harness.people import Person
from tests.harness.race_actions import (
    get_race,
    let_race_start,
    make_race,
    post_race,
    race_in_log,
    race_refusal,
    resign_in_race,
)
from tests.harness.running_server import TEST_SETTINGS, Clock, RunningServer, open_server

HOUR = 3_600_000
DAY_MILLISECONDS = 24 * HOUR
STARTED = 1_000_000
"""What a steady clock shows that a test keeps still."""
STEPS = (HOUR, -2 * HOUR, HOUR // 2, 3 * HOUR, -HOUR)


class Running(Clock):
    """A clock that runs, and can be set."""

    def __call__(self) -> int:
        return self.at + time.monotonic_ns() // 1_000_000


@pytest.fixture
async def running_server(database_url: str) -> AsyncIterator[RunningServer]:
    """A server over a fresh database, whose clock stands still until it is set."""
    async with open_server(replace(TEST_SETTINGS, database_url=database_url)) as one:
        yield one


async def test_setting_the_clock_during_play_loses_nothing_and_no_stream_runs_backwards_in_time(
    database_url: str,
) -> None:
    clock, history = Running(Clock.at - time.monotonic_ns() // 1_000_000), CommandHistory()
    async with TestServer(make_app(replace(TEST_SETTINGS, database_url=database_url), clock)) as server:
        url = str(server.make_url("")).rstrip("/")
        async with playing(history, url):
            for step in STEPS:
                await history.wait_for_acknowledged(30)
                clock.at += step
            await history.wait_for_acknowledged(30)
        async with aiohttp.ClientSession() as session:
            _, board = await (await Person(url, session).arrive()).get("/boards/all")
    await assert_nothing_is_lost(history, database_url)
    assert_ranks_are_sane(board)


async def test_a_day_closed_too_early_by_a_fast_clock_stays_closed_and_keeps_finished_runs(
    running_server: RunningServer,
) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    await play_and_resign(ann, await ann.enter(), moves=3)
    late = await bob.enter()
    noon = running_server.clock.at
    running_server.clock.at = CLOSES + SETTLE_MILLISECONDS
    await ann.get("/dailies/today")
    running_server.clock.at = noon
    async with bob.connect() as socket:
        seen = await socket.request("subscribe", game=late)
        assert (await socket.play(seen))["code"] == "day_not_open"
    assert await refusal(bob, f"/dailies/{DAY}/deals/2/games", {"practice": False}) == "day_not_open"
    casual = await bob.deal()
    async with bob.connect() as socket:
        assert (await socket.play(await socket.request("subscribe", game=casual)))["version"] == 2
    _, board = await ann.get(f"/boards/deal:{DAY}.1")
    assert [entry["player"]["id"] for entry in board["entries"]] == [ann.id]
    running_server.clock.at = CLOSES + SETTLE_MILLISECONDS
    await ann.get("/dailies/today")
    assert await event_types(running_server, f"daily/{DAY}") == ["daily_announced", "daily_opened", "daily_closed"]


def assert_ranks_are_sane(board: dict[str, Any]) -> None:
    """Ranks count up from 1 in the order of the points, and no run took less than no time."""
    entries = board["entries"]
    assert entries
    assert [entry["rank"] for entry in entries] == sorted(entry["rank"] for entry in entries)
    assert entries[0]["rank"] == 1
    assert all(entry["milliseconds"] >= 0 for entry in entries)


async def test_a_clock_two_days_ahead_for_a_minute_closes_opens_and_announces_nothing(database_url: str) -> None:
    async with open_server(replace(TEST_SETTINGS, database_url=database_url), lambda: STARTED, now()) as house:
        ann = await house.guest()
        await play_and_resign(ann, await ann.enter(), moves=3)
        for jump in (2 * DAY_MILLISECONDS, -3 * DAY_MILLISECONDS):
            before = await all_days(house)
            house.clock.at += jump
            await ann.get("/dailies/today")
            await house.server.challenges.list_days(house.clock.at)
            house.clock.at -= jump
            assert await all_days(house) == before, jump
        await ann.get("/dailies/today")
        casual = await ann.enter(slot=2)
        async with ann.connect() as socket:
            assert (await socket.play(await socket.request("subscribe", game=casual)))["version"] == 2


async def test_a_race_is_not_ended_by_a_clock_that_was_set_and_goes_on_afterwards(sqlite_url: str) -> None:
    steady = Clock(STARTED)
    async with open_server(replace(TEST_SETTINGS, database_url=sqlite_url), steady) as house:
        ann, bob = await house.guest(), await house.guest()
        race = await make_race(ann, bob, start=False)
        house.clock.at += 2 * DAY_MILLISECONDS
        assert await race_refusal(ann, f"/{race['race']}/start") == "unavailable"
        house.clock.at -= 2 * DAY_MILLISECONDS
        race = await post_race(ann, f"/{race['race']}/start")
        house.clock.at += 2 * DAY_MILLISECONDS
        assert not (await get_race(bob, race)).get("over")
        house.clock.at -= 2 * DAY_MILLISECONDS
        assert not (await race_in_log(house, race)).over
        seconds = race["starts_at"] - house.clock.at
        steady.at += seconds
        started = await let_race_start(house, ann, race)
        async with ann.connect() as socket:
            await resign_in_race(socket, started, ann)
        async with bob.connect() as socket:
            await resign_in_race(socket, await get_race(bob, race), bob)
        assert (await race_in_log(house, race)).over


async def test_a_day_before_one_that_has_begun_is_neither_announced_nor_opened(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    before = await all_days(running_server)
    running_server.clock.at -= 3 * DAY_MILLISECONDS
    await ann.get("/dailies/today")
    running_server.clock.at += 3 * DAY_MILLISECONDS
    assert await all_days(running_server) == before
    assert before["2026-11-17"] == []


async def test_a_day_that_nobody_opened_is_closed_only_once_the_clock_was_believed_for_an_hour(sqlite_url: str) -> None:
    settings, steady = replace(TEST_SETTINGS, database_url=sqlite_url), Clock(STARTED)
    async with open_server(settings) as house:
        await (await house.guest()).get("/dailies/today")
    async with open_server(settings, steady, CLOSES + DAY_MILLISECONDS + HOUR) as later:
        await later.server.challenges.list_days(later.clock.at)
        assert (await event_types(later, f"daily/{DAY}"))[-1] == "daily_closed"
        assert await event_types(later, "daily/2026-11-21") == ["daily_announced"]
        steady.at += HOUR
        later.clock.at += HOUR
        await later.server.challenges.list_days(later.clock.at)
        assert await event_types(later, "daily/2026-11-21") == ["daily_announced", "daily_closed"]


async def all_days(house: RunningServer) -> dict[str, list[str]]:
    """The types of the events of every day from a week before to three weeks after."""
    days = [dates.add_days(dates.day_of(house.clock.at), number) for number in range(-7, 22)]
    return {day: await event_types(house, f"daily/{day}") for day in days}
