"""A race as people meet it: the lobby, the countdown, everybody's meter, the end, the results, the next one."""

import asyncio
import random
from typing import Any

import pytest
from structlog.testing import capture_logs

from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.fairness.commit_reveal import race_deal_id
from cadogan.server.core.games.game_state import GameState
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.races import race_state
from cadogan.wire.codec import encode
from tests.harness.race_actions import (
    game_in_race,
    get_race,
    let_race_start,
    make_race,
    moves_of_racers,
    post_race,
    race_in_log,
    race_refusal,
    resign_in_race,
    wait_for_race,
)
from tests.harness.running_server import RunningServer


async def test_a_race_is_opened_joined_by_its_link_and_started_by_its_host(sqlite_server: RunningServer) -> None:
    ann, bob, eve = [await sqlite_server.guest() for _ in range(3)]
    race = await make_race(ann, start=False)
    path = f"/{race['race']}"
    assert (race["state"], race["host"], len(race["commitment"])) == ("open", ann.id, 64)
    assert "token" not in await get_race(bob, race)
    assert await race_refusal(bob, f"{path}/join", {"nonce": "words"}) == "conflict"
    assert await race_refusal(bob, f"{path}/join", {"nonce": "words", "token": "no idea"}) == "conflict"
    joined = await post_race(bob, f"{path}/join", {"nonce": "words", "token": race["token"]})
    assert [one["player"]["id"] for one in joined["racers"]] == [ann.id, bob.id]
    assert await race_refusal(bob, f"{path}/start") == "conflict"
    assert await race_refusal(eve, f"{path}/start") == "conflict"
    started = await post_race(ann, f"{path}/start")
    assert (started["state"], started["starts_at"], started["ends_at"]) == (
        "countdown",
        sqlite_server.clock.at + 5000,
        sqlite_server.clock.at + 605_000,
    )
    assert await post_race(ann, f"{path}/start") == started
    assert await race_refusal(eve, f"{path}/join", {"nonce": "words", "token": race["token"]}) == "conflict"


async def test_open_races_are_listed_until_they_start_or_nobody_starts_them(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    listed = await make_race(ann, open=True, start=False)
    await make_race(ann, start=False)
    assert [one["race"] for one in (await bob.get("/races"))[1]["races"]] == [listed["race"]]
    await post_race(bob, f"/{listed['race']}/join", {"nonce": "words"})
    await post_race(ann, f"/{listed['race']}/start")
    later = await make_race(ann, open=True, start=False)
    assert [one["race"] for one in (await bob.get("/races"))[1]["races"]] == [later["race"]]
    sqlite_server.clock.at += race_state.START_TIMEOUT_MILLISECONDS
    assert (await bob.get("/races"))[1]["races"] == []
    assert (await get_race(bob, later))["state"] == "abandoned"


async def test_nobody_gets_a_card_before_the_start_and_then_all_get_the_same(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    race = await make_race(ann, bob)
    match = await race_in_log(sqlite_server, race)
    secret = (await sqlite_server.server.race_repository.deal(match.id)).secret
    sqlite_server.clock.at = race["starts_at"] - 1
    assert all("meter" not in one for one in (await get_race(ann, race))["racers"])
    assert (await ann.get(f"/games/{match.game_of(ann.id, secret)}"))[0] == 404
    running = await let_race_start(sqlite_server, bob, race)
    assert running["state"] == "running"
    views = [(await one.get(f"/games/{game_in_race(running, one)}"))[1] for one in (ann, bob)]
    assert views[0]["piles"] == views[1]["piles"]
    assert [view["sight"] for view in views] == ["seat", "seat"]
    assert [view["game"]["race"] for view in views] == [race["race"]] * 2
    assert {view["game"]["started_at"] for view in views} == {race["starts_at"]}


async def test_whoever_comes_late_is_dealt_the_same_cards_as_of_the_start(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    race = await make_race(ann, bob)
    sqlite_server.clock.at = race["starts_at"] + 90_000
    late = await get_race(bob, race)
    assert [one["meter"]["milliseconds"] for one in late["racers"]] == [90_000, 90_000]
    assert (await bob.get(f"/games/{game_in_race(late, bob)}"))[1]["game"]["started_at"] == race["starts_at"]


async def test_spectators_of_a_race_get_changes_at_once_and_meters_soon(
    manual_broadcasts: None, sqlite_server: RunningServer
) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    race = await make_race(ann, start=False)
    async with sqlite_server.stranger().connect() as watching, ann.connect() as playing:
        asked = await watching.send("watch_race", race=race["race"])
        first = await watching.receive("race")
        assert (first["id"], first["version"]) == (asked, race["version"])
        assert "token" not in first
        await post_race(bob, f"/{race['race']}/join", {"nonce": "words", "token": race["token"]})
        assert [one["player"]["id"] for one in (await watching.receive("race"))["racers"]] == [ann.id, bob.id]
        race = await post_race(ann, f"/{race['race']}/start")
        assert (await watching.receive("race"))["state"] == "countdown"
        running = await let_race_start(sqlite_server, ann, race)
        assert moves_of_racers(await watching.receive("race")) == [0, 0]
        view = await playing.request("subscribe", game=game_in_race(running, ann))
        await playing.play(view)
        sqlite_server.server.flush()
        assert moves_of_racers(await watching.receive("race")) == [1, 0]
        await watching.send("unwatch_race", race=race["race"])
        assert (await watching.receive("done"))["type"] == "done"
        assert (await watching.request("watch_race", race="nosuchrace"))["code"] == "not_found"


async def test_a_race_that_starts_at_once_is_sent_to_spectators_with_its_games(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    race = await make_race(ann, bob, start=False, countdown=0)
    deal, dealt = sqlite_server.server.commands.deal, asyncio.Event()

    async def deal_late(*game: Any) -> GameState:
        await dealt.wait()
        return await deal(*game)

    monkeypatch.setattr(sqlite_server.server.commands, "deal", deal_late)
    async with sqlite_server.stranger().connect() as watching:
        await watching.send("watch_race", race=race["race"])
        await watching.receive("race")
        with capture_logs() as logged:
            starting = asyncio.create_task(post_race(ann, f"/{race['race']}/start"))
            await get_race(bob, await make_race(bob, start=False))  # meanwhile the start is in the log
            dealt.set()
            await starting
            await wait_for_race(watching, lambda one: moves_of_racers(one) == [0, 0])
    assert [line for line in logged if line["log_level"] == "error"] == []


async def test_the_race_is_over_when_every_game_is_and_its_records_are_consistent(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    running = await let_race_start(sqlite_server, ann, await make_race(ann, bob))
    async with ann.connect() as one, bob.connect() as two:
        view = await one.request("subscribe", game=game_in_race(running, ann))
        await one.play(view)
        sqlite_server.clock.at += 5000
        await one.request("resign", game=view["game"]["id"], version=2)
        assert (await get_race(ann, running))["state"] == "running"
        await resign_in_race(two, running, bob)
    over = await get_race(ann, running)
    assert (over["state"], len(over["secret"])) == ("over", 64)
    by_player = {one["player"]["id"]: one["rank"] for one in over["racers"]}
    assert sorted(by_player.values()) == [1, 2]
    for racer in (ann, bob):
        status, record = await sqlite_server.stranger().get(f"/games/{game_in_race(over, racer)}/record")
        verdict = game_audit.verify(encode(record))
        assert (status, record["secret"], record["nonce"]) == (200, over["secret"], over["nonce"])
        assert verdict.consistent, verdict.reason
    assert (await bob.get(f"/games/{game_in_race(over, ann)}/replay"))[0] == 200


async def test_the_record_of_a_race_tells_when_each_had_the_most_cards_home(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commit_reveal, "draw_secret", lambda: bytes(range(32)))
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    running = await let_race_start(sqlite_server, ann, await make_race(ann, bob))
    line = winning_line(await sqlite_server.server.cache.get(game_in_race(running, ann)))
    async with ann.connect() as one, bob.connect() as two:
        view = await one.request("subscribe", game=game_in_race(running, ann))
        for move in line:
            sqlite_server.clock.at += 1000
            view = await one.play(view, move)
        await two.request("subscribe", game=game_in_race(running, bob))
        await two.request("resign", game=game_in_race(running, bob), version=1)
    record = (await bob.get(f"/races/{running['race']}/record"))[1]
    first, second = record["events"][-1]["data"]["results"]
    assert (first["player"], first["milliseconds"], first["home_after"]) == (ann.id, 1000 * len(line), 1000 * len(line))
    assert (second["player"], second["milliseconds"], second["home_after"]) == (bob.id, 1000 * len(line), 0)


async def test_when_the_time_is_up_every_game_ends_and_its_record_is_consistent(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    running = await let_race_start(sqlite_server, ann, await make_race(ann, bob, seconds=60))
    async with ann.connect() as playing:
        view = await playing.request("subscribe", game=game_in_race(running, ann))
        view = await playing.play(view)
        sqlite_server.clock.at = running["ends_at"]
        refused = await playing.request("play", game=view["game"], version=view["version"], move=view["legal"][0])
        assert refused["code"] == "game_over"
        over = await get_race(bob, running)
        finished = await playing.receive("game_finished")
        assert (finished["result"], finished["milliseconds"]) == ("out_of_time", 60_000)
    meters = [one["meter"] for one in over["racers"]]
    assert [(meter["status"], meter["milliseconds"]) for meter in meters] == [("out_of_time", 60_000)] * 2
    assert over["state"] == "over"
    record = (await bob.get(f"/games/{game_in_race(over, ann)}/record"))[1]
    verdict = game_audit.verify(encode(record))
    assert verdict.consistent, verdict.reason
    record["events"][-1]["data"]["milliseconds"] += 1
    assert not game_audit.verify(encode(record)).consistent


async def test_a_race_that_nobody_looked_at_ends_as_of_its_time_and_is_revealed_later(
    sqlite_server: RunningServer,
) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    race = await make_race(ann, bob, seconds=60)
    sqlite_server.clock.at = race["ends_at"] + 86_400_000
    over = await get_race(ann, race)
    assert (over["state"], [one["rank"] for one in over["racers"]]) == ("over", [1, 1])
    ends = [(await sqlite_server.server.cache.get(game_in_race(over, one))).changed_at for one in (ann, bob)]
    assert ends == [race["ends_at"]] * 2
    match = await race_in_log(sqlite_server, race)
    assert match.changed_at == sqlite_server.clock.at


async def test_who_loses_the_connection_comes_back_into_the_same_race(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    running = await let_race_start(sqlite_server, ann, await make_race(ann, bob))
    async with ann.connect() as before:
        view = await before.request("subscribe", game=game_in_race(running, ann))
        view = await before.play(view)
    async with ann.connect() as back:
        await back.send("watch_race", race=running["race"])
        race = await back.receive("race")
        await post_race(ann, f"/{race['race']}/join", {"nonce": "other words"})
        assert game_in_race(race, ann) == view["game"]
        assert (await back.request("subscribe", game=view["game"], since=2))["type"] == "done"
        assert (await back.play(view))["version"] == 3


async def test_a_revealing_move_cannot_be_taken_back_in_a_race(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    running = await let_race_start(sqlite_server, ann, await make_race(ann, bob, rules="klondike"))
    async with ann.connect() as playing:
        view = await playing.request("subscribe", game=game_in_race(running, ann))
        view = await playing.play(view, "deal")
        assert view["can_take_back"] is False
        refused = await playing.request("take_back", game=view["game"], version=view["version"])
        assert refused["code"] == "take_back_revealed"


async def test_a_rematch_keeps_the_people_and_is_one_whoever_asks(sqlite_server: RunningServer) -> None:
    ann, bob, eve = [await sqlite_server.guest() for _ in range(3)]
    running = await let_race_start(sqlite_server, ann, await make_race(ann, bob, seconds=60, size=2))
    path = f"/{running['race']}"
    assert await race_refusal(ann, f"{path}/rematch", {"nonce": "words"}) == "conflict"
    sqlite_server.clock.at = running["ends_at"]
    assert await race_refusal(eve, f"{path}/rematch", {"nonce": "words"}) == "conflict"
    again = await post_race(bob, f"{path}/rematch", {"nonce": "words"})
    assert (again["host"], [one["id"] for one in again["invited"]]) == (bob.id, [ann.id])
    assert (again["rules"], again["size"], again["seconds"]) == (running["rules"], 2, 60)
    assert again["commitment"] != running["commitment"]
    assert (await get_race(eve, running))["rematch"] == again["race"]
    assert await race_refusal(eve, f"/{again['race']}/join", {"nonce": "words", "token": again["token"]}) == "conflict"
    same = await post_race(ann, f"{path}/rematch", {"nonce": "ann's words"})
    assert (same["race"], [one["player"]["id"] for one in same["racers"]]) == (again["race"], [bob.id, ann.id])
    assert (await post_race(bob, f"{path}/rematch", {"nonce": "words"}))["race"] == again["race"]


async def test_leaving_gives_the_place_up_and_the_next_is_host(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    race = await make_race(ann, bob, start=False)
    left = await post_race(ann, f"/{race['race']}/leave")
    assert (left["host"], len(left["racers"])) == (bob.id, 1)
    assert "token" not in left
    assert (await post_race(bob, f"/{race['race']}/leave"))["state"] == "abandoned"


async def test_the_deal_of_a_race_cannot_be_used_for_a_casual_game(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    race = await make_race(ann, bob)
    status, refused = await ann.post("/games", {"deal": race_deal_id(race["race"]), "nonce": "words"})
    assert (status, refused["code"]) == (404, "not_found")


async def test_what_cannot_be_raced_is_refused(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    assert await race_refusal(ann, "", {"rules": "poker", "nonce": "words"}) == "not_found"
    assert await race_refusal(ann, "", {"rules": "maze", "nonce": "words", "size": 17}) == "bad_message"
    assert await race_refusal(ann, "", {"rules": "maze", "nonce": "words", "size": 1}) == "bad_message"
    assert await race_refusal(sqlite_server.stranger(), "", {"rules": "maze", "nonce": "words"}) == "unauthorized"
    assert await race_refusal(ann, "/aaaabbbbccccdddd/join", {"nonce": "words"}) == "not_found"
    assert await race_refusal(ann, "/nosuchrace/start") == "not_found"
    assert (await ann.get("/races/nosuchrace"))[0] == 404


async def test_a_race_stays_in_memory_for_those_who_watch_its_games_only(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    race = await make_race(ann, start=False)
    sqlite_server.clock.at += 30 * 60 * 1000
    await make_race(ann, start=False)
    assert sqlite_server.server.race_repository.cached(race["race"]) is not None


LOOP_TICK_SECONDS = 0.001
"""The time of an event loop goes in steps of a millisecond."""


async def test_a_node_updates_a_race_by_itself_at_its_start_and_its_time_limit(
    manual_broadcasts: None, sqlite_server: RunningServer
) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    loop = asyncio.get_running_loop()
    since = loop.time()
    race = await make_race(ann, bob, seconds=60)
    races = sqlite_server.server.races
    async with sqlite_server.stranger().connect() as watching:
        await watching.send("watch_race", race=race["race"])
        assert (await watching.receive("race"))["state"] == "countdown"
        for moment, state, due in (("starts_at", "running", 5), ("ends_at", "over", 60)):
            timer = races.next_timer(race["race"])
            assert timer is not None
            assert since + due <= timer <= loop.time() + due + LOOP_TICK_SECONDS
            sqlite_server.clock.at, since = race[moment], loop.time()
            races.schedule_settlement(race["race"])
            assert (await watching.receive("race"))["state"] == state
            await races.wait_until_idle()
        assert races.next_timer(race["race"]) is None


async def test_whoever_plays_on_after_the_end_hears_that_the_game_is_over(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    running = await let_race_start(sqlite_server, ann, await make_race(ann, bob, seconds=60))
    async with ann.connect() as playing:
        view = await playing.request("subscribe", game=game_in_race(running, ann))
        sqlite_server.clock.at = running["ends_at"]
        await playing.send("play", game=view["game"]["id"], version=1, move=view["legal"][0])
        assert (await playing.receive("refused"))["code"] == "game_over"
        assert (await playing.receive("game_finished"))["result"] == "out_of_time"


async def test_the_first_to_finish_wins_whoever_has_more_moves(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commit_reveal, "draw_secret", lambda: bytes(range(32)))
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    running = await let_race_start(sqlite_server, ann, await make_race(ann, bob))
    line = winning_line(await sqlite_server.server.cache.get(game_in_race(running, bob)))
    async with ann.connect() as one, bob.connect() as two:
        await one.play(await one.request("subscribe", game=game_in_race(running, ann)))
        view = await two.request("subscribe", game=game_in_race(running, bob))
        for move in line:
            sqlite_server.clock.at += 1000
            view = await two.play(view, move)
        assert (await two.receive("game_finished"))["result"] == "won"
        assert (await get_race(ann, running))["state"] == "running"
        await one.request("resign", game=game_in_race(running, ann), version=2)
    ranks = {one["player"]["id"]: one["rank"] for one in (await get_race(ann, running))["racers"]}
    assert ranks == {bob.id: 1, ann.id: 2}


def winning_line(game: GameState) -> list[str]:
    """Moves that win a game in which playing at random does so often enough."""
    for seed in range(1000):
        chance, state, line = random.Random(seed), game.position.state, list[str]()
        while game.rules.status(state) == "playing":
            move = chance.choice(game.rules.legal_moves(state))
            state = game.rules.play(state, move, game.seed).state
            line.append(str(move))
        if game.rules.won(state):
            return line
    raise AssertionError("this deal of Quatorze was not won")
