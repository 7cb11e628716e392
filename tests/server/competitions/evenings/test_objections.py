"""Objections: entrants raise them while the standing is provisional, and the leader's answers end that."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec import json

from cadogan.server.cli.records import export
from cadogan.server.subjects.audit.attestation import Trust
from cadogan.server.subjects.audit.recompute_evening import recompute_evening
from tests.harness.evening_actions import MINUTE, ROUND, Room, open_room

HOUR = 60 * MINUTE


@pytest.fixture
async def room(database_url: str) -> AsyncIterator[Room]:
    """An evening of one round that ann and bob have played; its standing is provisional."""
    async with open_room(database_url, count=1) as one:
        await one.announce(rounds=1, games=["klondike"])
        for name in ("ann", "bob"):
            await one.guest(name)
        await one.pass_time(10 * MINUTE)
        for name in ("ann", "bob"):
            await one.play(name)
        await one.pass_time(ROUND)
        yield one


async def object_to(room: Room, name: str, **about: object) -> tuple[int, str]:
    """Let somebody object; return the status, and the code of the refusal or the id of their latest objection."""
    status, answer = await room.people[name].post(f"/evenings/{room.evening}/objections", about)
    return status, answer["objections"][-1]["id"] if status == 200 else answer["code"]


async def run_of(room: Room, name: str) -> str:
    """The id of somebody's run of round 1."""
    runs = (await room.people["ann"].get(f"/evenings/{room.evening}/rounds/1"))[1]["runs"]
    return str(next(one["game"] for one in runs if one["player"]["name"] == name))


async def test_a_standing_stays_provisional_until_its_objections_are_answered(room: Room) -> None:
    run = await run_of(room, "bob")
    status, objection = await object_to(room, "ann", run=run)
    assert status == 200
    shown = (await room.show())["objections"]
    assert [(one["player"]["name"], one["run_of"]["name"], one["round"], one.get("answer")) for one in shown] == [
        ("ann", "bob", 1, None)
    ]
    await room.pass_time(5 * HOUR)
    assert (await room.show())["state"] == "provisional"
    assert (await room.rule("ann", kind="answer", objection=objection, answer="upheld"))[0] == 403
    status, answered = await room.rule(kind="answer", objection=objection, answer="upheld")
    assert (status, answered["objections"][0]["answer"]) == (200, "upheld")
    assert (await room.show())["state"] == "final"
    told = dict(await room.events())
    assert told["finalised"] == told["objection_answered"]


async def test_an_objection_that_nobody_answers_counts_as_dismissed_after_72_hours(room: Room, tmp_path: Path) -> None:
    assert (await object_to(room, "ann", round=1))[0] == 200
    final_at = (await room.show())["rounds"][0]["closes_at"] + 72 * HOUR
    assert (await room.show())["final_at"] == final_at
    await room.pass_time(72 * HOUR - 1)
    assert (await room.show())["state"] == "provisional"
    await room.pass_time(1)
    shown = await room.show()
    assert (shown["state"], shown["objections"][0]["answer"]) == ("final", "dismissed")
    assert (await room.first.server.store.read(f"evening/{room.evening}"))[-1].recorded_at == final_at
    await export(room.first.server.settings, tmp_path, room.clock)
    assert recompute_evening(room.evening, tmp_path, Trust()).agrees


async def test_an_answer_before_the_end_of_the_objection_time_does_not_make_it_shorter(room: Room) -> None:
    _, objection = await object_to(room, "ann", round=1)
    assert (await room.rule(kind="answer", objection=objection, answer="dismissed"))[0] == 200
    assert (await room.show())["state"] == "provisional"
    assert (await room.rule(kind="answer", objection=objection, answer="upheld"))[0] == 409
    await room.pass_time(30 * MINUTE)
    assert (await room.show())["state"] == "final"


async def test_only_entrants_object_once_each_and_only_to_what_there_is(room: Room) -> None:
    room.people["eve"] = await room.first.guest()
    run = await run_of(room, "bob")
    wrong: list[tuple[str, dict[str, object], tuple[int, str]]] = [
        ("ann", {}, (400, "bad_message")),
        ("ann", {"run": run, "round": 1}, (400, "bad_message")),
        ("ann", {"round": 2}, (404, "not_found")),
        ("ann", {"run": "aaaabbbbccccdddd"}, (404, "not_found")),
        ("eve", {"round": 1}, (403, "forbidden")),
    ]
    assert [await object_to(room, name, **about) for name, about, _ in wrong] == [refused for _, _, refused in wrong]
    assert (await object_to(room, "ann", round=1))[0] == 200
    assert await object_to(room, "ann", round=1) == (409, "conflict")
    assert (await object_to(room, "ann", run=run))[0] == 200
    assert (await object_to(room, "ann", run=await run_of(room, "ann")))[0] == 200
    assert await object_to(room, "ann", run=run) == (409, "conflict")
    assert (await object_to(room, "bob", round=1))[0] == 200
    assert (await room.rule(kind="answer", objection="nothing", answer="upheld"))[0] == 404
    assert [(await room.show(name)).get("may_object") for name in ("ann", "eve")] == [True, None]


async def test_nobody_objects_before_the_end_or_when_the_standing_is_final(room: Room) -> None:
    await room.pass_time(30 * MINUTE)
    assert await object_to(room, "ann", round=1) == (409, "conflict")
    await room.announce(rounds=1, games=["klondike"], title="Another")
    await room.people["ann"].ask("PUT", f"/evenings/{room.evening}/entrants/me", {"name": "ann"})
    await room.pass_time(10 * MINUTE)
    assert await object_to(room, "ann", round=1) == (409, "conflict")


async def test_the_log_has_no_text_of_a_person_in_an_objection(room: Room) -> None:
    _, objection = await object_to(room, "ann", round=1)
    (event,) = [
        one
        for one in await room.first.server.store.read(f"evening/{room.evening}")
        if one.type == "evening_objection_raised"
    ]
    assert json.decode(event.data) == {"objection": objection, "player": room.people["ann"].id, "round": 1}
