"""The daily challenge as people meet it: one run each, others' cards under embargo, the board, the close."""

import asyncio

from cadogan.server.core import dates
from cadogan.server.subjects.audit import game_audit
from cadogan.wire.codec import encode
from tests.harness.daily_actions import close_day
from tests.harness.running_server import RunningServer

DAY = "2026-11-20"


async def test_entering_again_from_anywhere_is_the_same_run(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    runs = await asyncio.gather(*(ann.enter() for _ in range(5)), ann.enter(DAY))
    assert len(set(runs)) == 1
    assert (await ann.get("/dailies/today"))[1]["deals"][0]["your_game"] == runs[0]


async def test_everybody_plays_the_same_deal(running_server: RunningServer) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    views = [(await one.get(f"/games/{await one.enter()}"))[1] for one in (ann, bob)]
    assert views[0]["piles"] == views[1]["piles"]
    assert views[0]["game"]["id"] != views[1]["game"]["id"]
    assert views[0]["game"]["commitment"] == (await ann.get("/dailies/today"))[1]["commitment"]


async def test_the_coming_week_is_committed_to_and_cannot_be_entered(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    _, listed = await ann.get("/dailies")
    assert [daily["day"] for daily in listed["dailies"]] == [dates.add_days(DAY, ahead) for ahead in range(7, -1, -1)]
    assert all(len(daily["commitment"]) == 64 and "secret" not in daily for daily in listed["dailies"])
    assert (await ann.post(f"/dailies/{dates.add_days(DAY, 1)}/deals/1/games"))[1]["code"] == "day_not_open"
    assert (await ann.post(f"/dailies/{dates.add_days(DAY, 8)}/deals/1/games"))[1]["code"] == "not_found"
    assert (await ann.post("/dailies/someday/deals/1/games"))[1]["code"] == "not_found"


async def test_other_runs_are_shown_as_meters_until_the_own_run_is_over_and_then_as_boards(
    running_server: RunningServer,
) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    anns, bobs = await ann.enter(), await bob.enter()
    async with ann.connect() as playing, bob.connect() as watching:
        assert (await watching.request("subscribe", game=anns))["sight"] == "meter"
        seen = await playing.request("subscribe", game=anns)
        await playing.play(seen)
        assert await watching.receive() == {"type": "advanced", "game": anns, "version": 2}
        for path in ("replay", "record"):
            status, refusal = await bob.get(f"/games/{anns}/{path}")
            assert (status, refusal["code"]) == (403, "spoiler_embargo")
        assert "piles" not in (await bob.get(f"/games/{anns}"))[1]
        assert "piles" not in (await running_server.stranger().get(f"/games/{anns}"))[1]

        assert (await watching.request("resign", game=bobs, version=1))["type"] == "game_finished"
        upgraded = await watching.receive()
        assert (upgraded["type"], upgraded["sight"], upgraded["version"]) == ("view", "board", 2)
        assert (await bob.get(f"/games/{anns}/replay"))[0] == 200
        assert (await bob.get(f"/games/{anns}/record"))[1]["code"] == "spoiler_embargo"
        assert "secret" not in (await bob.get("/dailies/today"))[1]


async def test_a_days_progress_is_told_whole_and_then_what_changed(running_server: RunningServer) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    anns, bobs = await ann.enter(), await bob.enter()
    async with ann.connect() as playing, running_server.stranger().connect() as watching:
        asked = await watching.send("watch_day", day=DAY)
        whole = await watching.receive("day_progress")
        assert whole["id"] == asked
        assert {run["game"] for run in whole["games"]} == {anns, bobs}
        running_server.clock.at += 5000
        await playing.play(await playing.request("subscribe", game=anns))
        running_server.server.flush()
        changed = await watching.receive("day_progress")
        assert [(run["game"], run["moves"], run["milliseconds"]) for run in changed["games"]] == [(anns, 1, 5000)]
        assert changed["games"][0]["player"]["name"].startswith("Guest")
        carl = await running_server.guest()
        carls = await carl.enter()
        running_server.server.flush()
        newcomer = (await watching.receive("day_progress"))["games"][0]
        assert (newcomer["game"], newcomer["player"]["id"]) == (carls, carl.id)
        assert (await watching.request("watch_day", day="2020-01-01"))["code"] == "not_found"


async def test_the_board_ranks_by_score_moves_and_time_and_shares_ranks(running_server: RunningServer) -> None:
    ann, bob, carl = await running_server.guest(), await running_server.guest(), await running_server.guest()
    for one, turns in ((ann, 1), (bob, 1), (carl, 2)):
        game = await one.enter()
        async with one.connect() as socket:
            seen = await socket.request("subscribe", game=game)
            for _ in range(turns):
                seen = await socket.play(seen)
            await socket.request("resign", game=game, version=seen["version"])
    _, board = await ann.get(f"/boards/deal:{DAY}.1")
    by_player = {entry["player"]["id"]: entry["rank"] for entry in board["entries"]}
    assert board["total"] == 3
    assert by_player[ann.id] == by_player[bob.id]
    assert {by_player[ann.id], by_player[carl.id]} in ({1, 3}, {1, 2})
    _, stretch = await ann.get(f"/boards/deal:{DAY}.1?offset=1&limit=1")
    assert (stretch["total"], stretch["entries"]) == (3, board["entries"][1:2])


async def test_a_run_may_finish_in_the_grace_and_not_after(running_server: RunningServer) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    anns, bobs = await ann.enter(), await bob.enter()
    span = dates.day_times(DAY, 3_600_000)
    running_server.clock.at = span.ends_at
    async with ann.connect() as first, bob.connect() as second:
        seen = await first.request("subscribe", game=anns)
        assert (await first.play(seen))["version"] == 2
        assert await ann.enter(DAY) == anns
        carl = await running_server.guest()
        assert (await carl.post(f"/dailies/{DAY}/deals/1/games"))[1]["code"] == "day_not_open"
        running_server.clock.at = span.closes_at
        refused = await second.request("resign", game=bobs, version=1)
        assert (refused["code"], refused["version"]) == ("day_not_open", 1)


async def test_a_closed_day_is_everybodys_and_every_record_of_it_is_consistent(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    game = await ann.enter()
    async with ann.connect() as socket:
        seen = await socket.request("subscribe", game=game)
        await socket.play(seen)
    await close_day(running_server)
    stranger = running_server.stranger()
    _, daily = await stranger.get(f"/dailies/{DAY}")
    assert (daily["state"], len(daily["secret"])) == ("closed", 64)
    status, record = await stranger.get(f"/games/{game}/record")
    verdict = game_audit.verify(encode(record))
    assert (status, record["secret"]) == (200, daily["secret"])
    assert verdict.consistent, verdict.reason
    assert (await stranger.get(f"/games/{game}/replay"))[0] == 200
    assert (await stranger.get("/dailies/today"))[1]["state"] == "open"
