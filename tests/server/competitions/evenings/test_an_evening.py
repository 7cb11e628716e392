"""An evening from its announcement to its final standing, on two nodes of which one is killed."""

import asyncio
import csv
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from cadogan.server.core.scoring.answer import score
from cadogan.server.core.storage.rebuild import find_differences, rebuild
from cadogan.server.subjects.known_rules import known_rules
from tests.harness.command_line import run
from tests.harness.evening_actions import MINUTE, PAUSE, ROUND, Room, open_room
from tests.harness.hosts import WHY
from tests.harness.patience import soon


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """An evening of four rounds that begins in ten minutes."""
    async with open_room(sqlite_url, count=1) as one:
        await one.announce()
        yield one


@pytest.fixture
async def two_nodes_room(database_url: str) -> AsyncIterator[Room]:
    """The same on two nodes, of which one may be killed."""
    async with open_room(database_url) as one:
        await one.announce()
        yield one


def totals(standing: dict[str, Any]) -> dict[str, tuple[int, str]]:
    """The place and the total of each player of the first field, by name."""
    rows = standing["fields"][0]["rows"] if standing["fields"] else []
    return {row["player"]["name"]: (row["place"], row["shown"]) for row in rows}


async def play_two_rounds_and_a_half(room: Room) -> None:
    """Let ann, bob and cat play; the second node, if there is one, is killed in round two, and dan comes in then."""
    for number, name in enumerate(("ann", "bob", "cat")):
        await room.guest(name, node=number % 2)
    await room.pass_time(10 * MINUTE)
    for moves, name in enumerate(("ann", "bob", "cat")):
        await room.play(name, moves)
    await room.pass_time(ROUND + PAUSE)
    await room.play("bob", 1, give_up=False)
    if len(room.nodes) > 1:
        await room.kill(1)
    await room.guest("dan")
    await room.play("ann")
    await room.play("dan", 2)
    await room.pass_time(ROUND + PAUSE)
    await room.play("bob")


async def test_an_evening_stands_on_the_first_page_from_a_quarter_of_an_hour_before_until_its_last_round_is_over(
    room: Room,
) -> None:
    async def first_page() -> list[tuple[str, str]]:
        _, home = await room.people["host"].get("/home")
        return [(one["id"], one["state"]) for one in home.get("evenings", [])]

    soon_to_begin = room.evening
    await room.announce(starts_at=room.clock.at + 16 * MINUTE)
    assert await first_page() == [(soon_to_begin, "coming")]
    room.evening = soon_to_begin
    await room.pass_time(10 * MINUTE)
    await room.show()
    assert (soon_to_begin, "on") in await first_page()
    await room.pass_time(4 * (ROUND + PAUSE))
    await room.show()
    assert soon_to_begin not in dict(await first_page())


async def test_an_evening_by_link_stands_on_the_first_page_of_who_is_in_and_of_its_leader_and_of_nobody_else(
    room: Room,
) -> None:
    await room.announce(entry="link")
    for name in ("ann", "bob"):
        await room.guest(name)
    await room.people["bob"].ask("DELETE", f"/evenings/{room.evening}/entrants/me")
    people = [room.people["ann"], room.people["host"], room.people["bob"], await room.first.guest()]
    homes = [(await one.get("/home"))[1] for one in (*people, room.first.stranger())]
    shown = [room.evening in [one["id"] for one in home.get("evenings", [])] for home in homes]
    assert shown == [True, True, False, False, False]


@pytest.mark.both_databases
async def test_an_evening_is_played_to_its_final_standing_though_a_node_is_killed(
    two_nodes_room: Room, tmp_path: Path
) -> None:
    room = two_nodes_room
    await play_two_rounds_and_a_half(room)
    assert (await room.show("bob"))["state"] == "round"
    await room.pass_time(2 * (ROUND + PAUSE))
    provisional = await room.standing()
    assert provisional["state"] == "provisional"
    # Round 1: 2, 1, 0 of three; round 2: ann 2, bob 1, dan 0 (N = 3); round 3: bob alone; round 4 is void.
    assert totals(provisional) == {
        "ann": (1, "66.67"),
        "bob": (2, "50.00"),
        "cat": (3, "0.00"),
        "dan": (3, "0.00"),
    }
    await room.pass_time(30 * MINUTE)
    final = await room.standing()
    assert (final["state"], final["fields"]) == ("final", provisional["fields"])

    status, form = await room.people["dan"].get(f"/evenings/{room.evening}/form")
    assert status == 200
    answer = score(json.encode(form))
    assert answer["digest"] == final["digest"] == (await room.show())["digest"]
    file = tmp_path / "evening.json"
    file.write_bytes(json.encode(form))
    printed = run("score", str(file))
    assert printed.exit_code == 0
    assert json.decode(printed.output)["standings"] == answer["standings"]

    store = room.first.server.store
    assert await store.find_ended([f"evening/{room.evening}"]) == {f"evening/{room.evening}"}
    assert (await store.read(f"evening/{room.evening}"))[-1].type == "evening_finalised"


async def test_the_clock_writes_each_event_as_of_its_time_however_late_it_is_asked(room: Room) -> None:
    await room.guest("ann")
    await room.pass_time(10 * MINUTE)
    game = await room.play("ann", 1, give_up=False)
    await room.pass_time(24 * 60 * MINUTE)
    told = await room.events()
    turns = [(name, at // MINUTE) for name, at in told if name.startswith(("round", "ended", "finalised", "voided"))]
    assert turns == [
        ("round_opened", 0),
        ("round_closed", 10),
        ("round_opened", 11),
        ("round_closed", 21),
        ("round_opened", 22),
        ("round_closed", 32),
        ("round_opened", 33),
        ("round_closed", 43),
        ("ended", 43),
        ("voided", 73),
    ]
    run = (await room.first.server.store.read(f"game/{game}"))[-1]
    assert (run.type, json.decode(run.data)["result"]) == ("game_finished", "out_of_time")
    assert run.recorded_at == (await room.show())["rounds"][0]["closes_at"]


async def test_the_deals_are_committed_to_before_entry_opens_and_revealed_when_their_round_closes(room: Room) -> None:
    before = await room.show()
    assert [name for name, _ in await room.events()] == ["announced", "entry_opened"]
    await room.guest("ann")
    await room.pass_time(10 * MINUTE)
    await room.play("ann")
    assert all("secret" not in one for one in (await room.show())["rounds"])
    await room.pass_time(ROUND)
    after = await room.show()
    assert [one["commitment"] for one in after["rounds"]] == [one["commitment"] for one in before["rounds"]]
    assert ["secret" in one for one in after["rounds"]] == [True, False, False, False]


async def test_while_a_deal_is_open_nobody_but_its_player_sees_its_cards(two_nodes_room: Room) -> None:
    room = two_nodes_room
    await room.guest("ann")
    await room.guest("bob", node=1)
    await room.pass_time(10 * MINUTE)
    game = await room.play("ann", 1)
    await room.play("bob")
    async with room.people["bob"].connect() as watching:
        assert (await watching.request("subscribe", game=game))["sight"] == "meter"
    assert (await room.people["bob"].get(f"/games/{game}/record"))[0] == 403
    assert (await room.people["bob"].get(f"/evenings/{room.evening}/rounds/1"))[0] == 403
    await room.pass_time(ROUND)
    async with room.people["bob"].connect() as watching:
        assert (await watching.request("subscribe", game=game))["sight"] == "board"
    status, runs = await room.people["bob"].get(f"/evenings/{room.evening}/rounds/1")
    assert status == 200
    assert [(one["player"]["name"], one["beaten"], one["equal"]) for one in runs["runs"]] == [
        ("bob", 1, 0),
        ("ann", 0, 0),
    ]


async def test_the_live_standing_counts_an_open_round_for_those_who_have_ended_it(room: Room) -> None:
    for name in ("ann", "bob"):
        await room.guest(name)
    await room.pass_time(10 * MINUTE)
    await room.play("ann")
    live = await room.standing()
    assert (live["state"], totals(live)) == ("live", {"ann": (1, "50.00")})
    await room.play("bob", 1)
    live = await room.standing("bob")
    assert totals(live) == {"ann": (1, "100.00"), "bob": (2, "0.00")}
    assert live["fields"][0]["rows"][0]["shares"][0]["matchpoints"] == 2
    await room.pass_time(ROUND + PAUSE)
    await room.play("bob")
    assert totals(await room.standing()) == {"ann": (1, "100.00"), "bob": (2, "25.00")}


async def test_who_comes_after_half_of_the_rounds_cannot_begin_and_who_began_can_go_on(room: Room) -> None:
    await room.guest("ann")
    await room.pass_time(10 * MINUTE)
    await room.play("ann")
    await room.pass_time(2 * (ROUND + PAUSE))
    late = await room.first.guest()
    status, refused = await late.ask("PUT", f"/evenings/{room.evening}/entrants/me", {"name": "eve"})
    assert (status, refused["code"]) == (409, "conflict")
    assert (await late.post(f"/evenings/{room.evening}/games"))[0] == 409
    assert await room.open_deal("ann")


async def test_who_leaves_gives_up_the_run_and_comes_back_by_opening_a_later_deal(room: Room) -> None:
    await room.guest("ann")
    await room.pass_time(10 * MINUTE)
    game = await room.play("ann", 2, give_up=False)
    assert await room.open_deal("ann") == game
    status, shown = await room.people["ann"].ask("DELETE", f"/evenings/{room.evening}/entrants/me")
    assert (status, shown.get("is_entered")) == (200, None)
    assert json.decode((await room.first.server.store.read(f"game/{game}"))[-1].data)["result"] == "resigned"
    await room.pass_time(ROUND + PAUSE)
    await room.open_deal("ann")
    assert (await room.show("ann"))["is_entered"]


async def test_the_standing_is_a_table_once_it_has_ended_and_a_strike_later_leaves_the_digest_and_corrects_it(
    room: Room,
) -> None:
    address = f"{room.first.url}/evenings/{room.evening}/standing.csv"
    assert (await room.first.session.get(address)).status == 403
    await play_two_rounds_and_a_half(room)
    await room.pass_time(2 * (ROUND + PAUSE))
    answer = await room.first.session.get(address)
    assert (answer.status, answer.content_type) == (200, "text/csv")
    rows = [*csv.DictReader((await answer.text()).splitlines())]
    assert [*rows[0]] == [
        *("field", "stage", "order", "place", "player", "total", "shown", "runs", "reason", "head_to_head"),
        *("tops", "moves", "winner", "name"),
    ]
    assert {row["name"]: (int(row["place"]), row["shown"]) for row in rows} == totals(await room.standing())
    assert {row["player"] for row in rows} == {room.people[name].id for name in ("ann", "bob", "cat", "dan")}

    await room.pass_time(30 * MINUTE)
    final = await room.standing()
    run_of_ann = next(row["shares"][0]["run"] for row in final["fields"][0]["rows"] if row["player"]["name"] == "ann")
    await room.pass_time(MINUTE)
    status, answered = await room.people["host"].ask("PUT", f"/house/runs/{run_of_ann}/strike", WHY | {"struck": True})
    assert status == 200, answered
    after = await room.standing()
    assert (after["digest"], after["fields"]) == (final["digest"], final["fields"])
    corrected = {row["player"]["name"]: row["shown"] for row in after["corrected"][0]["rows"]}
    assert corrected["bob"] > totals(final)["bob"][1]


async def test_the_list_of_evenings_follows_from_the_log(room: Room) -> None:
    status, listed = await room.first.stranger().get("/evenings")
    assert (status, [one["state"] for one in listed["evenings"]]) == (200, ["coming"])
    await room.guest("ann")
    await room.pass_time(10 * MINUTE)
    await room.show()
    database = room.first.server.database
    assert await find_differences(database, known_rules()) == []
    async with database.writing() as connection:
        await connection.exec_driver_sql("UPDATE contests SET state = 'void'")
    assert await find_differences(database, known_rules()) == [f"rows of evening/{room.evening}"]
    await rebuild(database, known_rules())
    _, listed = await room.first.stranger().get("/evenings")
    assert [one["state"] for one in listed["evenings"]] == ["on"]


async def test_a_guest_enters_by_the_code_under_a_first_name_that_is_not_in_the_log(room: Room) -> None:
    code = (await room.show())["code"]
    picture = await room.first.session.get(f"{room.first.url}/evenings/{room.evening}/code.svg")
    assert (picture.status, picture.content_type) == (200, "image/svg+xml")
    guest = await room.first.guest()
    status, found = await guest.get(f"/evenings/codes/{code}")
    assert (status, found["id"]) == (200, room.evening)
    status, entered = await guest.ask("PUT", f"/evenings/{room.evening}/entrants/me", {"name": "Rosa"})
    assert (status, [one["player"]["name"] for one in entered["entrants"]]) == (200, ["Rosa"])
    other = await room.first.guest()
    status, refused = await other.ask("PUT", f"/evenings/{room.evening}/entrants/me", {"name": "ROSA"})
    assert (status, refused["code"]) == (409, "name_taken")
    stored = await room.first.server.store.read(f"evening/{room.evening}")
    assert not any("Rosa" in event.data and event.type != "evening_announced" for event in stored)
    assert (await guest.get("/evenings/codes/AAAAAA"))[0] == 404


async def test_only_leaders_hosts_and_moderators_decide_and_only_they_and_group_owners_make_evenings(
    room: Room,
) -> None:
    ann = await room.guest("ann")
    assert (await room.rule("ann", kind="void", reason="no"))[0] == 403
    new = {"title": "Mine", "starts_at": room.clock.at + MINUTE, "rounds": 1}
    assert (await ann.post("/evenings", new))[0] == 403
    _, group = await ann.post("/groups", {"name": "Tuesdays"})
    assert (await ann.post("/evenings", new | {"entry": "all", "group": group["id"]}))[0] == 403
    status, made = await ann.post("/evenings", new | {"entry": "group", "group": group["id"]})
    assert status == 200, made
    assert (await ann.ask("PUT", f"/evenings/{made['id']}", {"entry": "all"}))[0] == 403
    assert (await ann.ask("PUT", f"/evenings/{made['id']}", {"entry": "link"}))[0] == 200
    assert (await ann.ask("PUT", f"/evenings/{made['id']}", {"entry": "group"}))[0] == 200
    bob = await room.first.guest()
    assert (await bob.ask("PUT", f"/evenings/{made['id']}/entrants/me", {}))[0] == 403
    assert (await bob.get("/evenings"))[1]["evenings"][0]["title"] != "Mine"


async def test_the_leader_extends_a_round_and_everything_later_moves(room: Room) -> None:
    await room.guest("ann")
    await room.pass_time(10 * MINUTE)
    game = await room.play("ann", 1, give_up=False)
    before = (await room.show())["rounds"]
    status, answer = await room.rule(kind="extend", seconds=120)
    assert status == 200, answer
    after = (await room.show())["rounds"]
    assert [one["closes_at"] - old["closes_at"] for one, old in zip(after, before, strict=True)] == [120_000] * 4
    await room.pass_time(ROUND + MINUTE)
    async with room.people["ann"].connect() as socket:
        seen = await socket.request("subscribe", game=game)
        assert (await socket.request("resign", game=game, version=seen["version"]))["type"] == "game_finished"


async def test_an_evening_that_the_leader_voids_counts_for_nobody_and_ends_its_games(room: Room) -> None:
    await room.guest("ann")
    await room.pass_time(10 * MINUTE)
    game = await room.play("ann", 1, give_up=False)
    status, answer = await room.rule(kind="void", reason="No light.")
    assert (status, answer["state"], answer["void"]) == (200, "void", "No light."), answer
    assert (await room.standing())["state"] == "void"
    assert (await room.first.server.store.read(f"game/{game}"))[-1].type == "game_finished"
    assert (await room.rule(kind="void", reason="Again."))[0] == 409


async def test_a_command_at_the_close_of_a_round_neither_waits_for_the_clock_nor_holds_it_up(room: Room) -> None:
    await room.guest("ann")
    await room.pass_time(10 * MINUTE)
    game = await room.play("ann", 1, give_up=False)
    async with room.people["ann"].connect() as socket, asyncio.timeout(soon()):
        seen = await socket.request("subscribe", game=game)
        cached = room.first.server.cache.entry(game)
        async with cached.lock:  # the command comes first, and waits for this
            await socket.send("resign", game=game, version=seen["version"])
            room.clock.at += ROUND
            closing = asyncio.ensure_future(room.show())
            while not room.first.server.evenings.entry(room.evening).lock.locked():  # noqa: ASYNC110
                await asyncio.sleep(0)
        answer = await socket.receive("refused", "game_finished")
        assert answer.get("code", "game_over") == "game_over"
        assert (await closing)["rounds"][0]["state"] == "closed"
