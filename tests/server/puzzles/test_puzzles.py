"""A puzzle from a lost game: which game becomes one, what a try is, whose tries count, and to whom the way is shown."""

from collections.abc import Sequence
from functools import cache

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import insert

from cadogan import engine
from cadogan.engine.solver import solve
from cadogan.server.core.database.tables import deals
from cadogan.server.core.dates import MILLISECONDS_PER_DAY, day_times
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.event_store import Append, NewEvent
from cadogan.server.core.eventlog.events import MoveTakenBack, Origin
from cadogan.server.core.fairness.commit_reveal import commitment, seed
from cadogan.server.core.games import game_state
from cadogan.server.core.games.game_record import build_record
from cadogan.server.core.storage.rebuild import find_differences
from cadogan.server.subjects.analysis.findings import CountedChoices, Findings, SearchedPosition
from cadogan.server.subjects.analysis.jobs import LENT, WHOLE_GAME
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.known_rules import known_rules
from cadogan.server.subjects.puzzles.puzzles import OPEN_DAYS
from cadogan.wire.messages import Play, Resign
from tests.harness.daily_actions import CLOSED, DAY, play_and_resign
from tests.harness.game_steps import SECRET, dealt
from tests.harness.people import JsonMessage, Person
from tests.harness.running_server import RunningServer

RULES, GAME, LEFT = "louis", "aaaabbbbccccdddd", 3
"""The game that was lost with a move from a position that wins in three moves."""


@cache
def winning_line() -> tuple[str, ...]:
    rules, secret = engine.game(RULES), seed(RULES, dealt(RULES).nonce, SECRET)
    return tuple(move.text for move in solve(rules, rules.deal(secret), secret, 1_000).line)


LOSING = "alphabet.8/alphabet.11"


async def lose_game(
    server: RunningServer, player: Person, *, declined: bool = False, game: str = GAME, analyst: str = "analyst"
) -> None:
    """Store a casual game of the player, which was lost and then given up, with its complete analysis."""
    if declined:
        assert (await player.ask("PUT", "/settings", {"puzzles": False}))[0] == 200
    now, database = server.clock.at, server.server.database
    async with database.writing() as connection:
        row = {"id": f"deal-{game}", "game": RULES, "secret": SECRET.hex(), "commitment": commitment(SECRET)}
        await connection.execute(insert(deals).values(created_at=now, **row))
    steps = game_state.deal(
        game, replace(dealt(RULES), player=player.id, deal=f"deal-{game}"), SECRET, now, known_rules()
    )
    for number, move in enumerate([*winning_line()[:-LEFT], LOSING]):
        wanted = Play(id=str(number), game=game, version=steps[-1].after.version, move=move)
        steps.extend(game_state.decide(steps[-1].after, wanted, now))
    end = Resign(id="end", game=game, version=steps[-1].after.version)
    steps.extend(game_state.decide(steps[-1].after, end, now))
    await server.server.commands.begin(steps)
    at = len(winning_line()) - LEFT
    searched = (SearchedPosition(at, "won", 5, winning_line()[-LEFT:]), SearchedPosition(at + 1, "lost", 5, ()))
    await server.server.analysis_jobs.ask(game, WHOLE_GAME, "ann")
    job = await server.server.analysis_jobs.claim(analyst)
    assert job is not None
    assert await server.server.analysis_jobs.finish(job, Findings(searched, (CountedChoices(at, 1, 2, 0, 9),)))


async def set_puzzle(server: RunningServer) -> None:
    """Let the server set the puzzle of the day from a lost game."""
    await lose_game(server, await server.guest())
    await server.server.puzzles.run_due()


async def look(person: Person, day: str = "today") -> JsonMessage:
    status, body = await person.get(f"/puzzles/{day}")
    assert status == 200, body
    found: JsonMessage = body
    return found


async def try_it(server: RunningServer, person: Person, moves: Sequence[str], *, resign: bool = False) -> JsonMessage:
    """Begin a try and play these moves; return its card."""
    status, begun = await person.post("/puzzles/today/tries")
    assert status == 200, begun
    await play(server, person, begun["game"]["id"], moves, resign=resign)
    card: JsonMessage = begun["game"]
    return card


async def play(server: RunningServer, person: Person, game: str, moves: Sequence[str], *, resign: bool = False) -> None:
    """Play these moves in a game, and then give it up, if wanted."""
    async with person.connect() as socket:
        seen = await socket.request("subscribe", game=game)
        for move in moves:
            seen = {**seen, **await socket.play({**seen, "game": game}, move)}
        if resign:
            await socket.send("resign", game=game, version=seen["version"])
            await socket.receive("game_finished")
    await server.server.wait_until_idle()


async def code_of(person: Person, path: str) -> str:
    return str((await person.post(path))[1].get("code"))


@pytest.mark.both_databases
async def test_a_puzzle_is_solved_at_the_second_try_and_the_board_says_so(running_server: RunningServer) -> None:
    await set_puzzle(running_server)
    bob, cleo = await running_server.guest(), await running_server.guest()
    puzzle = await look(bob)
    assert (puzzle["rules"], puzzle["moves"], puzzle["line"]) == (RULES, len(winning_line()) - LEFT, LEFT)
    await try_it(running_server, bob, [LOSING], resign=True)
    assert (await look(bob))["your"] == {"tries": 1, "solved": False, "given_up": False}
    await try_it(running_server, bob, winning_line()[-LEFT:])
    await try_it(running_server, cleo, winning_line()[-LEFT:])
    told = await look(bob)
    assert [(one["rank"], one["player"]["id"], one["tries"], one["moves"]) for one in told["board"]] == [
        (1, cleo.id, 1, LEFT),
        (2, bob.id, 2, LEFT),
    ]
    assert (told["tried"], told["solved"], told["your"]["solved"]) == (2, 2, True)
    assert await code_of(bob, "/puzzles/today/tries") == "conflict"


async def test_a_try_is_a_game_whose_record_is_consistent_and_whose_card_names_neither_origin_nor_deal(
    sqlite_server: RunningServer,
) -> None:
    await set_puzzle(sqlite_server)
    bob = await sqlite_server.guest()
    card = await try_it(sqlite_server, bob, [])
    assert (card["mode"], card["competition"], card["about"], card.get("origin")) == ("casual", "puzzle", DAY, None)
    assert (await bob.post("/puzzles/today/tries"))[1]["game"]["id"] == card["id"], "one try at a time"
    await play_and_resign(bob, card["id"], 0)
    await sqlite_server.server.wait_until_idle()
    assert (await bob.get(f"/games/{card['id']}"))[1]["game"].get("origin") is None
    async with sqlite_server.session.get(f"{sqlite_server.url}/api/v1/games/{card['id']}/record") as response:
        assert game_audit.verify(await response.read()).consistent


async def test_nobody_learns_the_way_from_a_try_before_they_solve_the_puzzle_or_give_it_up(
    sqlite_server: RunningServer,
) -> None:
    await set_puzzle(sqlite_server)
    bob, cleo = await sqlite_server.guest(), await sqlite_server.guest()
    lost = (await try_it(sqlite_server, bob, [LOSING], resign=True))["id"]
    begun = await try_it(sqlite_server, bob, [])
    assert (await cleo.post("/puzzles/today/give-up"))[0] == 200

    async def learn(person: Person) -> list[int]:
        """What somebody is answered who asks where the try was lost, and plays on from its position."""
        asked = [await person.get(f"/games/{lost}/analysis"), await person.get(f"/games/{lost}/analysis/ways/1")]
        asked += [await person.post(f"/games/{lost}/continuations", {"version": 1})]
        return [status for status, _ in asked]

    shown = [(await bob.get(f"/games/{one}"))[1] for one in (lost, begun["id"])]
    _, unfinished = await bob.get("/games/unfinished")
    _, live = await bob.get("/games/live")
    assert all(GAME not in str(one) for one in (begun, *shown, unfinished, live))
    assert (await bob.get(f"/deals/{begun['deal']}"))[0] == (await bob.post(f"/deals/{begun['deal']}/games"))[0] == 404
    assert await learn(bob) == [403, 403, 403]
    assert await learn(cleo) == [200, 404, 200]  # nobody has had it analysed yet
    sqlite_server.clock.at = day_times(DAY, 0).opens_at + OPEN_DAYS * MILLISECONDS_PER_DAY
    assert await learn(bob) == [200, 404, 200]


async def test_the_moves_that_led_to_the_position_of_a_puzzle_cannot_be_taken_back_and_those_after_it_can(
    sqlite_server: RunningServer,
) -> None:
    await set_puzzle(sqlite_server)
    bob = await sqlite_server.guest()
    card = await try_it(sqlite_server, bob, [])
    async with bob.connect() as socket:
        seen = await socket.request("subscribe", game=card["id"])
        back = await socket.request("take_back", game=card["id"], version=seen["version"])
        assert (seen["can_take_back"], back["code"]) == (False, "nothing_to_take_back")
        played = await socket.play(seen, LOSING)
        back = await socket.request("take_back", game=card["id"], version=played["version"])
        assert (played["can_take_back"], back["can_take_back"]) == (True, False)
    read_again = await sqlite_server.server.reader.load(card["id"])
    assert not read_again.can_take_back


async def test_the_record_of_a_try_that_goes_back_before_the_position_of_its_puzzle_is_broken() -> None:
    origin = Origin(GAME, len(winning_line()) + 1 - LEFT, len(winning_line()) - LEFT)
    deal = replace(dealt(RULES), competition="puzzle", about=DAY, origin=origin)
    steps = game_state.deal("try", deal, SECRET, 0, known_rules())
    for number, move in enumerate(winning_line()[:-LEFT]):
        wanted = Play(id=str(number), game="try", version=steps[-1].after.version, move=move)
        steps.extend(game_state.decide(steps[-1].after, wanted, 0))
    honest = [step.sealed for step in steps]
    head = steps[-1].after
    forged = hash_chain.chain_event(head.head, head.stream, head.version + 1, MoveTakenBack(), 0)
    assert game_audit.verify(msgspec.json.encode(build_record("try", SECRET, honest))).consistent
    verdict = game_audit.verify(msgspec.json.encode(build_record("try", SECRET, [*honest, forged])))
    assert (verdict.consistent, verdict.broken_at) == (False, forged.version)
    assert "There is no move to take back." in verdict.reason


async def test_an_illegal_move_and_a_hint_are_refused_in_a_try(sqlite_server: RunningServer) -> None:
    await set_puzzle(sqlite_server)
    bob = await sqlite_server.guest()
    card = await try_it(sqlite_server, bob, [])
    async with bob.connect() as socket:
        seen = await socket.request("subscribe", game=card["id"])
        assert (await socket.play(seen, "alphabet.1/alphabet.1"))["code"] in ("illegal_move", "bad_move")
        for asked in ("ask_for_hint", "ask_if_winnable"):
            assert (await socket.request(asked, game=card["id"], version=seen["version"]))["code"] == "no_hints"


async def test_the_way_is_shown_to_who_gave_up_and_to_nobody_else_before_the_close(
    sqlite_server: RunningServer,
) -> None:
    await set_puzzle(sqlite_server)
    bob, cleo = await sqlite_server.guest(), await sqlite_server.guest()
    assert (await bob.get("/puzzles/today/way"))[1]["code"] == "spoiler_embargo"
    assert "origin" not in await look(bob)
    given_up = (await bob.post("/puzzles/today/give-up"))[1]
    assert (given_up["your"]["given_up"], given_up["origin"]["game"]) == (True, GAME)
    assert [step["move"] for step in (await bob.get("/puzzles/today/way"))[1]["steps"]] == [*winning_line()[-LEFT:]]
    assert await code_of(bob, "/puzzles/today/tries") == "conflict"
    assert (await cleo.get("/puzzles/today/way"))[1]["code"] == "spoiler_embargo"
    sqlite_server.clock.at = day_times(DAY, 0).opens_at + OPEN_DAYS * MILLISECONDS_PER_DAY
    assert (await look(cleo, DAY))["state"] == "closed"
    assert (await cleo.get(f"/puzzles/{DAY}/way"))[0] == 200
    assert (await cleo.get("/puzzles/today"))[1]["code"] == "not_found"


async def test_a_request_that_is_sent_again_begins_no_other_try_and_one_with_its_id_tomorrow_does(
    sqlite_server: RunningServer,
) -> None:
    await set_puzzle(sqlite_server)
    bob = await sqlite_server.guest()
    sqlite_server.session.headers["Idempotency-Key"] = "1"
    card = await try_it(sqlite_server, bob, [LOSING], resign=True)
    assert (await bob.post("/puzzles/today/tries"))[1]["game"]["id"] == card["id"]
    assert (await look(bob))["your"]["tries"] == 1
    sqlite_server.clock.at += MILLISECONDS_PER_DAY
    await lose_game(sqlite_server, bob, game="aaaabbbbccccddd2")
    await sqlite_server.server.puzzles.run_due()
    status, begun = await bob.post("/puzzles/today/tries")
    assert (status, begun["game"]["id"] != card["id"]) == (200, True)


async def test_a_game_that_a_player_has_analysed_becomes_no_puzzle(sqlite_server: RunningServer) -> None:
    await lose_game(sqlite_server, await sqlite_server.guest(), analyst=LENT + "m3x5q7a2b4c6d2ef")
    await sqlite_server.server.puzzles.run_due()
    assert await code_of(await sqlite_server.guest(), "/puzzles/today/tries") == "not_found"


@pytest.mark.both_databases
async def test_a_try_whose_end_was_not_written_is_settled_when_its_player_looks(running_server: RunningServer) -> None:
    await set_puzzle(running_server)
    bob = await running_server.guest()
    card = await try_it(running_server, bob, [])
    game = await running_server.server.reader.load(card["id"])
    end = game_state.decide(game, Resign(id="end", game=game.id, version=game.version), running_server.clock.at)
    sealed = tuple(one for step in end if isinstance(one := step.sealed, NewEvent))
    await running_server.server.store.append(Append(game.stream, "end", sealed))  # by a node that stopped after that
    assert (await look(bob))["your"] == {"tries": 1, "solved": False, "given_up": False}


async def test_a_game_of_somebody_who_has_declined_becomes_no_puzzle(sqlite_server: RunningServer) -> None:
    await lose_game(sqlite_server, await sqlite_server.guest(), declined=True)
    await sqlite_server.server.puzzles.run_due()
    assert (await sqlite_server.stranger().get("/puzzles/today"))[1]["code"] == "not_found"
    assert (await sqlite_server.stranger().get("/puzzles"))[1] == {"days": []}


async def test_a_ranked_game_becomes_a_puzzle_only_after_its_day_has_closed(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    game = await ann.enter()
    await play_and_resign(ann, game, 6)
    jobs = sqlite_server.server.analysis_jobs
    await jobs.ask(game, WHOLE_GAME, "ann")
    job = await jobs.claim("analyst")
    assert job is not None
    outline = await sqlite_server.server.outlines.get(game)
    rules = engine.game(outline.dealt.game)
    line = tuple([next(iter(rules.legal_moves(rules.deal(bytes(32))))).text] * 3)
    searched = (SearchedPosition(0, "won", 1, line), SearchedPosition(1, "lost", 1, ()))
    assert await jobs.finish(job, Findings(searched, (CountedChoices(0, 1, 1, 0),)))
    await sqlite_server.server.puzzles.run_due()
    assert (await ann.get("/puzzles/today"))[0] == 404
    sqlite_server.clock.at = CLOSED
    await ann.get(f"/dailies/{DAY}")
    await sqlite_server.server.puzzles.run_due()
    assert (await look(ann))["moves"] == 0


async def test_one_puzzle_is_set_a_day_and_no_game_twice(sqlite_server: RunningServer) -> None:
    await set_puzzle(sqlite_server)
    await sqlite_server.server.puzzles.run_due()
    assert len(await sqlite_server.server.store.read(f"puzzle/{DAY}")) == 1
    sqlite_server.clock.at += MILLISECONDS_PER_DAY
    await sqlite_server.server.puzzles.run_due()
    assert (await look(await sqlite_server.guest()))["day"] == DAY


async def test_a_rebuild_from_a_log_with_tries_would_correct_nothing(
    sqlite_server: RunningServer,
) -> None:
    await set_puzzle(sqlite_server)
    await try_it(sqlite_server, await sqlite_server.guest(), winning_line()[-LEFT:])
    assert await find_differences(sqlite_server.server.database, known_rules()) == []


async def test_a_try_that_is_won_after_its_player_gave_up_is_not_on_the_board(sqlite_server: RunningServer) -> None:
    await set_puzzle(sqlite_server)
    bob = await sqlite_server.guest()
    card = await try_it(sqlite_server, bob, [])
    assert (await bob.post("/puzzles/today/give-up"))[0] == 200
    await play(sqlite_server, bob, card["id"], winning_line()[-LEFT:])
    told = await look(bob)
    assert (await bob.get(f"/games/{card['id']}"))[1]["game"]["status"] == "won"
    assert (told["board"], told["your"]) == ([], {"tries": 1, "solved": False, "given_up": True})


async def test_who_has_solved_the_puzzle_gives_nothing_up_although_the_end_of_the_try_was_not_written(
    sqlite_server: RunningServer,
) -> None:
    await set_puzzle(sqlite_server)
    bob = await sqlite_server.guest()
    card = await try_it(sqlite_server, bob, winning_line()[-LEFT:-1])
    game = await sqlite_server.server.reader.load(card["id"])
    last = Play(id="last", game=game.id, version=game.version, move=winning_line()[-1])
    steps = game_state.decide(game, last, sqlite_server.clock.at)
    sealed = tuple(one for step in steps if isinstance(one := step.sealed, NewEvent))
    await sqlite_server.server.store.append(Append(game.stream, "last", sealed))  # by a node that stopped after that
    given_up = (await bob.post("/puzzles/today/give-up"))[1]
    assert given_up["your"] == {"tries": 1, "solved": True, "given_up": False}
