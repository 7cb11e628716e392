"""Evenings that repeat every week: the next one is announced once, lies ahead, and is like the one before."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from cadogan.server.cli.records import export
from cadogan.server.core.dates import weeks_later
from cadogan.server.subjects.audit.attestation import Trust
from cadogan.server.subjects.audit.recompute_evening import recompute_evening
from cadogan.wire.house import Why
from tests.harness.evening_actions import MINUTE, ROUND, Room, open_room
from tests.harness.hosts import player, roles
from tests.harness.logging_ends import log_ends

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


async def test_a_series_is_refused_for_an_unknown_time_zone_and_none_ends_where_none_is(room: Room) -> None:
    await room.announce()
    assert (await room.rule(kind="end_series"))[0] == 400
    new = {"title": "T", "starts_at": room.clock.at + 10 * MINUTE, "weekly": "Europe/Nowhere"}
    assert (await room.people["host"].post("/evenings", new))[0] == 400


def test_a_week_later_is_the_same_local_time_when_clocks_are_put_back() -> None:
    before = int(datetime(2026, 10, 22, 19, 0, tzinfo=BUDAPEST).timestamp() * 1000)
    assert weeks_later(before, BUDAPEST, before) - before == WEEK + 60 * MINUTE
