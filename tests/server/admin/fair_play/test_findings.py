"""Findings about a day: only after its close, from the log alone, with the views that it has, and acting never."""

import asyncio
import random
import sys
from collections.abc import Sequence

import pytest

from cadogan.server.core.web.requests import SERVER
from cadogan.server.subjects.admin import findings
from cadogan.server.subjects.admin.copying import Compared, Run, compare_runs
from tests.harness.daily_actions import DAY, close_day
from tests.harness.hosts import log_of, player, with_role
from tests.harness.people import Person
from tests.harness.running_server import RunningServer
from tests.harness.two_nodes import TwoNodes

MOVES = 40


async def played(person: Person, running_server: RunningServer, chance: random.Random, follow: list[str]) -> list[str]:
    """The moves of a run of the first deal: those to follow, then any, until it ends; and give it up."""
    game, moves = await person.enter(), list[str]()
    async with person.connect() as socket:
        seen = await socket.request("subscribe", game=game)
        while seen.get("legal") and len(moves) < MOVES:
            move = follow[len(moves)] if len(moves) < len(follow) else chance.choice(seen["legal"])
            running_server.clock.at += chance.randrange(900, 9000)
            seen = {**seen, **await socket.play({**seen, "game": game}, move)}
            moves.append(move)
        if (await person.get(f"/games/{game}"))[1]["game"]["status"] in ("playing", "stuck"):
            await socket.request("resign", game=game, version=seen["version"])
    return moves


async def copied(running_server: RunningServer) -> tuple[Person, Person, str]:
    """A day on which somebody has followed a run that somebody else was shown: both, and that run."""
    chance = random.Random(5)
    people = [await running_server.guest() for _ in range(8)]
    runs = [await played(person, running_server, chance, []) for person in people]
    followed = await people[3].enter()
    assert (await people[5].get(f"/games/{followed}"))[1]["sight"] == "board"
    copier = await running_server.guest()
    await played(copier, running_server, chance, runs[3])
    return copier, people[5], followed


async def test_a_copier_is_found_once_the_day_has_closed_with_who_was_shown_the_run(
    sqlite_server: RunningServer,
) -> None:
    mod = await with_role(sqlite_server, "Mo", "moderator")
    copier, viewer, followed = await copied(sqlite_server)
    assert (await mod.get(f"/house/findings/{DAY}"))[1]["code"] == "conflict"
    assert (await mod.get("/house/findings/2020-01-01"))[1]["code"] == "not_found"
    assert (await mod.get("/house/findings/nothing"))[1]["code"] == "not_found"
    await close_day(sqlite_server)
    status, answer = await mod.get(f"/house/findings/{DAY}")
    assert (status, answer["runs"], answer["paces"]) == (200, 9, [])
    (copy,) = answer["copies"]
    assert (copy["run"]["player"]["id"], copy["of"]["game"]) == (copier.id, followed)
    assert copy["agreed"] > 10
    _, record = await mod.get(f"/games/{followed}/record")
    moves = {event["data"]["move"] for event in record["events"] if event["type"] == "move_played"}
    assert {choice["move"] for choice in copy["choices"] if choice["agrees"]} <= moves
    assert [view["player"]["id"] for view in copy["views"]] == [viewer.id]
    host = await with_role(sqlite_server, "Ada", "host")
    assert {act["act"] for act in await log_of(host)} == {"role_changed"}
    assert (await mod.get("/boards/all"))[1]["total"] == 9


async def test_a_day_is_looked_at_by_one_node_after_its_close_and_counted_until_somebody_reads_it(
    two_nodes: TwoNodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = list[int]()

    async def counted(deals: Sequence[Sequence[Run]]) -> list[Compared]:
        compared.append(len(deals))
        return await compare_runs(deals)

    monkeypatch.setattr(findings, "compare_runs", counted)
    mod = await with_role(two_nodes.first, "Mo", "moderator")
    await copied(two_nodes.first)
    first, second = (node.app[SERVER].admin.findings for node in (two_nodes.first, two_nodes.second))
    await first.run_due()
    assert (compared, await first.find_stored(DAY)) == ([], None)  # the day is open
    await close_day(two_nodes.first)
    await two_nodes.first.server.sequencer.append_all()
    await asyncio.gather(first.run_due(), second.run_due())
    await second.run_due()
    assert compared == [1]
    at = two_nodes.first.clock.at
    waiting = {"reports": 0, "days": [{"day": DAY, "found": 1, "at": at, "seen": False}]}
    assert (await mod.get("/house/waiting"))[1] == waiting
    _, answer = await two_nodes.at_second(mod).get(f"/house/findings/{DAY}")
    assert (len(answer["copies"]), compared) == (1, [1])
    assert (await mod.get("/house/waiting"))[1]["days"][0]["seen"] is True


async def test_a_day_that_a_node_could_not_compare_is_looked_at_later_by_another(
    two_nodes: TwoNodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    await copied(two_nodes.first)
    await close_day(two_nodes.first)
    await two_nodes.first.server.sequencer.append_all()
    first, second = (node.server.admin.findings for node in (two_nodes.first, two_nodes.second))
    with monkeypatch.context() as patched:
        patched.setattr(sys, "executable", "/bin/false")
        await first.run_due()
    await second.run_due()
    assert await second.find_stored(DAY) is None
    two_nodes.first.clock.at += findings.CLAIM_MILLISECONDS
    await second.run_due()
    stored = await first.find_stored(DAY)
    assert stored is not None
    assert len(stored.copies) == 1


async def test_the_findings_about_a_run_and_its_pace_stand_beside_a_report_once_the_day_has_closed(
    sqlite_server: RunningServer,
) -> None:
    mod, ann = await with_role(sqlite_server, "Mo", "moderator"), await player(sqlite_server, "Ann")
    copier, _, followed = await copied(sqlite_server)
    game = await copier.enter()
    assert (await ann.ask("PUT", f"/reports/runs/{game}", {"reason": "cheating"}))[0] == 200
    (open_day,) = (await mod.get("/house/reports"))[1]["reports"]
    assert ("copies" in open_day, "paces" in open_day) == (False, False)
    assert 900 <= open_day["pace"]["median"] <= 9000
    assert open_day["pace"]["waits"] > 10
    await close_day(sqlite_server)
    _, answer = await mod.get(f"/house/findings/{DAY}")
    (closed,) = (await mod.get("/house/reports"))[1]["reports"]
    assert (closed["copies"], closed["paces"], closed["pace"]) == (answer["copies"], [], open_day["pace"])
    assert closed["copies"][0]["of"]["game"] == followed
    assert (await mod.get("/house/waiting"))[1]["reports"] == 1
