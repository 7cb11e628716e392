"""Duplicate matches: challenged by name, by link or by waiting; accepted, declined, withdrawn; played and scored."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from cadogan.server.cli.records import export
from cadogan.server.core import dates
from cadogan.server.subjects.audit.attestation import Trust
from cadogan.server.subjects.audit.recompute_evening import recompute_evening
from cadogan.wire.admin import Why
from tests.harness.evening_actions import MINUTE, ROUND, Room, open_room
from tests.harness.hosts import player, roles, with_role
from tests.harness.logging_ends import log_ends

SECOND = 1000
BEGINS, PAUSE = 20 * SECOND, 15 * SECOND


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """One node, with Ada and Bob."""
    async with open_room(sqlite_url, count=1) as one:
        for name in ("Ada", "Bob"):
            one.people[name] = await player(one.first, name)
        yield one


@pytest.fixture
async def two_nodes_room(database_url: str) -> AsyncIterator[Room]:
    """Two nodes, with Ada at the first and Bob at the second."""
    async with open_room(database_url) as one:
        for number, name in enumerate(("Ada", "Bob")):
            one.people[name] = await player(one.nodes[number], name)
        yield one


async def challenge(room: Room, name: str = "Ada", **wanted: Any) -> tuple[int, Any]:
    """Let somebody make a match, of two deals against Bob unless the test wants something else."""
    new = {"against": "player", "opponent": "Bob", "deals": 2, **wanted}
    status, match = await room.people[name].post("/matches", {key: one for key, one in new.items() if one is not None})
    if status == 200:
        room.evening = match["id"]
    return status, match


async def accept(room: Room, name: str = "Bob") -> tuple[int, Any]:
    """Let somebody enter the match."""
    return await room.people[name].ask("PUT", f"/evenings/{room.evening}/entrants/me", {})


async def leave(room: Room, name: str) -> dict[str, Any]:
    """Let somebody leave the match: decline it, withdraw it, or give up a run."""
    status, shown = await room.people[name].ask("DELETE", f"/evenings/{room.evening}/entrants/me")
    assert status == 200, shown
    match: dict[str, Any] = shown
    return match


async def listed(room: Room, name: str) -> tuple[list[tuple[str, str]], list[str]]:
    """The matches of somebody, each with its state and its opponent, and the ids of those that wait for anybody."""
    status, found = await room.people[name].get("/matches")
    assert status == 200, found
    own = [(one["state"], one.get("opponent", {}).get("name", "")) for one in found["matches"]]
    return own, [one["id"] for one in found["waiting"]]


async def let_the_round_close(room: Room) -> None:
    """Let the node at which the last run ended close the round, which is over a millisecond later."""
    await room.pass_time(0)
    await room.pass_time(1)


async def make_guest(room: Room, name: str) -> None:
    """Let a guest come to the first node."""
    room.people[name] = await room.first.guest()


@pytest.mark.both_databases
async def test_two_play_the_same_deals_and_each_round_closes_once_both_have_ended_it(
    two_nodes_room: Room, tmp_path: Path
) -> None:
    room = two_nodes_room
    assert (await challenge(room))[1]["match"]["waits"]
    assert (await listed(room, "Bob"))[0] == [("waiting", "Bob")]
    status, match = await accept(room)
    assert (status, match["match"]["waits"], match["match"]["opponent"]["name"]) == (200, False, "Bob"), match
    assert match["rounds"][0]["opens_at"] == room.clock.at + BEGINS
    await room.pass_time(BEGINS)
    game = await room.play("Ada")
    async with room.people["Bob"].connect() as watching:
        assert (await watching.request("subscribe", game=game))["sight"] == "meter"
    assert (await room.show("Ada"))["state"] == "round"
    await room.pass_time(MINUTE)
    await room.play("Bob")
    await let_the_round_close(room)
    after = await room.show("Ada")
    assert (after["state"], after["rounds"][0]["closes_at"]) == ("pause", room.clock.at)
    assert after["rounds"][1]["opens_at"] == room.clock.at + PAUSE
    await room.pass_time(PAUSE)
    await room.play("Ada")
    assert (await room.show("Bob"))["state"] == "round"
    await room.pass_time(ROUND)
    final = await room.standing("Bob")
    assert final["state"] == "final"
    # Round 1 is a tie. Ada is alone in round 2, and has a half; Bob has nothing.
    rows = [(row["place"], row["player"]["name"], row["shown"]) for row in final["fields"][0]["rows"]]
    assert rows == [(1, "Ada", "50.00"), (2, "Bob", "25.00")]
    key = await log_ends(room.first.server)
    await export(room.first.server.settings, tmp_path, room.clock)
    found = recompute_evening(room.evening, tmp_path, Trust((key,)))
    assert found.agrees, found
    assert found.derived == final["digest"]


async def challengers(room: Room, name: str) -> list[str]:
    """Who challenges somebody, as their first page says."""
    _, home = await room.people[name].get("/home")
    return [one["challenger"]["name"] for one in home.get("challenges", [])]


async def test_who_is_challenged_sees_it_on_the_first_page_and_declines_and_who_challenges_withdraws(
    room: Room,
) -> None:
    await challenge(room, against="link", opponent=None)
    await challenge(room)
    assert [await challengers(room, name) for name in ("Ada", "Bob")] == [[], ["Ada"]]
    declined = await leave(room, "Bob")
    assert (declined["state"], declined["void"]) == ("void", "declined")
    assert await challengers(room, "Bob") == []
    await challenge(room)
    assert (await leave(room, "Ada"))["void"] == "withdrawn"
    await make_guest(room, "Eve")
    await challenge(room, against="link", opponent=None)
    assert (await leave(room, "Eve"))["state"] == "entry"


async def test_a_match_that_is_on_stands_on_the_first_page_of_both_until_it_is_over(room: Room) -> None:
    async def first_pages() -> list[list[str]]:
        homes = [(await room.people[name].get("/home"))[1] for name in ("Ada", "Bob", "Cleo")]
        return [[one["state"] for one in home.get("challenges", [])] for home in homes]

    await make_guest(room, "Cleo")
    await challenge(room)
    await accept(room)
    assert await first_pages() == [["coming"], ["coming"], []]
    await room.pass_time(BEGINS)
    await room.show("Ada")
    assert await first_pages() == [["on"], ["on"], []]
    await room.pass_time(60 * MINUTE)
    await room.show("Ada")
    assert await first_pages() == [[], [], []]


@pytest.mark.both_databases
async def test_who_has_the_first_page_open_learns_of_a_challenge_and_that_it_was_accepted_and_nobody_else_does(
    two_nodes_room: Room,
) -> None:
    room = two_nodes_room
    day = dates.day_of(room.clock.at)
    stranger = room.people["Cleo"] = await room.first.guest()
    async with AsyncExitStack() as stack:
        ada, bob, cleo = [
            await stack.enter_async_context(one.connect()) for one in (room.people["Ada"], room.people["Bob"], stranger)
        ]
        for one in (ada, bob, cleo):
            await one.watch_day(day)
        await challenge(room)
        assert (await bob.receive("day_progress"))["matches_changed"]
        assert await challengers(room, "Bob") == ["Ada"]
        assert (await ada.receive("day_progress"))["matches_changed"]
        await accept(room)
        assert (await ada.receive("day_progress"))["matches_changed"]
        await cleo.send("ping")
        assert (await cleo.receive("pong", "day_progress"))["type"] == "pong"


async def test_a_match_that_nobody_accepts_is_void_after_a_quarter_of_an_hour(room: Room) -> None:
    await challenge(room)
    await room.pass_time(15 * MINUTE)
    shown = await room.show("Ada")
    assert (shown["state"], shown["void"]) == ("void", "no_opponent")
    assert (await accept(room))[0] == 409


async def test_a_match_by_appointment_begins_when_it_was_appointed(room: Room) -> None:
    at = room.clock.at + 60 * MINUTE
    await challenge(room, starts_at=at)
    assert (await accept(room))[1]["rounds"][0]["opens_at"] == at
    await room.pass_time(60 * MINUTE)
    await room.open_deal("Ada")
    assert (await challenge(room, starts_at=room.clock.at - 1))[0] == 409


async def test_a_guest_takes_a_match_by_its_link_and_nobody_else_can_then(two_nodes_room: Room) -> None:
    room = two_nodes_room
    await make_guest(room, "Rosa")
    await make_guest(room, "Eve")
    assert (await challenge(room, "Rosa", against="link", opponent=None))[0] == 200
    taken = await asyncio.gather(accept(room, "Eve"), accept(room, "Bob"))
    assert sorted(status for status, _ in taken) == [200, 409]
    assert len((await room.show("Rosa"))["entrants"]) == 2


async def test_a_guest_has_in_the_lists_of_matches_the_name_that_they_chose_for_the_match(room: Room) -> None:
    await make_guest(room, "Rosa")
    await challenge(room, against="link", opponent=None)
    named = await room.people["Rosa"].ask("PUT", f"/evenings/{room.evening}/entrants/me", {"name": "Rosa"})
    assert named[0] == 200
    shown = (await room.people["Ada"].get("/matches"))[1]["matches"] + (await room.people["Ada"].get("/home"))[1][
        "challenges"
    ]
    assert [(one["challenger"]["name"], one["opponent"]["name"]) for one in shown] == [("Ada", "Rosa")] * 2


async def test_a_challenge_is_for_who_was_challenged(room: Room) -> None:
    await make_guest(room, "Eve")
    await challenge(room)
    status, refused = await accept(room, "Eve")
    assert (status, refused["message"]) == (409, "This match is for somebody else.")
    assert (await listed(room, "Eve")) == ([], [])
    status, evenings = await room.people["Ada"].get("/evenings")
    assert (status, evenings["evenings"]) == (200, [])


async def test_who_waits_is_paired_with_whoever_comes_next(room: Room) -> None:
    _, first = await challenge(room, "Ada", against="anyone", opponent=None)
    assert (await challenge(room, "Ada", against="anyone", opponent=None))[1]["id"] == first["id"]
    await make_guest(room, "Eve")
    assert (await listed(room, "Eve"))[1] == [first["id"]]
    _, joined = await challenge(room, "Eve", against="anyone", opponent=None, deals=5)
    assert (joined["id"], len(joined["rounds"]), joined["match"]["waits"]) == (first["id"], 2, False)
    assert (await listed(room, "Bob"))[1] == []
    assert (await challenge(room, "Bob", against="anyone", opponent=None))[1]["match"]["waits"]


async def test_two_who_begin_to_wait_at_the_same_time_are_paired_on_two_nodes(two_nodes_room: Room) -> None:
    room = two_nodes_room
    answers = await asyncio.gather(*(challenge(room, name, against="anyone", opponent=None) for name in ("Ada", "Bob")))
    assert [status for status, _ in answers] == [200, 200]
    for name in ("Ada", "Bob"):  # whoever asks once more finds the match that both are in
        status, match = await challenge(room, name, against="anyone", opponent=None)
        assert (status, match["match"]["waits"], len(match["entrants"])) == (200, False, 2)


async def test_no_player_decides_in_their_match_not_even_a_host_and_another_host_does(room: Room) -> None:
    await challenge(room)
    await accept(room)
    assert (await room.rule("Ada", kind="void", reason="I lose."))[0] == 403
    assert (await room.people["Ada"].ask("PUT", f"/evenings/{room.evening}", {"seconds": 60}))[0] == 403
    room.people["host"] = await with_role(room.first, "Rosamund", "host")
    await roles(room.first).change(None, room.people["Ada"].id, "host", Why(reason="request"))
    await room.pass_time(BEGINS)
    strike = f"/house/runs/{await room.play('Bob')}/strike"
    cheating = {"struck": True, "reason": "cheating", "note": "Seen."}
    for name, expected in (
        ("Ada", (403, "You play in this match: another host or moderator decides.")),
        ("host", (200, None)),
    ):
        for status, answer in (
            await room.rule(name, kind="extend", seconds=60),
            await room.people[name].ask("PUT", strike, cheating),
        ):
            assert (status, answer.get("message")) == expected
    assert not (await room.show("Ada")).get("may_lead")
    assert (await room.rule("host", kind="void", reason="Asked for."))[0] == 200


async def test_who_took_no_challenge_is_left_alone_until_they_challenge_themselves(room: Room) -> None:
    for _ in range(3):
        assert (await challenge(room))[0] == 200
        await leave(room, "Bob")
        room.clock.at += SECOND
    status, refused = await challenge(room)
    assert (status, refused["code"]) == (429, "too_many")
    assert (await challenge(room, "Bob", opponent="Ada"))[0] == 200
    await leave(room, "Ada")
    room.clock.at += SECOND
    assert (await challenge(room))[0] == 200


async def test_nobody_is_challenged_twice_at_once_and_nobody_has_more_than_five_that_wait(room: Room) -> None:
    await challenge(room)
    assert (await challenge(room))[1]["message"] == "You have challenged this player already."
    for _ in range(4):
        assert (await challenge(room, against="link", opponent=None))[0] == 200
    assert (await challenge(room, against="link", opponent=None))[0] == 429


async def test_only_a_named_person_is_challenged_and_only_by_one(room: Room) -> None:
    await make_guest(room, "Eve")
    assert (await challenge(room, "Eve"))[0] == 403
    assert (await challenge(room, "Eve", against="link"))[0] == 400
    assert (await challenge(room, against="player", opponent=None))[0] == 400
    assert (await challenge(room, opponent="Nobody"))[0] == 404
    assert (await challenge(room, opponent="Ada"))[0] == 404
    assert (await challenge(room, against="anyone", opponent=None, starts_at=room.clock.at + ROUND))[0] == 400


async def test_a_round_closes_when_one_has_left_and_the_other_has_ended_it(room: Room) -> None:
    await challenge(room)
    await accept(room)
    await room.pass_time(BEGINS)
    await room.play("Ada")
    await leave(room, "Bob")
    await let_the_round_close(room)
    assert (await room.show("Ada"))["state"] == "pause"
