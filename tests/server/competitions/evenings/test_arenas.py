"""An arena from its announcement to its final standing."""

import asyncio
import csv
from collections.abc import AsyncIterator

import pytest
from msgspec import json

from cadogan.server.core.fairness.commit_reveal import commitment
from cadogan.server.core.scoring.answer import score
from tests.harness.arena_actions import (
    ARENA,
    DRAW,
    LOSS,
    WIN,
    announce_arena,
    enter_bot,
    open_next,
    play_run,
    play_runs,
    sheets,
)
from tests.harness.evening_actions import MINUTE, Room, open_room
from tests.harness.hosts import WHY


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """An arena of an hour that begins in ten minutes."""
    async with open_room(sqlite_url, 1) as one:
        await announce_arena(one)
        yield one


@pytest.mark.slow
async def test_three_people_and_a_bot_play_an_arena_to_its_final_standing(room: Room) -> None:
    for name in ("ann", "bob"):
        await room.guest(name)
    await enter_bot(room, "Marvin", "Zoe")
    await room.pass_time(10 * MINUTE)
    await play_runs(room, "ann", WIN, WIN, WIN, LOSS)
    await play_runs(room, "bob", WIN, WIN, DRAW, WIN)
    await play_runs(room, "Marvin", WIN, WIN, WIN, seconds=1)
    live = await room.standing()
    assert live["state"] == "live"
    assert sheets(live) == {"ann": (1, 8, [2, 2, 4, 0]), "bob": (1, 8, [2, 2, 2, 2])}
    assert sheets(live, "bots") == {"Marvin": (1, 8, [2, 2, 4])}
    await room.pass_time(40 * MINUTE)
    await room.guest("cat")  # an arena is entered at any time before its end
    await play_runs(room, "cat", DRAW)
    unfinished = await play_run(room, "bob", 20, give_up=False)
    await room.pass_time(ARENA - 49 * MINUTE)

    provisional = await room.standing()
    assert provisional["state"] == "provisional"
    assert sheets(provisional) == {"ann": (1, 8, [2, 2, 4, 0]), "bob": (1, 8, [2, 2, 2, 2]), "cat": (3, 1, [1])}
    end = (await room.first.server.store.read(f"game/{unfinished}"))[-1]
    assert json.decode(end.data)["result"] == "out_of_time"
    assert end.recorded_at == (await room.show())["arena"]["closes_at"]
    await room.pass_time(30 * MINUTE)
    final = await room.standing()
    assert (final["state"], final["arena"]) == ("final", provisional["arena"])
    status, form = await room.people["cat"].get(f"/evenings/{room.evening}/form")
    assert status == 200
    assert (form["settings"]["kind"], form["rounds"], len(form["deals"])) == ("arena", [], 120)
    assert score(json.encode(form))["digest"] == final["digest"]


@pytest.mark.both_databases
async def test_two_nodes_deal_one_sequence_though_one_is_killed(database_url: str) -> None:
    async with open_room(database_url) as room:
        await announce_arena(room, 10)
        for node, name in enumerate(("ann", "bob", "cat")):
            await room.guest(name, node % 2)
        await room.pass_time(10 * MINUTE)
        first = await open_next(room, "ann")
        room.at("ann", 1)
        both = await asyncio.gather(*(open_next(room, "ann") for _ in range(4)))
        assert both == [first] * 4  # a deal that goes on is found again, at every node
        await play_runs(room, "ann", LOSS)
        room.at("ann", 0)
        twice = await asyncio.gather(open_next(room, "ann"), open_next(room, "ann"))
        assert [(one["round"], one["game"]) for one in twice] == [(2, twice[0]["game"])] * 2
        await play_runs(room, "bob", DRAW)
        await room.kill(1)
        await play_runs(room, "cat", LOSS)
        await room.pass_time(10 * MINUTE)
        assert sheets(await room.standing()) == {"bob": (1, 1, [1]), "ann": (2, 0, [0]), "cat": (2, 0, [0])}
        assert await events_of(room) == [
            "announced", "entry_opened", *["entrant_joined"] * 3, "arena_opened", "arena_closed", "ended"
        ]  # fmt: skip


async def test_the_deals_are_committed_to_before_entry_opens_and_told_when_the_arena_has_closed(room: Room) -> None:
    path = f"/evenings/{room.evening}/arena/deals"
    before = (await room.people["host"].get(path))[1]["deals"]
    announced = json.decode((await room.first.server.store.read(f"evening/{room.evening}"))[0].data)
    assert [one["commitment"] for one in before] == [one["commitment"] for one in announced["rounds"]]
    assert [one["number"] for one in before] == [*range(1, 121)]
    assert not any("secret" in one for one in before)
    await room.pass_time(10 * MINUTE)
    assert not any("secret" in one for one in (await room.people["host"].get(path))[1]["deals"])
    await room.pass_time(ARENA)
    after = (await room.people["host"].get(path))[1]["deals"]
    assert [commitment(bytes.fromhex(one["secret"])) for one in after] == [one["commitment"] for one in before]


async def events_of(room: Room) -> list[str]:
    """The events of an arena."""
    stored = await room.first.server.store.read(f"evening/{room.evening}")
    return [event.type.removeprefix("evening_") for event in stored]


async def cards_of(room: Room, name: str, game: str) -> str:
    """What somebody may see of a game: seat, board or meter."""
    async with room.people[name].connect() as socket:
        return str((await socket.request("subscribe", game=game))["sight"])


async def test_until_the_arena_is_over_nobody_sees_the_cards_of_others_not_even_of_a_deal_they_have_ended(
    room: Room,
) -> None:
    for name in ("ann", "bob"):
        await room.guest(name)
    await room.pass_time(10 * MINUTE)
    [ann], [bob] = await play_runs(room, "ann", LOSS), await play_runs(room, "bob", DRAW)
    assert [await cards_of(room, *one) for one in (("ann", ann), ("ann", bob), ("host", bob))] == [
        "seat", "meter", "meter"
    ]  # fmt: skip
    for path in (f"/games/{ann}/record", f"/evenings/{room.evening}/rounds/1", f"/evenings/{room.evening}/form"):
        assert (await room.people["ann"].get(path))[0] == 403, path
    await room.pass_time(ARENA)
    assert [await cards_of(room, *one) for one in (("ann", ann), ("ann", bob), ("host", bob))] == [
        "seat", "board", "board"
    ]  # fmt: skip
    status, runs = await room.people["host"].get(f"/evenings/{room.evening}/rounds/1")
    assert status == 200
    assert [(one["player"]["name"], one["beaten"]) for one in runs["runs"]] == [("bob", 1), ("ann", 0)]


async def test_who_has_played_the_last_deal_can_open_no_other(sqlite_url: str) -> None:
    async with open_room(sqlite_url, 1) as room:
        made = await announce_arena(room, 10)
        assert (made["arena"]["deals"], made["arena"]["next"]) == (20, 1)
        await room.guest("ann")
        await room.pass_time(10 * MINUTE)
        for _ in range(20):
            await play_run(room, "ann", 0)
        status, refused = await room.people["ann"].post(f"/evenings/{room.evening}/games")
        assert (status, refused["message"]) == (409, "You have played every deal of this arena.")
        shown = await room.show("ann")
        assert ("next" in shown["arena"], "may_play" in shown) == (False, False)
        assert sheets(await room.standing()) == {"ann": (1, 0, [0] * 20)}


async def test_who_leaves_gives_up_the_run_and_comes_back_by_opening_the_next_deal(room: Room) -> None:
    await room.guest("ann")
    await room.pass_time(10 * MINUTE)
    game = await play_run(room, "ann", DRAW, give_up=False)
    assert (await room.show("ann"))["arena"]["own"] == game
    status, left = await room.people["ann"].ask("DELETE", f"/evenings/{room.evening}/entrants/me")
    assert (status, "is_entered" in left, left["arena"]["next"]) == (200, False, 2)
    assert sheets(await room.standing()) == {"ann": (1, 1, [1])}
    assert (await open_next(room, "ann"))["round"] == 2
    assert (await room.show("ann"))["is_entered"]


async def test_the_leader_extends_an_arena_or_voids_it_and_no_deal_of_it(room: Room) -> None:
    await room.guest("ann")
    early = await room.people["ann"].post(f"/evenings/{room.evening}/games")
    assert early[1]["message"] == "No round is open now."
    await room.pass_time(10 * MINUTE)
    closes_at = (await room.show())["arena"]["closes_at"]
    status, extended = await room.rule(kind="extend", seconds=300)
    assert (status, extended["arena"]["closes_at"]) == (200, closes_at + 5 * MINUTE)
    rounds = (await room.first.server.evenings.get(room.evening)).rounds
    assert {(one.opens_at, one.closes_at) for one in rounds} == {(closes_at - ARENA, closes_at + 5 * MINUTE)}
    await room.pass_time(ARENA)
    game = await play_run(room, "ann", DRAW, give_up=False)
    for ruling in (
        {"kind": "void_round", "round": 1, "reason": "Why not."},
        {"kind": "outage", "from": closes_at - MINUTE, "until": closes_at},
    ):
        assert (await room.rule(**ruling))[1]["code"] == "bad_message"
    assert (await room.rule(kind="void", reason="The power is out."))[0] == 200
    assert (await room.standing())["state"] == "void"
    assert await cards_of(room, "host", game) == "board"


async def test_a_run_that_is_struck_later_leaves_the_final_standing_and_corrects_it(room: Room) -> None:
    await room.guest("ann")
    await room.guest("bob")
    await room.pass_time(10 * MINUTE)
    games = await play_runs(room, "ann", WIN, WIN, DRAW)
    await play_runs(room, "bob", WIN)
    await room.pass_time(ARENA + 30 * MINUTE)
    final = await room.standing()
    assert sheets(final) == {"ann": (1, 6, [2, 2, 2]), "bob": (2, 2, [2])}
    struck = await room.people["host"].ask("PUT", f"/house/runs/{games[1]}/strike", WHY | {"struck": True})
    assert struck[0] == 200
    corrected = await room.standing()
    assert (corrected["digest"], corrected["arena"]) == (final["digest"], final["arena"])
    assert sheets({"arena": corrected["corrected_arena"]}) == {"ann": (1, 3, [2, 0, 1]), "bob": (2, 2, [2])}
    assert [(one["game"], one["round"]) for one in corrected["correction"]["struck"]] == [(games[1], 2)]
    status, sheet = await room.people["bob"].get(f"/evenings/{room.evening}/arena/players/{room.people['ann'].id}")
    assert status == 200
    assert [(one["game"], one["points"], one.get("counts", True)) for one in sheet["runs"]] == [
        (games[0], 2, True), (games[1], 0, False), (games[2], 1, True)
    ]  # fmt: skip
    async with room.first.session.get(f"{room.first.url}/evenings/{room.evening}/standing.csv") as answer:
        table = [*csv.DictReader((await answer.text()).splitlines())]
    assert [(one["place"], one["sheet"], one["name"]) for one in table] == [("1", "2 0 1", "ann"), ("2", "2", "bob")]


async def test_what_does_not_fit_an_arena_is_refused_and_seals_nothing(room: Room) -> None:
    for wanted in (
        {"arena_minutes": 9},
        {"arena_minutes": 1441},
        {"arena_minutes": 60, "freeze": True},
        {"arena_minutes": 60, "scoring": "places"},
        {"arena_minutes": 60, "final": {"rounds": 1, "best": 4}},
        {"arena_minutes": 60, "games": []},
    ):
        new = {"title": "Late", "starts_at": room.clock.at + MINUTE, **wanted}
        status, refused = await room.people["host"].post("/evenings", new)
        assert (status, refused["code"]) == (400, "bad_message"), wanted
    listed = (await room.people["host"].get("/evenings"))[1]["evenings"]
    assert [one["id"] for one in listed] == [room.evening]


async def test_an_arena_is_moved_and_keeps_its_length(room: Room) -> None:
    before = (await room.show())["arena"]
    path = f"/evenings/{room.evening}"
    status, moved = await room.people["host"].ask("PUT", path, {"starts_at": before["opens_at"] + MINUTE})
    assert status == 200
    assert moved["arena"] == before | {name: before[name] + MINUTE for name in ("opens_at", "closes_at")}
    status, refused = await room.people["host"].ask("PUT", path, {"seconds": 600})
    assert (status, refused["code"]) == (400, "bad_message")
    status, renamed = await room.people["host"].ask("PUT", path, {"title": "The long hour"})
    assert (status, renamed["title"]) == (200, "The long hour")


async def test_an_arena_is_not_played_later_as_if_one_had_been_there(room: Room) -> None:
    await room.guest("ann")
    await room.pass_time(10 * MINUTE)
    await play_runs(room, "ann", LOSS)
    await room.pass_time(ARENA + 30 * MINUTE)
    path = f"/evenings/{room.evening}/virtual"
    assert (await room.people["host"].get(path))[1]["why"] == "arena"
    assert (await room.people["host"].post(path))[1]["message"] == "An arena cannot be played later."


async def test_an_evening_of_rounds_has_no_pages_of_an_arena(room: Room) -> None:
    await room.announce()
    for path in ("arena/deals", f"arena/players/{room.people['host'].id}"):
        assert (await room.people["host"].get(f"/evenings/{room.evening}/{path}"))[0] == 404
