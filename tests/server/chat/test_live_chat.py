"""Talk as it is shown live: to members on every node, at once, and to nobody who has left."""

import asyncio
from typing import Any

from tests.harness.hosts import player
from tests.harness.patience import soon
from tests.harness.people import Person, PlayerSocket
from tests.harness.running_server import RunningServer
from tests.harness.two_nodes import TwoNodes


async def club(running_server: RunningServer) -> tuple[Person, Person, str]:
    """The owner of a group in which members write, another member, and the group's id."""
    ann, bob = await player(running_server, "Ann"), await player(running_server, "Bob")
    _, group = await ann.post("/groups", {"name": "The snug"})
    running_server.clock.at += 1
    await bob.post("/groups/join", {"token": group["token"]})
    await ann.ask("PUT", f"/groups/{group['id']}/talk", {"on": True})
    return ann, bob, group["id"]


async def write(person: Person, group: str, text: str) -> str:
    """Write in a group; the id of the message."""
    status, written = await person.post(f"/groups/{group}/messages", {"text": text})
    assert status == 200, written
    return str(written["id"])


async def hear(connected: PlayerSocket) -> list[Any]:
    """What is told next: the texts that were written, and None for each that was removed."""
    received = await asyncio.wait_for(connected.receive("talk"), soon())
    return [one.get("text") for one in received["messages"]]


async def test_who_watches_is_told_what_was_written_and_what_is_written_and_removed_on_any_node(
    two_nodes: TwoNodes,
) -> None:
    ann, bob, group = await club(two_nodes.first)
    await write(ann, group, "Before")
    async with two_nodes.at_second(bob).connect() as far, bob.connect() as near:
        for connected in (far, near):
            answer = await connected.request("watch_talk", group=group)
            assert (answer["type"], [one["text"] for one in answer["messages"]]) == ("talk", ["Before"])
        written = await write(ann, group, "Now")
        assert [await hear(far), await hear(near)] == [["Now"], ["Now"]]
        await ann.ask("DELETE", f"/groups/{group}/messages/{written}")
        assert [await hear(far), await hear(near)] == [[None], [None]]
        await ann.ask("PUT", f"/groups/{group}/talk", {"on": False})
        for connected in (far, near):
            received = await connected.receive("talk")
            assert (received["on"], received["messages"]) == (False, [])


async def test_who_has_left_the_group_is_told_nothing_more(two_nodes: TwoNodes) -> None:
    ann, bob, group = await club(two_nodes.first)
    async with two_nodes.at_second(bob).connect() as left, ann.connect() as stays:
        for connected in (left, stays):
            await connected.request("watch_talk", group=group)
        await bob.ask("DELETE", f"/groups/{group}/members/me")
        await write(ann, group, "Bob has gone")
        assert await hear(stays) == ["Bob has gone"]
        await two_nodes.second.server.wait_until_idle()
        assert (await left.request("ping"))["type"] == "pong"  # and nothing came before it
        assert (await left.request("watch_talk", group=group))["code"] == "not_found"


async def test_what_was_written_while_no_wake_up_came_is_sent_by_the_resync(two_nodes: TwoNodes) -> None:
    ann, bob, group = await club(two_nodes.first)
    async with two_nodes.at_second(bob).connect() as far:
        await far.request("watch_talk", group=group)
        two_nodes.cut()
        await write(ann, group, "Lost")
        two_nodes.second.server.resync.request(None)
        assert await hear(far) == ["Lost"]


async def test_only_members_watch_and_who_stops_is_told_nothing_more(sqlite_server: RunningServer) -> None:
    ann, bob, group = await club(sqlite_server)
    eve = await player(sqlite_server, "Eve")
    nobody = Person(sqlite_server.url, sqlite_server.session)
    async with eve.connect() as stranger, nobody.connect() as unknown, bob.connect() as member:
        assert (await stranger.request("watch_talk", group=group))["code"] == "not_found"
        assert (await stranger.request("watch_talk", group="nothing"))["code"] == "not_found"
        assert (await unknown.request("watch_talk", group=group))["code"] == "unauthorized"
        await member.request("watch_talk", group=group)
        assert (await member.request("unwatch_talk", group=group))["type"] == "done"
        await write(ann, group, "For nobody")
        await sqlite_server.server.wait_until_idle()
        for connected in (stranger, unknown, member):
            assert (await connected.request("ping"))["type"] == "pong"
