"""Playing over the socket: what is answered, to whom, and what is in the log then."""

import asyncio

import pytest

from cadogan.server.core.eventlog.event_store import Append, StoreUnavailable
from cadogan.server.core.games import game_state
from cadogan.server.subjects.audit import game_audit
from cadogan.wire.codec import encode
from cadogan.wire.messages import Play
from tests.harness.people import JsonMessage
from tests.harness.running_server import RunningServer


async def test_a_move_is_answered_with_its_effects_and_is_in_the_log(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    game = await ann.deal()
    async with ann.connect() as player_socket:
        seen = await player_socket.request("subscribe", game=game)
        answer = await player_socket.play(seen, id="one")
    assert (answer["type"], answer["version"], answer["command"]) == ("move_played", 2, "one")
    _, view = await ann.get(f"/games/{game}")
    assert view["version"] == 2
    assert {name: view["piles"][name] for name in answer["piles"]} == answer["piles"]


async def test_a_sender_without_a_subscription_is_answered_too(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    game = await ann.deal()
    _, view = await ann.get(f"/games/{game}")
    async with ann.connect() as player_socket:
        assert (await player_socket.play(view))["type"] == "move_played"


async def test_the_same_command_again_gets_the_first_answer_and_plays_nothing(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    game = await ann.deal()
    _, view = await ann.get(f"/games/{game}")
    async with ann.connect() as player_socket:
        first = await player_socket.play(view, id="one")
        await player_socket.play(first, id="two")
        again = await player_socket.play(view, id="one")
    assert again == first
    assert (await ann.get(f"/games/{game}"))[1]["version"] == 3


async def test_a_game_at_the_limit_of_moves_can_be_seen_and_given_up(
    running_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_state, "MAX_VERSION", 3)
    ann = await running_server.guest()
    game = await ann.deal()
    async with ann.connect() as socket:
        seen = await socket.play((await ann.get(f"/games/{game}"))[1])
        seen = await socket.play(seen)
        move = await socket.play(seen)
        take_back = await socket.request("take_back", game=game, version=3)
        assert [(one["code"], one["version"]) for one in (move, take_back)] == [("too_many", 3)] * 2
        assert (await ann.get(f"/games/{game}"))[1]["legal"] == seen["legal"]
        assert (await socket.request("resign", game=game, version=3))["result"] == "resigned"


async def test_a_resignation_sent_again_gets_its_first_answer(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    game = await ann.deal()
    async with ann.connect() as player_socket:
        first = await player_socket.request("resign", id="end", game=game, version=1)
        assert (await player_socket.receive())["type"] == "deal_revealed"
        assert await player_socket.request("resign", id="end", game=game, version=1) == first


async def test_the_same_id_with_another_body_is_refused(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    game = await ann.deal()
    _, view = await ann.get(f"/games/{game}")
    async with ann.connect() as player_socket:
        first = await player_socket.play(view, id="one")
        other_move = await player_socket.play(view, move="foundation.0/tableau.0", id="one")
        other_version = await player_socket.play(first, id="one")
        other_kind = await player_socket.request("take_back", id="one", game=game, version=1)
    assert [answer["code"] for answer in (other_move, other_version, other_kind)] == ["command_reused"] * 3


async def test_an_id_stays_taken_when_the_game_has_left_memory(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    game = await ann.deal()
    _, view = await ann.get(f"/games/{game}")
    async with ann.connect() as player_socket:
        first = await player_socket.play(view, id="one")
        second = await player_socket.play(first, id="two")
    running_server.server.cache.drop(game)
    async with ann.connect() as player_socket:
        assert (await player_socket.play(second, id="one"))["code"] == "command_reused"
        assert await player_socket.play(first, id="two") == second
        assert (await player_socket.play({**first, "version": 2**31 - 1}, id="two"))["code"] == "command_reused"
        assert (await player_socket.play(second, id="three"))["version"] == 4


async def test_a_refusal_has_the_id_a_code_and_a_sentence(sqlite_server: RunningServer) -> None:
    refused: list[tuple[JsonMessage, str]] = [
        ({"move": "jump/over"}, "bad_move"),
        ({"move": "foundation.0/tableau.0"}, "illegal_move"),
        ({"version": 0}, "stale_version"),
        ({"version": 9}, "stale_version"),
        ({"game": "aaaabbbbccccdddd"}, "not_found"),
        ({"game": "no game"}, "not_found"),
        ({"move": "spaces are no move"}, "bad_message"),
    ]
    ann = await sqlite_server.guest()
    game = await ann.deal()
    async with ann.connect() as player_socket:
        for number, (change, code) in enumerate(refused):
            wanted = {"id": f"{number}", "game": game, "version": 1, "move": "deal", **change}
            answer = await player_socket.request("play", **wanted)
            assert (answer["type"], answer["id"], answer["code"]) == ("refused", f"{number}", code), change
            assert answer["message"], change
            if code in ("bad_move", "illegal_move", "stale_version"):
                assert answer["version"] == 1, change
        assert (await player_socket.request("play", game=game, version=1, move="deal"))["type"] == "move_played"


async def test_nobody_can_play_in_the_game_of_another(running_server: RunningServer) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    game = await ann.deal()
    async with bob.connect() as player_socket, running_server.stranger().connect() as stranger:
        play = {"game": game, "version": 1, "move": "deal"}
        assert (await player_socket.request("play", **play))["code"] == "not_your_seat"
        assert (await stranger.request("play", **play))["code"] == "unauthorized"
    assert (await ann.get(f"/games/{game}"))[1]["version"] == 1


async def test_a_move_is_taken_back(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    game = await ann.deal()
    async with ann.connect() as player_socket:
        seen = await player_socket.request("subscribe", game=game)
        played = await player_socket.play(seen)
        back = await player_socket.request("take_back", game=game, version=2)
        none_left = await player_socket.request("take_back", game=game, version=3)
    assert back["type"] == "move_taken_back"
    assert back["piles"] == {name: seen["piles"][name] for name in played["piles"]}
    assert back["legal"] == seen["legal"]
    assert none_left["code"] == "nothing_to_take_back"


async def test_a_finished_game_accepts_no_moves_and_its_record_is_consistent(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    game = await ann.deal()
    assert (await ann.get(f"/games/{game}/record"))[0] == 409
    async with ann.connect() as player_socket:
        seen = await player_socket.request("subscribe", game=game)
        for _ in range(5):
            seen = {**seen, **await player_socket.play({**seen, "game": game})}
        await player_socket.request("resign", game=game, version=seen["version"])
        await player_socket.receive("deal_revealed")
        assert (await player_socket.request("play", game=game, version=8, move="deal"))["code"] == "game_over"
    status, record = await ann.get(f"/games/{game}/record")
    verdict = game_audit.verify(encode(record))
    assert status == 200
    assert verdict.consistent, verdict.reason


async def test_a_replay_tells_the_game_from_its_deal(running_server: RunningServer) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    game = await ann.deal()
    async with ann.connect() as player_socket:
        seen = await player_socket.request("subscribe", game=game)
        await player_socket.play(seen)
    _, replay = await bob.get(f"/games/{game}/replay")
    assert replay["dealt"]["piles"] == seen["piles"]
    assert [message["type"] for message in replay["messages"]] == ["move_played"]


async def test_a_deal_is_used_once_and_asking_again_returns_the_same_game(running_server: RunningServer) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    _, sealed = await ann.post("/deals", {"rules": "maze"})
    wanted = {"deal": sealed["deal"], "nonce": "mine"}
    (_, first), (_, again) = await asyncio.gather(ann.post("/games", wanted), ann.post("/games", wanted))
    assert first == again
    assert first["game"]["commitment"] == sealed["commitment"]
    assert (await ann.post("/games", {**wanted, "nonce": "another"}))[1]["code"] == "conflict"
    assert (await bob.post("/games", wanted))[1]["code"] == "conflict"
    assert (await bob.post("/games", {**wanted, "deal": "aaaabbbbccccdddd"}))[1]["code"] == "not_found"


async def test_nothing_is_answered_before_it_is_in_the_log(
    running_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await running_server.guest()
    game = await ann.deal()
    store = running_server.server.store
    append = store.append
    gate, asked = asyncio.Event(), asyncio.Event()

    async def held(wanted: Append) -> None:
        asked.set()
        await gate.wait()
        await append(wanted)

    monkeypatch.setattr(store, "append", held)
    async with ann.connect() as player_socket:
        await player_socket.send("play", game=game, version=1, move="deal")
        await asked.wait()
        assert (await ann.get(f"/games/{game}"))[1]["version"] == 1
        gate.set()
        assert (await player_socket.receive())["version"] == 2


@pytest.mark.parametrize("written", [True, False])
async def test_after_a_failure_the_same_command_gets_the_true_state(
    running_server: RunningServer, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    ann = await running_server.guest()
    game = await ann.deal()
    store = running_server.server.store
    append = store.append

    async def failing(wanted: Append) -> None:
        if written:
            await append(wanted)
        raise StoreUnavailable("the connection broke")

    async with ann.connect() as player_socket:
        monkeypatch.setattr(store, "append", failing)
        command = {"id": "one", "game": game, "version": 1, "move": "deal"}
        assert (await player_socket.request("play", **command))["code"] == "internal"
        monkeypatch.undo()
        answer = await player_socket.request("play", **command)
    assert (answer["type"], answer["version"], answer["command"]) == ("move_played", 2, "one")
    assert (await ann.get(f"/games/{game}"))[1]["version"] == 2


async def test_a_command_whose_handler_is_cancelled_is_in_the_log_once_when_it_is_sent_again(
    running_server: RunningServer,
) -> None:
    ann = await running_server.guest()
    game = await ann.deal()
    command = {"id": "one", "game": game, "version": 1, "move": "deal"}
    handling = asyncio.create_task(running_server.server.commands.carry_out(ann.id, Play(**command)))  # type: ignore[arg-type]
    while not running_server.server.cache.entry(game).lock.locked():  # noqa: ASYNC110
        await asyncio.sleep(0)
    handling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await handling
    async with ann.connect() as player_socket:
        answer = await player_socket.request("play", **command)
    assert (answer["type"], answer["version"]) == ("move_played", 2)
    assert len(await running_server.server.store.read(f"game/{game}")) == 2


async def test_many_games_at_once_lose_nothing(running_server: RunningServer) -> None:
    async def one() -> int:
        ann = await running_server.guest()
        game = await ann.deal("olga")
        async with ann.connect() as player_socket:
            seen = await player_socket.request("subscribe", game=game)
            for turn in range(20):
                seen = {
                    **seen,
                    **await player_socket.play({**seen, "game": game}, move=seen["legal"][turn % len(seen["legal"])]),
                }
        return int((await ann.get(f"/games/{game}"))[1]["version"])

    assert await asyncio.gather(*(one() for _ in range(12))) == [21] * 12


async def test_a_competition_that_ends_games_without_saying_when_in_its_rules_is_told_so(
    sqlite_server: RunningServer,
) -> None:
    ann = await sqlite_server.guest()
    game = await ann.deal()
    with pytest.raises(ValueError, match="earliest_timeout"):
        await sqlite_server.server.commands.end_on_time(game, sqlite_server.clock.at)
