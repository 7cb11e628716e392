"""Virtual evenings: a final evening is played later against the runs of then, and counts nowhere."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from msgspec import json

from cadogan.server.core.scoring.answer import score
from tests.harness.evening_actions import MINUTE, PAUSE, ROUND, Room, open_room
from tests.harness.people import Person

OBJECTIONS = 30 * MINUTE


async def hold_evening(room: Room) -> None:
    """Let ann and bob play an evening of two rounds until it is final; cat comes too late."""
    await room.announce(rounds=2, games=["klondike"] * 2)
    for name in ("ann", "bob"):
        await room.guest(name)
    await room.pass_time(10 * MINUTE)
    for pause in (PAUSE, OBJECTIONS):
        await room.play("ann", moves=1)
        await room.play("bob", moves=3)
        await room.pass_time(ROUND + pause)
    assert (await room.show())["state"] == "final"
    room.people["cat"] = await room.first.guest()


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """Such an evening on one node."""
    async with open_room(sqlite_url, count=1) as one:
        await hold_evening(one)
        yield one


async def ask(room: Room, name: str, path: str = "", method: str = "GET") -> tuple[int, Any]:
    """Ask for the virtual evening of somebody; return status and answer."""
    return await room.people[name].ask(method, f"/evenings/{room.evening}/virtual{path}")


async def begin(room: Room, name: str = "cat") -> dict[str, Any]:
    """Let somebody begin the evening virtually."""
    status, begun = await ask(room, name, method="POST")
    assert status == 200, begun
    shown: dict[str, Any] = begun
    return shown


async def play(room: Room, moves: int, name: str = "cat", *, give_up: bool = True) -> str:
    """Let somebody open the deal of their open round, play so many moves, and give up; return the id of the game."""
    status, opened = await ask(room, name, "/games", "POST")
    assert status == 200, opened
    async with room.people[name].connect() as socket:
        seen = await socket.request("subscribe", game=opened["game"])
        version = seen["version"]
        for _ in range(moves):
            played = await socket.play({"game": opened["game"], "version": version, "legal": ["deal"]})
            assert "version" in played, played
            version = played["version"]
        if give_up:
            await socket.request("resign", game=opened["game"], version=version)
    return str(opened["game"])


async def run_of(room: Room, name: str = "ann") -> str:
    """The id of somebody's run of round 1."""
    runs = (await room.people["ann"].get(f"/evenings/{room.evening}/rounds/1"))[1]["runs"]
    return str(next(one["game"] for one in runs if one["player"]["name"] == name))


async def test_a_whole_evening_is_played_later_and_has_the_place_that_scoring_its_download_gives(room: Room) -> None:
    recorded = await room.standing()
    assert (await ask(room, "cat"))[1]["state"] == "none"
    begun = await begin(room)
    assert [one["opens_at"] - begun["starts_at"] for one in begun["rounds"]] == [0, ROUND + PAUSE]
    assert [one["closes_at"] - one["opens_at"] for one in begun["rounds"]] == [ROUND, ROUND]
    await play(room, moves=2)
    await room.pass_time(5 * MINUTE)
    shown = (await ask(room, "cat"))[1]
    assert (shown["state"], shown["place"], shown["of"], shown["total"]) == ("on", 2, 3, "1/2")
    await room.pass_time(5 * MINUTE)
    assert (await ask(room, "cat", "/games", "POST"))[1]["code"] == "conflict"
    await room.pass_time(PAUSE)
    game = await play(room, moves=0, give_up=False)
    await room.pass_time(ROUND)
    shown = (await ask(room, "cat"))[1]
    assert (shown["state"], shown["place"], shown["of"], shown["total"]) == ("finished", 1, 3, "3/4")
    assert (await room.people["cat"].get(f"/games/{game}"))[1]["status"] == "out_of_time"
    status, form = await ask(room, "cat", "/form")
    assert status == 200
    final = score(json.encode(form))["final"]
    assert (final["place"], final["of"], final["total"]) == (1, 3, "3/4")
    assert (await room.standing())["fields"] == recorded["fields"]


async def test_who_was_there_or_has_looked_at_a_run_or_practised_a_deal_cannot_begin(room: Room) -> None:
    assert (await ask(room, "ann"))[1]["why"] == "seen"
    assert "why" not in (await ask(room, "cat"))[1]
    run = await run_of(room)
    for what in ("", "/replay", "/record", "/pace", "/analysis"):
        looking = room.people["looking"] = await room.first.guest()
        status, _ = await looking.get(f"/games/{run}{what}")
        assert status == 200, what
        assert (await ask(room, "looking"))[1]["why"] == "seen", what
    status, refused = await ask(room, "looking", method="POST")
    assert (status, refused["code"]) == (409, "conflict")
    assert refused["message"] == "You have played or seen a deal of this evening."
    deal = (await room.show())["rounds"][0]["deal"]
    assert (await room.people["cat"].post(f"/deals/{deal}/games"))[0] == 200
    assert (await ask(room, "cat"))[1]["why"] == "seen"


async def test_an_evening_is_played_once_and_not_by_the_bots_of_the_player_either(room: Room) -> None:
    claimed = {"name": "Caterina", "password": "correct horse"}
    assert (await room.people["cat"].post("/account", claimed))[0] == 200
    status, made = await room.people["cat"].post("/bots", {"name": "Catbot"})
    assert status == 200, made
    room.people["bot"] = bot = Person(room.first.url, room.first.session)
    bot.id, bot.token = made["player"]["id"], made["token"]
    await begin(room)
    assert (await ask(room, "bot"))[1]["why"] == "second_time"
    await room.pass_time(2 * ROUND + PAUSE)
    assert (await ask(room, "cat"))[1]["state"] == "finished"
    status, refused = await ask(room, "cat", method="POST")
    assert (status, refused["message"]) == (409, "You have begun this evening before: one can do so once.")


async def test_an_evening_that_is_not_final_cannot_be_played(room: Room) -> None:
    await room.announce(rounds=1, games=["klondike"])
    assert (await ask(room, "cat"))[1]["why"] == "not_final"
    assert (await room.rule(kind="void", reason="storm"))[0] == 200
    assert (await ask(room, "cat"))[1]["why"] == "void"


async def test_a_second_device_goes_on_at_another_node_and_after_the_first_node_was_killed(
    sqlite_url: str,
) -> None:
    async with open_room(sqlite_url) as room:
        await hold_evening(room)
        begun = await begin(room)
        game = await play(room, moves=1, give_up=False)
        first = room.people["cat"]
        room.at("cat", 1)
        assert (await begin(room))["starts_at"] == begun["starts_at"]
        assert await play(room, moves=0, give_up=False) == game
        room.people["cat"] = first
        await room.kill(0)
        await room.pass_time(ROUND + PAUSE)
        assert await play(room, moves=0) != game
        await room.pass_time(ROUND)
        shown = (await ask(room, "cat"))[1]
        assert (shown["state"], shown["of"], len(shown["rounds"])) == ("finished", 3, 2)


async def test_a_virtual_run_is_hidden_until_its_end_and_is_in_no_statistics_nor_on_the_page_of_its_deal(
    room: Room,
) -> None:
    deal = f"evening-{room.evening}-1"
    before = (await room.first.stranger().get(f"/deals/{deal}"))[1]
    assert before["players"] == 2
    run = await run_of(room)
    await begin(room)
    game = await play(room, moves=0)
    assert (await room.people["cat"].get(f"/games/{run}/replay"))[1]["code"] == "spoiler_embargo"
    assert (await room.people["cat"].get(f"/games/{run}/record"))[1]["code"] == "spoiler_embargo"
    assert (await room.people["ann"].get(f"/games/{game}/replay"))[1]["code"] == "spoiler_embargo"
    assert (await room.first.stranger().get(f"/deals/{deal}")) == (200, before)
    await room.pass_time(2 * ROUND + PAUSE)
    assert (await ask(room, "cat"))[1]["state"] == "finished"
    assert (await room.people["cat"].get(f"/games/{run}/replay"))[0] == 200
    assert (await room.people["ann"].get(f"/games/{game}/replay"))[0] == 200
    assert (await room.people["cat"].get(f"/players/{room.people['cat'].id}/collection"))[1]["games"] == []
    dealt = (await room.people["ann"].get(f"/games/{game}/record"))[1]["events"][0]["data"]
    assert (dealt["competition"], dealt["about"]) == ("virtual", f"{room.evening}/1")
    assert (await room.first.stranger().get(f"/deals/{deal}")) == (200, before)
