"""Whether the present position can still be won: who may ask, and when the answer comes."""

import pytest

from cadogan.server.subjects.analysis.decided_positions import DecidedPosition, DecidedPositions, position_key
from cadogan.server.subjects.analysis.findings import Findings, SearchedPosition
from cadogan.server.subjects.analysis.jobs import AnalysisJobs
from tests.harness.daily_actions import CLOSED, DAY
from tests.harness.people import JsonMessage, Person
from tests.harness.race_actions import game_in_race, let_race_start, make_race
from tests.harness.running_server import RunningServer


async def asked_once(person: Person, game: str, version: int = 1) -> str:
    """What the answer is: `winnability`, or the code of the refusal."""
    async with person.connect() as socket:
        answer = await socket.request("ask_if_winnable", game=game, version=version)
        return str(answer.get("code", answer["type"]))


async def is_offered(person: Person, game: str) -> bool | None:
    """Whether the person's view says that one may ask; None if it does not say."""
    async with person.connect() as socket:
        seen = await socket.request("subscribe", game=game)
    _, fetched = await person.get(f"/games/{game}")
    assert seen.get("may_ask_if_winnable") is fetched.get("may_ask_if_winnable")
    offered: bool | None = seen.get("may_ask_if_winnable")
    return offered


async def answer_next(server: RunningServer, verdict: str, *line: str) -> None:
    """Let an analyst answer the next question."""
    jobs = AnalysisJobs(server.server.database, server.clock)
    job = await jobs.claim("the analyst")
    assert job is not None
    searched = SearchedPosition(0, verdict, 10, line)  # type: ignore[arg-type]  # a word of the contract
    assert await jobs.finish(job, Findings((searched,)))


async def test_the_answer_comes_when_an_analyst_has_found_it_and_at_once_when_asked_again(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.subjects.analysis.jobs.INTERVAL_SECONDS", 0.01)
    ann = await sqlite_server.guest()
    game = await ann.deal()
    async with ann.connect() as socket:
        seen = await socket.request("subscribe", game=game)
        first = await socket.request("ask_if_winnable", game=game, version=1)
        assert (first["ahead"], first.get("verdict")) == (0, None)
        move = seen["legal"][0]
        await answer_next(sqlite_server, "won", move)
        found: JsonMessage = await socket.receive("winnability")
        assert (found["version"], found["verdict"], [step["move"] for step in found["steps"]]) == (1, "won", [move])
        again = await socket.request("ask_if_winnable", game=game, version=1)
        assert again["steps"] == found["steps"]
        played = await socket.play(seen, move)
        assert played["piles"] == found["steps"][0]["piles"]
        assert (await socket.request("ask_if_winnable", game=game, version=1))["code"] == "stale_version"


async def test_who_watches_the_game_of_another_is_not_told(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.subjects.analysis.jobs.INTERVAL_SECONDS", 0.01)
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    game = await ann.deal()
    async with ann.connect() as socket, bob.connect() as watching:
        seen = await socket.request("subscribe", game=game)
        await watching.request("subscribe", game=game)
        await socket.request("ask_if_winnable", game=game, version=1)
        await answer_next(sqlite_server, "lost")
        assert (await socket.receive("winnability"))["verdict"] == "lost"
        await socket.play(seen)
        assert (await watching.receive())["type"] == "move_played"


async def test_a_lost_position_says_how_many_moves_ago_the_game_could_still_be_won_if_that_was_found(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.subjects.analysis.jobs.INTERVAL_SECONDS", 0.01)
    positions = DecidedPositions(sqlite_server.server.database, sqlite_server.clock)
    ann = await sqlite_server.guest()
    game = await ann.deal()
    began = await sqlite_server.server.cache.get(game)
    key = position_key(began.rules, began.seed, began.position.state)
    async with ann.connect() as socket:
        seen = await socket.request("subscribe", game=game)
        for _ in range(3):
            seen = await socket.play(seen, "deal")
        await socket.request("ask_if_winnable", game=game, version=4)
        await answer_next(sqlite_server, "lost")
        assert "moves_since_won" not in await socket.receive("winnability")
        for line, since_won in ((("deal",), 2), (("deal",) * 3, 1)):
            await positions.put({key: DecidedPosition("won", 7, line)})
            received = await socket.request("ask_if_winnable", game=game, version=4)
            assert (received["verdict"], received["moves_since_won"]) == ("lost", since_won)
        await positions.put({key: DecidedPosition("unknown", 7)})
        assert "moves_since_won" not in await socket.request("ask_if_winnable", game=game, version=4)


async def test_it_is_told_in_games_that_count_for_nothing_and_whose_deal_nobody_else_plays(
    sqlite_server: RunningServer,
) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    for person in (ann, bob):
        await person.post("/account", {"name": f"Player {person.id[:4]}", "password": "eight red queens"})
    casual, ranked = await ann.deal(), await ann.enter()
    assert await asked_once(bob, casual) == "not_your_seat"
    assert await asked_once(sqlite_server.stranger(), casual) == "unauthorized"
    assert await asked_once(ann, "nothing") == "not_found"
    assert await asked_once(ann, casual) == "winnability"
    assert await asked_once(ann, ranked) == "no_hints"
    race = await let_race_start(sqlite_server, ann, await make_race(ann, bob))
    assert await asked_once(ann, game_in_race(race, ann)) == "no_hints"
    await ann.post("/dailies/today/deals/1/spoil")
    practice = await ann.enter(practice=True)
    assert await asked_once(ann, ranked, 2) == await asked_once(ann, practice) == "no_hints"
    sqlite_server.clock.at = CLOSED
    await bob.get(f"/dailies/{DAY}")
    assert await asked_once(ann, practice) == "winnability"


async def test_it_is_offered_where_it_is_answered_and_nowhere_else(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    for person in (ann, bob):
        await person.post("/account", {"name": f"Player {person.id[:4]}", "password": "eight red queens"})
    casual, ranked = await ann.deal(), await ann.enter()
    race = await let_race_start(sqlite_server, ann, await make_race(ann, bob))
    await ann.post("/dailies/today/deals/1/spoil")
    practice = await ann.enter(practice=True)
    own = {casual: True, ranked: False, game_in_race(race, ann): False, practice: False}
    assert {game: await is_offered(ann, game) for game in own} == own
    assert {await is_offered(bob, game) for game in (casual, game_in_race(race, ann))} == {None}
    sqlite_server.clock.at = CLOSED
    await bob.get(f"/dailies/{DAY}")
    assert await is_offered(ann, practice) is True


async def test_who_asks_is_told_when_questions_wait_and_no_analyst_works(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    game = await ann.deal()
    async with ann.connect() as socket:
        first = await socket.request("ask_if_winnable", game=game, version=1)
        assert "unattended" not in first
        sqlite_server.clock.at += 60_000
        assert (await socket.request("ask_if_winnable", game=game, version=1))["unattended"] is True
        await AnalysisJobs(sqlite_server.server.database, sqlite_server.clock).claim("the analyst")
        assert "unattended" not in await socket.request("ask_if_winnable", game=game, version=1)
