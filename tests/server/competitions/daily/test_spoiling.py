"""Asking to be shown a deal: everything is shown, it is in the log, and no run counts from then on, for good."""

import asyncio

import pytest

from cadogan.server.core import dates
from cadogan.server.core.eventlog.streams import game_stream
from cadogan.server.subjects.audit import game_audit
from cadogan.wire.codec import encode
from tests.harness.daily_actions import (
    DAY,
    access_level_of,
    ask_to_be_shown,
    attempt_id,
    close_day,
    daily_deal,
    daily_deals,
    event_types,
    play_and_resign,
    refusal,
)
from tests.harness.people import Person
from tests.harness.running_server import RunningServer
from tests.harness.two_nodes import TwoNodes


async def on_board(person: Person) -> bool:
    """Whether the person has a run of the day that counts."""
    return bool((await person.get("/dailies/today/share"))[0] == 200)


async def test_a_player_who_is_shown_a_deal_before_playing_it_can_only_practise_it(
    running_server: RunningServer,
) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    anns = await ann.enter()
    async with bob.connect() as watching:
        assert (await watching.request("subscribe", game=anns))["sight"] == "meter"
        answer = await ask_to_be_shown(bob)
        assert (answer["deal"]["spoiled"], "your_game" in answer["deal"]) == (True, False)
        assert (await watching.receive("view"))["sight"] == "board"
    assert await access_level_of(bob, anns) == "board"
    assert await refusal(bob, "/dailies/today/deals/1/games") == "already_played"
    practice = await bob.enter(practice=True)
    await play_and_resign(bob, practice)
    assert not await on_board(bob)
    assert (await daily_deal(bob))["spoiled"]
    assert await ask_to_be_shown(bob) == answer
    assert await event_types(running_server, game_stream(await attempt_id(running_server, bob))) == [
        "challenge_spoiled"
    ]


async def test_a_player_who_is_shown_a_deal_while_playing_it_continues_unranked(running_server: RunningServer) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    anns, bobs = await ann.enter(), await bob.enter()
    async with bob.connect() as playing, running_server.stranger().connect() as watching:
        seen = await playing.request("subscribe", game=bobs)
        await watching.watch_day("2026-11-20")
        await watching.request("subscribe", game=bobs)
        await playing.request("subscribe", game=anns)
        answer = await ask_to_be_shown(bob)
        received = await playing.receive("challenge_spoiled")
        assert (received["version"], answer["deal"]["your_status"]) == (2, "playing")
        assert (await playing.receive("view"))["sight"] == "board"
        assert await watching.receive("advanced") == {"type": "advanced", "game": bobs, "version": 2}
        running_server.server.flush()
        assert [(run["game"], run["ranked"]) for run in (await watching.receive("day_progress"))["games"]] == [
            (bobs, False)
        ]
        played = await playing.play({**seen, "version": 2})
        await playing.request("resign", game=bobs, version=played["version"])
    async with running_server.stranger().connect() as late:
        assert [run["game"] for run in (await late.watch_day("2026-11-20"))["games"]] == [anns]
    assert not await on_board(bob)
    assert (await bob.get(f"/games/{bobs}"))[1]["game"]["ranked"] is False
    await close_day(running_server)
    _, record = await ann.get(f"/games/{bobs}/record")
    verdict = game_audit.verify(encode(record))
    assert verdict.consistent, verdict.reason


async def test_a_revealing_move_can_be_taken_back_once_the_run_is_unranked(sqlite_server: RunningServer) -> None:
    ann, day = await sqlite_server.guest(), DAY
    while not (klondike := [deal for deal in await daily_deals(ann, day) if deal["rules"] == "klondike"]):
        day = dates.add_days(day, 1)
        sqlite_server.clock.at += dates.MILLISECONDS_PER_DAY
    slot = klondike[0]["slot"]
    game = await ann.enter(day, slot)
    async with ann.connect() as socket:
        seen = await socket.play(await socket.request("subscribe", game=game), move="deal")
        assert (await socket.request("take_back", game=game, version=seen["version"]))["code"] == "take_back_revealed"
        await ask_to_be_shown(ann, slot, day)
        received = await socket.receive("challenge_spoiled")
        assert received["can_take_back"] is True
        assert (await socket.request("take_back", game=game, version=received["version"]))["type"] == "move_taken_back"


async def test_a_run_that_is_over_stays_ranked_whoever_asks_to_be_shown_the_deal(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    run = await ann.enter()
    await play_and_resign(ann, run, moves=1)
    assert "spoiled" not in (await ask_to_be_shown(ann))["deal"]
    assert await on_board(ann)
    assert await event_types(running_server, game_stream(run)) == ["game_dealt", "move_played", "game_finished"]


async def test_other_deals_of_the_day_stay_closed(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    first, second = await ann.enter(slot=1), await ann.enter(slot=2)
    await ask_to_be_shown(bob, 1)
    assert (await access_level_of(bob, first), await access_level_of(bob, second)) == ("board", "meter")
    await bob.enter(slot=2)


@pytest.mark.both_databases
async def test_beginning_and_being_shown_a_deal_at_once_at_two_nodes_happen_in_one_order(two_nodes: TwoNodes) -> None:
    for _ in range(6):
        ann = await two_nodes.first.guest()
        there = two_nodes.at_second(ann)
        (status, begun), shown = await asyncio.gather(ann.post("/dailies/today/deals/1/games"), ask_to_be_shown(there))
        types = await event_types(two_nodes.first, game_stream(await attempt_id(two_nodes.first, ann)))
        assert shown["deal"]["spoiled"]
        if status == 200:
            assert types == ["game_dealt", "challenge_spoiled"]
        else:
            assert (types, begun["code"]) == (["challenge_spoiled"], "already_played")
        for running_server, person in ((two_nodes.first, ann), (two_nodes.second, there)):
            assert (await daily_deal(person))["spoiled"]
            assert await event_types(running_server, game_stream(await attempt_id(running_server, ann))) == types


@pytest.mark.both_databases
async def test_finishing_and_being_shown_a_deal_at_once_at_two_nodes_happen_in_one_order(two_nodes: TwoNodes) -> None:
    for _ in range(6):
        ann = await two_nodes.first.guest()
        game = await ann.enter()
        async with ann.connect() as socket:
            seen = await socket.play(await socket.request("subscribe", game=game))
            answer, shown = await asyncio.gather(
                socket.request("resign", game=game, version=seen["version"]), ask_to_be_shown(two_nodes.at_second(ann))
            )
            types = await event_types(two_nodes.first, game_stream(game))
            if answer["type"] == "game_finished":
                assert types == ["game_dealt", "move_played", "game_finished"]
                assert "spoiled" not in shown["deal"]
            else:
                assert types == ["game_dealt", "move_played", "challenge_spoiled"]
                assert shown["deal"]["spoiled"]
        assert await on_board(ann) is ("game_finished" in types)
