"""Talk in groups: only where the owner lets the members write, among members only, at a pace, and for a while."""

from typing import Any

import pytest

from cadogan.server.subjects.chat.group_chat import MAX_MESSAGES, MESSAGE_LIMITS, RETENTION_MILLISECONDS
from tests.harness.hosts import PASSWORD, WHY, log_of, player, with_role
from tests.harness.people import Person
from tests.harness.running_server import RunningServer

DAY = 24 * 3600 * 1000


async def club(running_server: RunningServer, on: bool = True) -> tuple[Person, Person, str]:
    """The owner of a group, another member, and the group's id."""
    ann, bob = await player(running_server, "Ann"), await player(running_server, "Bob")
    _, group = await ann.post("/groups", {"name": "The snug"})
    await bob.post("/groups/join", {"token": group["token"]})  # at the same moment: Ann owns it all the same
    if on:
        assert (await ann.ask("PUT", f"/groups/{group['id']}/talk", {"on": True}))[0] == 200
    return ann, bob, group["id"]


async def write(person: Person, group: str, text: str = "Hello!") -> tuple[int, Any]:
    """The answer to somebody who writes in a group."""
    return await person.post(f"/groups/{group}/messages", {"text": text})


async def read(person: Person, group: str, query: str = "") -> list[str]:
    """What somebody reads in a group."""
    status, answer = await person.get(f"/groups/{group}/messages{query}")
    assert status == 200, answer
    return [one.get("text", "") for one in answer["messages"]]


async def test_members_write_in_a_group_once_its_owner_has_switched_it_on(running_server: RunningServer) -> None:
    ann, bob, group = await club(running_server, on=False)
    assert (await write(bob, group))[1]["code"] == "conflict"
    assert (await bob.ask("PUT", f"/groups/{group}/talk", {"on": True}))[1]["code"] == "forbidden"
    status, switched = await ann.ask("PUT", f"/groups/{group}/talk", {"on": True})
    assert (status, switched["talk"], switched["owner"]) == (200, True, ann.id)
    for person, text in ((bob, "Hello,\n  Ann!"), (ann, "Hello, Bob!")):
        running_server.clock.at += 1
        status, written = await write(person, group, text)
        assert (status, written["by"]["id"], written["at"]) == (200, person.id, running_server.clock.at)
    assert await read(bob, group) == ["Hello, Ann!", "Hello, Bob!"]
    status, switched = await ann.ask("PUT", f"/groups/{group}/talk", {"on": False})
    assert "talk" not in switched
    assert await read(bob, group) == []
    await ann.ask("PUT", f"/groups/{group}/talk", {"on": True})
    assert await read(bob, group) == []


async def test_only_members_read_and_write(running_server: RunningServer) -> None:
    ann, bob, group = await club(running_server)
    stranger, mod = await player(running_server, "Eve"), await with_role(running_server, "Mo", "host")
    await write(ann, group)
    for other in (stranger, mod):
        for answer in (
            await other.get(f"/groups/{group}/messages"),
            await write(other, group),
            await other.ask("PUT", f"/groups/{group}/talk", {"on": False}),
        ):
            assert answer[1]["code"] == "not_found"
    assert (await stranger.get("/groups/nothing/messages"))[1]["code"] == "not_found"
    assert await read(bob, group) == ["Hello!"]
    await bob.ask("DELETE", f"/groups/{group}/members/me")
    assert (await bob.get(f"/groups/{group}/messages"))[1]["code"] == "not_found"
    assert (await write(bob, group))[1]["code"] == "not_found"


async def test_the_next_member_owns_a_group_that_its_owner_has_left(sqlite_server: RunningServer) -> None:
    ann, bob, group = await club(sqlite_server)
    await ann.ask("DELETE", f"/groups/{group}/members/me")
    assert (await bob.ask("PUT", f"/groups/{group}/talk", {"on": False}))[0] == 200


async def test_guests_bots_and_the_muted_write_nothing(running_server: RunningServer) -> None:
    ann, bob, group = await club(running_server)
    guest, mod = await running_server.guest(), await with_role(running_server, "Mo", "moderator")
    token = (await ann.get("/groups"))[1]["groups"][0]["token"]
    bot = await running_server.guest()
    bot.token = (await bob.post("/bots", {"name": "Marvin"}))[1]["token"]
    for silent in (guest, bot):
        assert (await silent.post("/groups/join", {"token": token}))[0] == 200
        assert (await write(silent, group))[1]["code"] == "forbidden"
        assert (await silent.get(f"/groups/{group}/messages"))[0] == 200
    await mod.ask("PUT", f"/house/players/{bob.id}/mute", {"until": running_server.clock.at + DAY, **WHY})
    assert (await write(bob, group))[1]["code"] == "muted"
    running_server.clock.at += DAY + 1
    assert (await write(bob, group))[0] == 200


async def test_who_writes_too_fast_is_told_how_long_to_wait(running_server: RunningServer) -> None:
    ann, bob, group = await club(running_server)
    count, span = MESSAGE_LIMITS[0]
    for number in range(count):
        assert (await write(ann, group, str(number)))[0] == 200
    status, refusal = await write(ann, group)
    assert (status, refusal["code"], refusal["retry_after"]) == (429, "rate_limited", span / 1000)
    assert (await write(bob, group))[0] == 200
    running_server.clock.at += span
    assert (await write(ann, group))[0] == 200


async def test_a_message_is_kept_for_a_month(running_server: RunningServer) -> None:
    ann, bob, group = await club(running_server)
    await write(ann, group, "old")
    running_server.clock.at += RETENTION_MILLISECONDS - 1
    await write(bob, group, "new")
    assert await read(bob, group) == ["old", "new"]
    running_server.clock.at += 1
    assert await read(bob, group) == ["new"]
    await running_server.server.group_chat.clear_old()
    running_server.clock.at -= 1
    assert await read(bob, group) == ["new"]


async def test_of_a_long_talk_the_latest_messages_are_kept(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.subjects.chat.group_chat.MAX_MESSAGES", 3)
    assert MAX_MESSAGES == 500
    ann, _, group = await club(sqlite_server)
    for number in range(5):
        sqlite_server.clock.at += MESSAGE_LIMITS[0][1]
        await write(ann, group, str(number))
    assert await read(ann, group) == ["2", "3", "4"]


async def test_the_talk_is_read_in_pages(sqlite_server: RunningServer) -> None:
    ann, _, group = await club(sqlite_server)
    ids = []
    for number in range(5):  # all at the same moment
        ids.append((await write(ann, group, str(number)))[1]["id"])
    everything = [one["id"] for one in (await ann.get(f"/groups/{group}/messages"))[1]["messages"]]
    assert sorted(everything) == sorted(ids)
    found: list[str] = []
    more = True
    while more:
        before = f"&before={found[0]}" if found else ""
        _, page = await ann.get(f"/groups/{group}/messages?limit=2{before}")
        found, more = [*(one["id"] for one in page["messages"]), *found], page.get("more", False)
    assert found == everything
    assert (await ann.get(f"/groups/{group}/messages?before=aaaaaaaaaaaaaaaa"))[1]["code"] == "not_found"


async def test_a_message_is_removed_by_its_writer_the_owner_and_moderators(running_server: RunningServer) -> None:
    ann, bob, group = await club(running_server)
    mod, eve = await with_role(running_server, "Mo", "moderator"), await player(running_server, "Eve")
    ids = [(await write(bob, group, text))[1]["id"] for text in ("one", "two", "three")]
    own = (await write(ann, group, "mine"))[1]["id"]
    assert (await bob.ask("DELETE", f"/groups/{group}/messages/{own}"))[1]["code"] == "forbidden"
    assert (await eve.ask("DELETE", f"/groups/{group}/messages/{own}"))[1]["code"] == "not_found"
    for person, id in zip((bob, ann, mod), ids, strict=True):
        status, removed = await person.ask("DELETE", f"/groups/{group}/messages/{id}")
        assert (status, removed["removed"], "text" in removed) == (200, True, False)
        assert (await person.ask("DELETE", f"/groups/{group}/messages/{id}"))[0] == 200
    assert [text for text in await read(bob, group) if text] == ["mine"]
    host = await with_role(running_server, "Ada", "host")
    acts = [(act["by"]["name"], act["player"]["id"]) for act in await log_of(host) if act["act"] == "message_removed"]
    assert acts == [("Mo", bob.id)]
    assert (await mod.ask("DELETE", f"/groups/{group}/messages/aaaaaaaaaaaaaaaa"))[1]["code"] == "not_found"


async def test_a_player_downloads_what_they_wrote_and_what_they_wrote_goes_with_them(
    running_server: RunningServer,
) -> None:
    ann, bob, group = await club(running_server)
    for person, text in ((ann, "By Ann"), (bob, "By Bob")):
        await write(person, group, text)
    async with bob.session.get(f"{bob.url}/api/v1/account/data", headers=bob.headers) as answer:
        download = await answer.text()
    assert "By Bob" in download
    assert "By Ann" not in download
    await bob.ask("PUT", "/session/confirmation", {"password": PASSWORD})
    assert (await bob.ask("DELETE", "/account"))[0] == 200
    assert await read(ann, group) == ["By Ann"]
