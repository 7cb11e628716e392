"""Evenings that repeat every week: the next one is announced once, lies ahead, and is like the one before."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from aiohttp import web

from cadogan.server.cli.records import export
from cadogan.server.core.dates import weeks_later
from cadogan.server.subjects.audit.attestation import Trust
from cadogan.server.subjects.audit.recompute_evening import recompute_evening
from cadogan.server.subjects.daily import beacon_days
from cadogan.wire.admin import Why
from tests.harness.drand_server import drand_server
from tests.harness.evening_actions import MINUTE, ROUND, Room, open_room
from tests.harness.hosts import WHY, confirm, player, roles, with_role
from tests.harness.logging_ends import log_ends
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS

WEEK = 7 * 24 * 60 * MINUTE
BUDAPEST = ZoneInfo("Europe/Budapest")
ONE_ROUND = {"rounds": 1, "games": ["klondike"], "weekly": BUDAPEST.key}


@pytest.fixture
async def room(database_url: str) -> AsyncIterator[Room]:
    """Two nodes."""
    async with open_room(database_url) as one:
        yield one


async def coming(room: Room) -> list[dict[str, Any]]:
    """Return the evenings that are to come, as the list shows them."""
    _, found = await room.people["host"].get("/evenings")
    return [one for one in found["evenings"] if one["state"] == "coming"]


async def begin(room: Room) -> dict[str, Any]:
    """Let round 1 of the evening open; return the evening."""
    shown = await room.show()
    await room.pass_time(shown["rounds"][0]["opens_at"] - room.clock.at)
    return await room.show()


def local(moment: int) -> str:
    """Return the weekday and the time of a moment in Budapest."""
    return f"{datetime.fromtimestamp(moment / 1000, BUDAPEST):%a %H:%M}"


@pytest.mark.both_databases
async def test_two_nodes_announce_the_next_evening_once_with_the_changes_of_this_one_and_its_code(room: Room) -> None:
    made = await room.announce(**ONE_ROUND, seconds=300)
    assert made["series"] == {"number": 1, "time_zone": "Europe/Budapest"}
    await room.people["host"].ask("PUT", f"/evenings/{room.evening}", {"title": "Friday"})
    other = room.at("host", 1)
    await room.pass_time(10 * MINUTE)
    await asyncio.gather(*(person.get(f"/evenings/{room.evening}") for person in (room.people["host"], other)))
    first, (next_one,) = await room.show(), await coming(room)
    assert next_one["is_weekly"]
    assert (first["state"], first["series"]["next"]) == ("round", next_one["id"])
    assert (next_one["title"], next_one["starts_at"]) == ("Friday", made["rounds"][0]["opens_at"] + WEEK)
    assert next_one["ends_at"] - next_one["starts_at"] == 300_000
    assert next_one["code"] == made["code"]
    await asyncio.gather(*(node.server.evening_series.run_due() for node in room.nodes))
    assert [one["id"] for one in await coming(room)] == [next_one["id"]]
    found = [await room.people["host"].get(f"/evenings/codes/{made['code']}")]
    await room.pass_time(5 * MINUTE)
    await room.show()
    found.append(await room.people["host"].get(f"/evenings/codes/{made['code']}"))
    assert [one["id"] for _, one in found] == [room.evening, next_one["id"]]
    assert [deal["state"] for deal in found[1][1]["rounds"]] == ["coming"]


async def test_after_an_outage_of_weeks_one_evening_lies_ahead_at_the_same_local_time_though_clocks_were_changed(
    room: Room, tmp_path: Path
) -> None:
    begins = (await room.announce(**ONE_ROUND))["rounds"][0]["opens_at"]
    await room.pass_time(19 * WEEK)  # until April of 2027
    assert (await room.show())["state"] in ("final", "void")
    (ahead,) = await coming(room)
    assert room.clock.at < ahead["starts_at"] <= room.clock.at + WEEK
    assert local(ahead["starts_at"]) == local(begins)
    assert (ahead["starts_at"] - begins) % WEEK == WEEK - 60 * MINUTE
    async with room.first.session.get(f"{room.first.url}/feeds/evenings.ics") as answer:
        assert (await answer.text()).count("BEGIN:VEVENT") == 2

    past, room.evening = room.evening, ahead["id"]
    status, _ = await room.people["host"].post(f"/evenings/{past}/rulings", {"kind": "end_series"})
    assert (status, (await room.show())["series"]["ended"]) == (200, "by_leader")
    await room.rule(kind="end_series")
    await begin(room)
    await room.guest("Rosa")
    await room.play("Rosa")
    await room.pass_time(2 * ROUND + 60 * MINUTE)
    assert ((await room.show())["state"], await coming(room)) == ("final", [])
    key = await log_ends(room.first.server)
    await export(room.first.server.settings, tmp_path, room.clock)
    assert recompute_evening(room.evening, tmp_path, Trust((key,))).agrees


async def test_an_evening_that_is_called_off_ends_no_series_and_one_whose_leader_may_not_lead_does(room: Room) -> None:
    await room.announce(**ONE_ROUND)
    assert (await room.rule(kind="void", reason="flood"))[1]["state"] == "void"
    (second,) = await coming(room)
    assert (await room.show())["series"]["next"] == second["id"]
    room.evening = second["id"]
    await roles(room.first).change(None, (await player(room.first, "Edith")).id, "host", Why(reason="request"))
    await roles(room.first).change(None, room.people["host"].id, None, Why(reason="request"))
    shown = await begin(room)
    assert (shown["series"]["ended"], await coming(room)) == ("no_leader", [])

    ada = room.people["host"] = await player(room.first, "Ada")
    _, group = await ada.post("/groups", {"name": "Thursdays"})
    await room.announce(**ONE_ROUND, group=group["id"], entry="group")
    await ada.ask("DELETE", f"/groups/{group['id']}/members/me")
    assert (await begin(room))["series"]["ended"] == "no_leader"


async def test_the_series_of_a_suspended_host_ends_and_the_page_says_so(room: Room) -> None:
    await room.announce(**ONE_ROUND)
    moderator = await with_role(room.first, "Edith", "moderator")
    leader = room.people["host"].id
    await roles(room.first).change(
        None, (await with_role(room.first, "Agnes", "host")).id, "host", Why(reason="request")
    )
    await roles(room.first).change(None, leader, None, Why(reason="request"))
    until = {"until": room.clock.at + WEEK, **WHY}
    assert (await moderator.ask("PUT", f"/house/players/{leader}/suspension", until))[0] == 200
    room.people["host"] = moderator
    assert (await begin(room))["series"]["ended"] == "no_leader"
    assert await coming(room) == []


@pytest.mark.parametrize("by", ["leaving", "erasure"])
async def test_the_owner_of_the_group_leads_on_when_the_leader_of_its_series_is_gone(room: Room, by: str) -> None:
    ada, bob = [await player(room.first, name) for name in ("Ada", "Bob")]
    room.people["host"] = ada
    _, group = await ada.post("/groups", {"name": "Thursdays"})
    assert (await bob.post("/groups/join", {"token": group["token"]}))[0] == 200
    await room.announce(**ONE_ROUND, group=group["id"], entry="group")
    gone = f"/groups/{group['id']}/members/me" if by == "leaving" else "/account"
    await confirm(ada)
    status, answer = await ada.ask("DELETE", gone)
    assert status < 300, answer
    room.people["host"] = bob
    assert "ended" not in (await begin(room))["series"]
    (next_one,) = await coming(room)
    assert next_one["leader"]["id"] == bob.id


async def test_what_the_beacon_delayed_is_announced_when_it_answers_though_the_evening_is_over(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beacon_days, "RETRY_SECONDS", 0.0)
    async with drand_server() as drand:
        settings = replace(TEST_SETTINGS, beacon=drand.setting)
        async with open_room(sqlite_url, count=1, settings=settings) as before:
            await before.announce(**ONE_ROUND)
            host, evening, at = before.people["host"], before.evening, before.clock.at
        drand.answer = lambda _: web.Response(status=503)
        async with open_room(sqlite_url, count=1, settings=settings) as room:
            server = room.first.server
            room.evening, room.clock.at = evening, at
            room.people["host"] = again = Person(room.first.url, room.first.session)
            again.id, again.token = host.id, host.token
            assert "is_delayed" not in (await room.show())["series"]
            for passed in (10 * MINUTE, MINUTE):  # the node asks the beacon, and waits for it for ten seconds
                await room.pass_time(passed)
                shown = await room.show()
            assert (shown["state"], shown["series"]["is_delayed"]) == ("round", True)
            assert await server.news.evening_news.notices() == [], "it may be announced in a minute"
            await room.pass_time(2 * ROUND + 60 * MINUTE)
            shown = await room.show()
            assert (shown["state"], shown["series"].get("next"), shown["series"]["is_delayed"]) == ("void", None, True)
            (notice,) = await server.news.evening_news.notices()
            assert (notice.topic, notice.id, notice.players) == ("series_stopped", evening, {host.id})
            assert (await room.rule(kind="end_series"))[0] == 409
            drand.answer = web.json_response
            assert server.beacon is not None
            server.beacon.chain()
            await server.beacon.wait_until_idle()
            await server.evening_series.run_due()
            await server.evening_series.run_due()
            (next_one,) = await coming(room)
            assert (await room.show())["series"]["next"] == next_one["id"]


async def test_a_series_is_refused_for_an_unknown_time_zone_and_none_ends_where_none_is(room: Room) -> None:
    await room.announce()
    assert (await room.rule(kind="end_series"))[0] == 400
    new = {"title": "T", "starts_at": room.clock.at + 10 * MINUTE, "weekly": "Europe/Nowhere"}
    assert (await room.people["host"].post("/evenings", new))[0] == 400


def test_a_week_later_is_the_same_local_time_when_clocks_are_put_back() -> None:
    before = int(datetime(2026, 10, 22, 19, 0, tzinfo=BUDAPEST).timestamp() * 1000)
    assert weeks_later(before, BUDAPEST, before) - before == WEEK + 60 * MINUTE
