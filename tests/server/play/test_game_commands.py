"""Playing over the socket: what is answered, to whom, and what is in the log then."""

import asyncio

import pytest

from clients.wire.codec import encode
from clients.wire.messages import Play
from server.audit import game_audit
from server.eventlog.event_store import Append, StoreUnavailable
from tests.harness.people import Said
from tests.harness.running_server import House


async def test_a_move_is_answered_with_what_it_did_and_stands_in_the_log(house: House) -> None:
    ann = await house.guest()
    game = await ann.deal()
    async with ann.talk() as talk:
        seen = await talk.ask("subscribe", game=game)
        answer = await talk.play(seen, id="one")
    assert (answer["type"], answer["version"], answer["command"]) == ("move_played", 2, "one")
    _, view = await ann.get(f"/games/{game}")
    assert view["version"] == 2
    assert {name: view["piles"][name] for name in answer["piles"]} == answer["piles"]


async def test_a_sender_who_does_not_follow_the_game_is_answered_too(house: House) -> None:
    ann = await house.guest()
    game = await ann.deal()
    _, view = await ann.get(f"/games/{game}")
    async with ann.talk() as talk:
        assert (await talk.play(view))["type"] == "move_played"


async def test_the_same_command_again_gets_the_first_answer_and_plays_nothing(house: House) -> None:
    ann = await house.guest()
    game = await ann.deal()
    _, view = await ann.get(f"/games/{game}")
    async with ann.talk() as talk:
        first = await talk.play(view, id="one")
        await talk.play(first, id="two")
        again = await talk.play(view, id="one")
    assert again == first
    assert (await ann.get(f"/games/{game}"))[1]["version"] == 3


async def test_a_resignation_sent_again_gets_its_first_answer(house: House) -> None:
    ann = await house.guest()
    game = await ann.deal()
    async with ann.talk() as talk:
        first = await talk.ask("resign", id="end", game=game, version=1)
        assert (await talk.hear())["type"] == "deal_revealed"
        assert await talk.ask("resign", id="end", game=game, version=1) == first


async def test_the_same_id_with_another_body_is_refused(house: House) -> None:
    ann = await house.guest()
    game = await ann.deal()
    _, view = await ann.get(f"/games/{game}")
    async with ann.talk() as talk:
        first = await talk.play(view, id="one")
        other_move = await talk.play(view, move="foundation.0/tableau.0", id="one")
        other_version = await talk.play(first, id="one")
        other_kind = await talk.ask("take_back", id="one", game=game, version=1)
    assert [answer["code"] for answer in (other_move, other_version, other_kind)] == ["command_reused"] * 3


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"move": "jump/over"}, "bad_move"),
        ({"move": "foundation.0/tableau.0"}, "illegal_move"),
        ({"version": 0}, "stale_version"),
        ({"version": 9}, "stale_version"),
        ({"game": "aaaabbbbccccdddd"}, "not_found"),
        ({"game": "no game"}, "not_found"),
        ({"move": "spaces are no move"}, "bad_message"),
    ],
)
async def test_a_refusal_has_the_id_a_code_and_a_sentence(small_house: House, change: Said, code: str) -> None:
    ann = await small_house.guest()
    game = await ann.deal()
    async with ann.talk() as talk:
        answer = await talk.ask("play", **{"id": "one", "game": game, "version": 1, "move": "deal", **change})
        assert (answer["type"], answer["id"], answer["code"]) == ("refused", "one", code)
        assert answer["message"]
        if code in ("bad_move", "illegal_move", "stale_version"):
            assert answer["version"] == 1
        assert (await talk.ask("play", game=game, version=1, move="deal"))["type"] == "move_played"


async def test_nobody_plays_anothers_game(house: House) -> None:
    ann, bob = await house.guest(), await house.guest()
    game = await ann.deal()
    async with bob.talk() as talk, house.stranger().talk() as stranger:
        play = {"game": game, "version": 1, "move": "deal"}
        assert (await talk.ask("play", **play))["code"] == "not_your_seat"
        assert (await stranger.ask("play", **play))["code"] == "unauthorized"
    assert (await ann.get(f"/games/{game}"))[1]["version"] == 1


async def test_a_move_is_taken_back(house: House) -> None:
    ann = await house.guest()
    game = await ann.deal()
    async with ann.talk() as talk:
        seen = await talk.ask("subscribe", game=game)
        played = await talk.play(seen)
        back = await talk.ask("take_back", game=game, version=2)
        none_left = await talk.ask("take_back", game=game, version=3)
    assert back["type"] == "move_taken_back"
    assert back["piles"] == {name: seen["piles"][name] for name in played["piles"]}
    assert back["legal"] == seen["legal"]
    assert none_left["code"] == "nothing_to_take_back"


async def test_a_finished_game_takes_no_more_and_its_record_is_proven(house: House) -> None:
    ann = await house.guest()
    game = await ann.deal()
    assert (await ann.get(f"/games/{game}/record"))[0] == 409
    async with ann.talk() as talk:
        seen = await talk.ask("subscribe", game=game)
        for _ in range(5):
            seen = {**seen, **await talk.play({**seen, "game": game})}
        await talk.ask("resign", game=game, version=seen["version"])
        await talk.hear("deal_revealed")
        assert (await talk.ask("play", game=game, version=8, move="deal"))["code"] == "game_over"
    status, record = await ann.get(f"/games/{game}/record")
    verdict = game_audit.verify(encode(record))
    assert status == 200
    assert verdict.proven, verdict.reason


async def test_a_replay_tells_the_game_from_its_deal(house: House) -> None:
    ann, bob = await house.guest(), await house.guest()
    game = await ann.deal()
    async with ann.talk() as talk:
        seen = await talk.ask("subscribe", game=game)
        await talk.play(seen)
    _, replay = await bob.get(f"/games/{game}/replay")
    assert replay["dealt"]["piles"] == seen["piles"]
    assert [message["type"] for message in replay["messages"]] == ["move_played"]


async def test_a_deal_is_used_once_and_asked_again_it_is_the_same_game(house: House) -> None:
    ann, bob = await house.guest(), await house.guest()
    _, sealed = await ann.post("/deals", {"rules": "maze"})
    wanted = {"deal": sealed["deal"], "nonce": "mine"}
    (_, first), (_, again) = await asyncio.gather(ann.post("/games", wanted), ann.post("/games", wanted))
    assert first == again
    assert first["game"]["commitment"] == sealed["commitment"]
    assert (await ann.post("/games", {**wanted, "nonce": "another"}))[1]["code"] == "conflict"
    assert (await bob.post("/games", wanted))[1]["code"] == "conflict"
    assert (await bob.post("/games", {**wanted, "deal": "aaaabbbbccccdddd"}))[1]["code"] == "not_found"


async def test_nothing_is_answered_before_it_is_in_the_log(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = await house.guest()
    game = await ann.deal()
    store = house.service._store
    append = store.append
    gate, asked = asyncio.Event(), asyncio.Event()

    async def held(wanted: Append) -> None:
        asked.set()
        await gate.wait()
        await append(wanted)

    monkeypatch.setattr(store, "append", held)
    async with ann.talk() as talk:
        await talk.say("play", game=game, version=1, move="deal")
        await asked.wait()
        assert (await ann.get(f"/games/{game}"))[1]["version"] == 1
        gate.set()
        assert (await talk.hear())["version"] == 2


@pytest.mark.parametrize("written", [True, False])
async def test_after_a_failure_the_same_command_gets_the_truth(
    house: House, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    ann = await house.guest()
    game = await ann.deal()
    store = house.service._store
    append = store.append

    async def failing(wanted: Append) -> None:
        if written:
            await append(wanted)
        raise StoreUnavailable("the connection broke")

    async with ann.talk() as talk:
        monkeypatch.setattr(store, "append", failing)
        command = {"id": "one", "game": game, "version": 1, "move": "deal"}
        assert (await talk.ask("play", **command))["code"] == "internal"
        monkeypatch.undo()
        answer = await talk.ask("play", **command)
    assert (answer["type"], answer["version"], answer["command"]) == ("move_played", 2, "one")
    assert (await ann.get(f"/games/{game}"))[1]["version"] == 2


async def test_a_command_whose_handler_is_cancelled_is_in_the_log_once_when_it_is_sent_again(house: House) -> None:
    ann = await house.guest()
    game = await ann.deal()
    command = {"id": "one", "game": game, "version": 1, "move": "deal"}
    handling = asyncio.create_task(house.service.command(ann.id, Play(**command)))  # type: ignore[arg-type]
    while not house.service.sittings.at(game).lock.locked():  # noqa: ASYNC110
        await asyncio.sleep(0)
    handling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await handling
    async with ann.talk() as talk:
        answer = await talk.ask("play", **command)
    assert (answer["type"], answer["version"]) == ("move_played", 2)
    assert len(await house.service._store.read(f"game/{game}")) == 2


async def test_many_games_at_once_lose_nothing(house: House) -> None:
    async def one() -> int:
        ann = await house.guest()
        game = await ann.deal("olga")
        async with ann.talk() as talk:
            seen = await talk.ask("subscribe", game=game)
            for turn in range(20):
                seen = {
                    **seen,
                    **await talk.play({**seen, "game": game}, move=seen["legal"][turn % len(seen["legal"])]),
                }
        return int((await ann.get(f"/games/{game}"))[1]["version"])

    assert await asyncio.gather(*(one() for _ in range(12))) == [21] * 12
