"""Playing on from a position of a finished game: a new game that counts for nothing, whose record proves all of it."""

from typing import Any

from cadogan.server.subjects.audit import game_audit
from tests.harness.daily_actions import CLOSED, DAY, play_and_resign
from tests.harness.people import Person
from tests.harness.race_actions import game_in_race, let_race_start, make_race
from tests.harness.running_server import RunningServer
from tests.harness.web_verifier import WebVerifier

RULES = "fifteen"


async def play_on(person: Person, game: str, version: int) -> dict[str, Any]:
    """Begin a game at that position; its card."""
    status, begun = await person.post(f"/games/{game}/continuations", {"version": version})
    assert status == 200, begun
    card: dict[str, Any] = begun["game"]
    return card


async def finished_game(person: Person, moves: int = 3) -> str:
    """A casual game that was given up after some moves, the first of which was taken back once."""
    game = await person.deal(RULES)
    async with person.connect() as socket:
        seen = await socket.request("subscribe", game=game)
        played = await socket.play(seen)
        await socket.request("take_back", game=game, version=played["version"])
    await play_and_resign(person, game, moves)
    return game


async def test_a_game_is_played_on_by_anybody_from_where_another_one_was(running_server: RunningServer) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    game = await finished_game(ann)
    card = await play_on(bob, game, 5)
    assert (card["mode"], card["ranked"], card["origin"]) == ("casual", False, {"game": game, "version": 5})
    _, replay = await bob.get(f"/games/{game}/replay")
    async with bob.connect() as socket:
        seen = await socket.request("subscribe", game=card["id"])
        assert (seen["version"], seen["moves"], seen["can_take_back"]) == (3, 2, True)
        reached = {**replay["dealt"]["piles"]}
        for message in replay["messages"][:4]:
            reached |= message["piles"]
        assert seen["piles"] == reached
        played = await socket.play(seen)
        await socket.request("resign", game=card["id"], version=played["version"])


async def test_the_record_of_a_game_that_was_played_on_is_consistent_for_both_verifiers(
    sqlite_server: RunningServer,
) -> None:
    ann = await sqlite_server.guest()
    card = await play_on(ann, await finished_game(ann), 6)
    await play_and_resign(ann, card["id"], 1)
    async with sqlite_server.session.get(f"{sqlite_server.url}/api/v1/games/{card['id']}/record") as response:
        record = await response.read()
    assert game_audit.verify(record).consistent
    verifier = WebVerifier()
    with verifier.process:
        (verdict,) = verifier.verdicts([record], RULES)
        assert verdict.consistent, verdict
        verifier.process.terminate()


async def test_a_game_that_was_played_on_is_in_no_statistics(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    game = await finished_game(ann)
    before = (await ann.get(f"/players/{ann.id}"))[1]["by_game"]
    await play_and_resign(ann, (await play_on(ann, game, 3))["id"], 1)
    assert (await ann.get(f"/players/{ann.id}"))[1]["by_game"] == before


async def test_a_deal_of_a_day_or_a_race_is_played_on_when_it_is_everybodys(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    ranked = await ann.enter()
    await play_and_resign(ann, ranked, 3)
    race = await let_race_start(sqlite_server, ann, await make_race(ann, bob))
    raced = [game_in_race(race, person) for person in (ann, bob)]
    await play_and_resign(ann, raced[0], 2)
    for game in (ranked, raced[0]):
        assert (await ann.post(f"/games/{game}/continuations", {"version": 2}))[1]["code"] == "spoiler_embargo"
    await play_and_resign(bob, raced[1], 0)
    casual = await play_on(bob, raced[0], 2)
    assert (casual["mode"], casual.get("race")) == ("casual", None)
    sqlite_server.clock.at = CLOSED
    await bob.get(f"/dailies/{DAY}")
    practice = await play_on(bob, ranked, 3)
    assert (practice["mode"], practice["day"]) == ("practice", DAY)
    for card in (casual, practice):
        await play_and_resign(bob, card["id"], 1)
        async with sqlite_server.session.get(f"{sqlite_server.url}/api/v1/games/{card['id']}/record") as response:
            assert game_audit.verify(await response.read()).consistent


async def test_what_cannot_be_played_on_is_refused_and_nothing_begins(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    game = await finished_game(ann)
    unfinished = await ann.deal(RULES)
    wrong = [(game, 0, "not_found"), (game, 99, "not_found"), ("nothing", 1, "not_found"), (unfinished, 1, "conflict")]
    for of, version, code in wrong:
        assert (await ann.post(f"/games/{of}/continuations", {"version": version}))[1]["code"] == code
    assert (await ann.post(f"/games/{game}/continuations", {"version": -1}))[1]["code"] == "bad_message"
    assert (await sqlite_server.stranger().post(f"/games/{game}/continuations", {"version": 1}))[0] == 401
    assert (await ann.get("/games/unfinished"))[1]["games"] == []


async def test_a_request_that_is_sent_again_begins_one_game(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    game = await finished_game(ann)

    async def ask(version: int) -> tuple[int, Any]:
        headers = {**ann.headers, "Idempotency-Key": "once"}
        address = f"{sqlite_server.url}/api/v1/games/{game}/continuations"
        async with sqlite_server.session.post(address, json={"version": version}, headers=headers) as response:
            return response.status, await response.json()

    assert await ask(3) == await ask(3)
    assert (await ask(4))[1]["code"] == "command_reused"
