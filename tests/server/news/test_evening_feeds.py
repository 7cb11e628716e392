"""Evenings as a calendar and as a feed: for the server, and for a group at an address that only its members know."""

from collections.abc import AsyncIterator
from typing import Any

import feedparser
import pytest

from tests.harness.evening_actions import MINUTE, Room, open_room
from tests.harness.people import Person
from tests.harness.rated_evenings import hold_evening
from tests.server.news.test_feeds import events_of, moments, read

TITLE = "A, B; \\ C" + "ő" * 30


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """An evening for everybody, with every letter in its name that a calendar escapes."""
    async with open_room(sqlite_url, count=1) as one:
        await one.announce(title=TITLE)
        yield one


async def paths_of(person: Person) -> dict[str | None, str]:
    """The addresses of the feeds that somebody is told of, by group."""
    _, listed = await person.get("/evenings")
    return {one.get("group"): one["path"] for one in listed["calendars"]}


async def make_group_evening(room: Room, person: Person) -> tuple[dict[str, Any], dict[str, Any]]:
    """Let somebody make a group and an evening for it."""
    _, group = await person.post("/groups", {"name": "Tuesdays"})
    new = {"title": "Ours", "starts_at": room.clock.at + 20 * MINUTE, "rounds": 1, "entry": "group"}
    status, made = await person.post("/evenings", {**new, "group": group["id"]})
    assert status == 200, made
    return group, made


async def test_the_calendar_has_the_evenings_for_everybody_with_folded_lines_and_escaped_names(room: Room) -> None:
    await make_group_evening(room, await room.first.guest())
    status, headers, body = await read(room.first, "/feeds/evenings.ics")
    assert (status, headers["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    assert b"\r\n " in body
    assert b"SUMMARY:A\\, B\\; \\\\ C" in body.replace(b"\r\n ", b"")
    assert max(map(len, body.split(b"\r\n"))) <= 75
    (event,) = events_of(body)
    first, last = (await room.show())["rounds"][0], (await room.show())["rounds"][-1]
    assert str(event["SUMMARY"]) == TITLE
    assert event["UID"] == f"evening-{room.evening}@127.0.0.1"
    assert int(event["DTSTART"].dt.timestamp() * 1000) == first["opens_at"]
    assert int(event["DTEND"].dt.timestamp() * 1000) == last["closes_at"]
    assert event["URL"] == f"{room.first.url}/evenings/{room.evening}"
    assert "STATUS" not in event
    await room.rule(kind="void", reason="No light.")
    (event,) = events_of((await read(room.first, "/feeds/evenings.ics"))[2])
    assert event["STATUS"] == "CANCELLED"


async def test_the_feed_has_the_evenings_for_everybody_and_when_they_last_changed(room: Room) -> None:
    announced_at = room.clock.at
    room.clock.at += MINUTE
    status, _, body = await read(room.first, "/feeds/evenings.atom")
    found = feedparser.parse(body)
    assert (status, bool(found.bozo)) == (200, False)
    (entry,) = found.entries
    assert (entry.title, entry.id) == (TITLE, f"{room.first.url}/evenings/{room.evening}")
    assert moments(entry.updated_parsed) == announced_at


async def test_the_feed_has_the_first_places_once_the_standing_is_final(room: Room) -> None:
    await hold_evening(room, ("ann", "bob"))
    found = feedparser.parse((await read(room.first, "/feeds/evenings.atom"))[2])
    content = next(one.summary for one in found.entries if one.id.endswith(room.evening))
    assert '<li value="1">ann (100.00 %)</li><li value="2">bob (0.00 %)</li>' in content
    assert all("<li" not in one.summary for one in found.entries if not one.id.endswith(room.evening))


async def test_the_feeds_of_a_group_are_at_an_address_that_changes_with_its_link(room: Room) -> None:
    ann = await room.first.guest()
    group, made = await make_group_evening(room, ann)
    paths = await paths_of(ann)
    assert paths[None] == "/feeds/evenings"
    path = paths[group["id"]]
    (event,) = events_of((await read(room.first, f"{path}.ics"))[2])
    assert event["URL"].endswith(made["id"])
    assert [one.title for one in feedparser.parse((await read(room.first, f"{path}.atom"))[2]).entries] == ["Ours"]
    assert await paths_of(room.first.stranger()) == {None: "/feeds/evenings"}
    wrong = f"/feeds/groups/{group['id']}/aaaabbbbccccdddd/evenings.ics"
    assert (await read(room.first, wrong))[0] == 404
    assert (await read(room.first, wrong.replace(group["id"], "aaaabbbbccccdddd")))[0] == 404
    assert (await ann.ask("PUT", f"/groups/{group['id']}/link"))[0] == 200
    assert (await read(room.first, f"{path}.ics"))[0] == 404
