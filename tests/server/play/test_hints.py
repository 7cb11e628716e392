"""Hints over the socket: who may have them, and how often."""

from cadogan.engine.solver.solution import Verdict
from cadogan.server.subjects.analysis.decided_positions import DecidedPosition, DecidedPositions, position_key
from cadogan.server.subjects.analysis.hints import HINTS_AT_ONCE
from tests.harness.people import JsonMessage, Person, PlayerSocket
from tests.harness.race_actions import game_in_race, let_race_start, make_race
from tests.harness.running_server import RunningServer


async def ask(socket: PlayerSocket, game: str, version: int = 1) -> JsonMessage:
    """The answer to asking for a hint."""
    return await socket.request("ask_for_hint", game=game, version=version)


async def asked_once(person: Person, game: str, version: int = 1) -> str:
    """What the answer is: `hint`, or the code of the refusal."""
    async with person.connect() as socket:
        answer = await ask(socket, game, version)
        return str(answer.get("code", answer["type"]))


async def test_a_hint_is_a_legal_move_and_the_same_when_asked_again(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    game = await ann.deal()
    async with ann.connect() as socket:
        seen = await socket.request("subscribe", game=game)
        first = await ask(socket, game)
        assert first["move"] in seen["legal"]
        assert {**await ask(socket, game), "id": first["id"]} == first
        played = await socket.play(seen, first["move"])
        assert (await ask(socket, game, played["version"]))["version"] == 2
        assert (await ask(socket, game, 1))["code"] == "stale_version"
        await socket.request("resign", game=game, version=2)
    assert await asked_once(ann, game, 4) == "game_over"


async def test_hints_are_for_casual_and_practice_games_of_ones_own(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    for person in (ann, bob):
        await person.post("/account", {"name": f"Player {person.id[:4]}", "password": "eight red queens"})
    casual, ranked = await ann.deal(), await ann.enter()
    assert await asked_once(bob, casual) == "not_your_seat"
    assert await asked_once(sqlite_server.stranger(), casual) == "unauthorized"
    assert await asked_once(ann, "nothing") == "not_found"
    assert await asked_once(ann, ranked) == "no_hints"
    race = await let_race_start(sqlite_server, ann, await make_race(ann, bob))
    assert await asked_once(ann, game_in_race(race, ann)) == "no_hints"
    await ann.post("/dailies/today/deals/1/spoil")
    assert await asked_once(ann, ranked, 2) == "hint"
    assert await asked_once(ann, await ann.enter(practice=True)) == "hint"


async def test_a_player_who_asks_too_often_is_told_when_to_ask_again(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    game = await ann.deal()
    async with ann.connect() as socket:
        answers = [await ask(socket, game) for _ in range(HINTS_AT_ONCE + 1)]
    assert [answer["type"] for answer in answers[:-1]] == ["hint"] * HINTS_AT_ONCE
    assert (answers[-1]["code"], answers[-1]["retry_after"] > 0) == ("rate_limited", True)


async def test_a_hint_follows_a_win_that_was_found_and_says_of_another_move_whether_it_keeps_one(
    sqlite_server: RunningServer,
) -> None:
    positions = DecidedPositions(sqlite_server.server.database, sqlite_server.clock)
    ann = await sqlite_server.guest()
    game = await ann.deal()

    async def decide(verdict: Verdict, *line: str) -> None:
        now = await sqlite_server.server.cache.get(game)
        key = position_key(now.rules, now.seed, now.position.state)
        await positions.put({key: DecidedPosition(verdict, 7, line)})

    async with ann.connect() as socket:
        seen = await socket.request("subscribe", game=game)
        usual = await ask(socket, game)
        assert "keeps_win" not in usual
        line = [next(move for move in seen["legal"] if move != usual["move"]), "deal"]
        await decide("won", *line)
        for version, move in enumerate(line, 1):
            assert (hint := await ask(socket, game, version))["move"] == move
            assert hint["keeps_win"] is True
            seen = await socket.play(seen, move)
        strayed = await ask(socket, game, 3)
        assert "keeps_win" not in strayed
        await socket.play(seen, strayed["move"])
        await decide("lost")
        await socket.request("take_back", game=game, version=4)
        assert (await ask(socket, game, 5))["keeps_win"] is False
