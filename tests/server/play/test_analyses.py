"""Analyses as players get them: who may have one, and when, what it says, and how it is pushed."""

import pytest
from msgspec import json

from cadogan.engine.solver import solve
from cadogan.server.core.games.game_reader import GameReader
from cadogan.server.subjects.analysis.findings import (
    CountedChoices,
    Findings,
    Run,
    SearchedPosition,
    analysis_of,
    read_run,
)
from cadogan.server.subjects.analysis.jobs import WHOLE_GAME, AnalysisJobs
from tests.harness.daily_actions import CLOSED, DAY, play_and_resign, refusal
from tests.harness.people import Person
from tests.harness.race_actions import game_in_race, let_race_start, make_race
from tests.harness.running_server import RunningServer

RULES = "fifteen"
"""A game that the solver decides quickly."""
NODES = 3000


def jobs_of(server: RunningServer) -> AnalysisJobs:
    """The queue of the server, as an analyst sees it."""
    return AnalysisJobs(server.server.database, server.clock)


async def run_of(server: RunningServer, game_id: str) -> Run:
    """The moves of a game as the log has them."""
    parts = server.server
    reader = GameReader(parts.store, parts.deals, parts.competitions.rules)
    return await read_run(reader, game_id, (await reader.load(game_id)).version)


async def work_off(server: RunningServer) -> None:
    """Carry out the next job: search the positions of its game that decide most."""
    jobs = jobs_of(server)
    job = await jobs.claim("the analyst")
    assert job is not None
    run, findings = await run_of(server, job.game), Findings()
    analysis = analysis_of(run.rules, run.played, findings)
    while (position := analysis.next_position()) is not None:
        state, at = run.deal, position
        moves = []
        while (move := analysis.moves[at]) is not None:
            moves.append(move)
            at = analysis.parents[at] or 0
        for move in reversed(moves):
            state = run.rules.play_legal(state, move, run.seed).state
        found = solve(run.rules, state, run.seed, NODES)
        line = tuple(move.text for move in found.line)
        searched = SearchedPosition(position, found.verdict, found.nodes, line)
        findings = Findings((*findings.searched, searched), (CountedChoices(0, 1, 0, 2),))
        analysis.learn(position, found)
        assert await jobs.keep(job, findings)
    assert await jobs.finish(job, findings)


async def finished_game(person: Person, moves: int = 3) -> str:
    """A casual game of the person that was given up after some moves."""
    game = await person.deal(RULES)
    await play_and_resign(person, game, moves)
    return game


async def test_a_finished_game_is_analysed_for_whoever_asks_and_says_where_it_could_still_be_won(
    running_server: RunningServer,
) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    game = await finished_game(ann)
    path = f"/games/{game}/analysis"
    assert (await running_server.stranger().get(path))[1]["state"] == "none"
    assert (await running_server.stranger().post(path))[0] == 401
    asked = (await bob.post(path))[1]
    assert (asked["state"], asked["ahead"]) == ("waiting", 0)
    assert asked == (await ann.post(path))[1]
    await work_off(running_server)
    _, found = await running_server.stranger().get(path)
    run = await run_of(running_server, game)
    assert found["state"] == "done"
    assert len(found["verdicts"]) == len(run.played_at)
    state = run.deal
    for version, move in enumerate(run.played, 2):
        assert move is not None
        state = run.rules.play_legal(state, move, run.seed).state
        assert found["verdicts"][version - 1] == solve(run.rules, state, run.seed, NODES).verdict
    assert found["choices"] == [{"version": 1, "keeping": 1, "losing": 0, "unknown": 2}]


async def test_a_way_leads_from_the_position_to_a_win(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    game = await finished_game(ann)
    assert await refusal_of(ann, f"/games/{game}/analysis/ways/1") == "not_found"
    await ann.post(f"/games/{game}/analysis")
    await work_off(sqlite_server)
    verdicts = (await ann.get(f"/games/{game}/analysis"))[1]["verdicts"]
    assert {"won", "lost"} <= set(verdicts)
    for version, verdict in enumerate(verdicts, 1):
        status, winning_line = await ann.get(f"/games/{game}/analysis/ways/{version}")
        assert status == (200 if verdict == "won" else 404)
        if verdict == "won":
            assert winning_line["steps"][-1]["home"] == 104
    for wrong in ("0", "99", "first", "1" * 30):
        assert await refusal_of(ann, f"/games/{game}/analysis/ways/{wrong}") == "not_found"


async def refusal_of(person: Person, path: str) -> str:
    """The code with which a GET is refused."""
    return str((await person.get(path))[1]["code"])


PARTS = ("analysis", "analysis/ways/1", "analysis/stream", "comparison/{game}")


async def refusals(person: Person, game: str) -> set[str]:
    """The codes with which everything that an analysis tells of a game is refused."""
    asked = [(await person.get(f"/games/{game}/{part.format(game=game)}")) for part in PARTS]
    asked.append(await person.post(f"/games/{game}/analysis"))
    asked.append(await person.post(f"/games/{game}/continuations", {"version": 1}))
    async with person.connect() as socket:
        answer = await socket.request("watch_analysis", game=game)
    return {str(answer.get("code", "shown")), *(str(body.get("code", "shown")) for _, body in asked)}


async def test_nothing_is_told_of_a_game_that_is_not_over(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    assert await refusals(ann, await ann.deal(RULES)) == {"conflict"}
    assert await refusals(ann, "nothing") == {"not_found"}


async def test_of_a_deal_that_others_may_still_play_not_even_the_player_is_told_anything(
    sqlite_server: RunningServer,
) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    for person in (ann, bob):
        await person.post("/account", {"name": f"Player {person.id[:4]}", "password": "eight red queens"})
    ranked = await ann.enter()
    await play_and_resign(ann, ranked, 2)
    practice = await ann.enter(practice=True)
    await play_and_resign(ann, practice, 2)
    race = await let_race_start(sqlite_server, ann, await make_race(ann, bob))
    raced = game_in_race(race, ann)
    await play_and_resign(ann, raced, 1)
    for game in (ranked, practice, raced):
        assert await refusals(ann, game) == await refusals(bob, game) == {"spoiler_embargo"}
    sqlite_server.clock.at = CLOSED
    await bob.get(f"/dailies/{DAY}")
    for game in (ranked, practice):
        assert (await bob.post(f"/games/{game}/analysis"))[0] == 200


async def test_who_watches_an_analysis_gets_it_as_it_comes_further(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.subjects.analysis.jobs.INTERVAL_SECONDS", 0.01)
    monkeypatch.setattr("cadogan.server.subjects.analysis.jobs.MAX_AT_ONCE", 1)
    ann = await sqlite_server.guest()
    other, game = await finished_game(ann), await finished_game(ann)
    async with ann.connect() as socket:
        await socket.request("watch_analysis", game=other)
        first = await socket.request("watch_analysis", game=game)
        assert (first["analysis"]["state"], first["version"]) == ("none", 0)
        await ann.post(f"/games/{game}/analysis")
        assert (await socket.receive("analysis_changed"))["analysis"]["state"] == "waiting"
        await work_off(sqlite_server)
        versions = [0]
        while (changed := await socket.receive("analysis_changed"))["analysis"]["state"] != "done":
            versions.append(changed["version"])
        assert versions == sorted(versions)
        assert changed["analysis"] == (await ann.get(f"/games/{game}/analysis"))[1]
        assert (await socket.request("unwatch_analysis", game=game))["type"] == "done"


async def test_an_analysis_can_be_followed_as_a_stream_that_ends_with_it(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    game = await finished_game(ann)
    address = f"{sqlite_server.url}/api/v1/games/{game}/analysis/stream"
    async with sqlite_server.session.get(address) as response:
        assert json.decode(await response.read())["analysis"]["state"] == "none"
    await ann.post(f"/games/{game}/analysis")
    await work_off(sqlite_server)
    async with sqlite_server.session.get(address) as response:
        (line,) = [line async for line in response.content if line.strip()]
    _, shown = await ann.get(f"/games/{game}/analysis")
    assert shown == json.decode(line)["analysis"]
    version = str(json.decode(line)["version"])
    async with sqlite_server.session.get(address, headers={"Last-Event-ID": version}) as response:
        assert response.status == 204


async def test_two_runs_of_a_deal_are_compared_where_they_parted(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    race = await let_race_start(sqlite_server, ann, await make_race(ann, bob, seconds=60))
    games = [game_in_race(race, person) for person in (ann, bob)]
    moves = []
    for person, game, choices in ((ann, games[0], (0, 0, 0)), (bob, games[1], (0, -1))):
        async with person.connect() as socket:
            seen = await socket.request("subscribe", game=game)
            for choice in choices:
                moves.append(seen["legal"][choice])
                seen = await socket.play({**seen, "game": game}, seen["legal"][choice])
            await socket.request("resign", game=game, version=seen["version"])
    status, found = await ann.get(f"/games/{games[0]}/comparison/{games[1]}")
    assert status == 200, found
    differ = moves[1] != moves[4]
    assert found["common_moves"] == (1 if differ else 2)
    assert [run["game"] for run in found["runs"]] == games
    assert [run["version"] for run in found["runs"]] == ([3, 3] if differ else [4, None])
    assert await refusal_of(ann, f"/games/{games[0]}/comparison/{await finished_game(ann)}") == "conflict"


async def test_a_very_long_game_is_not_analysed(sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cadogan.server.subjects.analysis.findings.MAX_VERSIONS", 3)
    ann = await sqlite_server.guest()
    game = await finished_game(ann)
    assert await refusal(ann, f"/games/{game}/analysis") == "conflict"
    assert await jobs_of(sqlite_server).get(game, WHOLE_GAME) is None
