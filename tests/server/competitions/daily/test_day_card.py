"""A day's card: several deals under one secret, one attempt at each, practice after it, an archive of days gone by."""

import asyncio
from dataclasses import replace
from pathlib import Path

from cadogan.server.core import dates
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.subjects.audit import game_audit
from cadogan.wire.codec import encode
from tests.harness.daily_actions import CLOSED, DAY, ask_to_be_shown, daily_deal, play_and_resign, refusal
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server


async def test_a_day_has_three_deals_and_everybody_one_attempt_at_each(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    runs = await asyncio.gather(*(ann.enter(slot=slot) for slot in (1, 2, 3) for _ in range(3)))
    assert len(set(runs)) == 3
    _, daily = await ann.get("/dailies/today")
    assert [deal["level"] for deal in daily["deals"]] == ["gentle", "steady", "stern"]
    assert [deal["deal"] for deal in daily["deals"]] == [f"{DAY}.{slot}" for slot in (1, 2, 3)]
    assert {deal["your_game"] for deal in daily["deals"]} == set(runs)
    assert [deal["runs"] for deal in daily["deals"]] == [1, 1, 1]
    for deal, game in zip(daily["deals"], [runs[0], runs[3], runs[6]], strict=True):
        _, view = await ann.get(f"/games/{game}")
        assert (view["game"]["rules"], view["game"]["slot"]) == (deal["rules"], deal["slot"])
        assert (view["game"]["mode"], view["game"]["ranked"]) == ("daily", True)


async def test_a_deal_that_is_not_on_the_card_is_not_found(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    for slot in ("0", "4", "x", "10", "²"):
        assert await refusal(ann, f"/dailies/today/deals/{slot}/games") == "not_found"
        assert await refusal(ann, f"/dailies/today/deals/{slot}/spoil") == "not_found"


async def test_a_host_can_choose_one_deal_a_day_of_one_game(sqlite_url: str, tmp_path: Path) -> None:
    calendar = tmp_path / "calendar.toml"
    calendar.write_text('[[deal]]\nlevel = "ours"\ngames = ["maze"]\n')
    async with open_server(replace(TEST_SETTINGS, database_url=sqlite_url, calendar=str(calendar))) as running_server:
        ann = await running_server.guest()
        _, daily = await ann.get("/dailies/today")
        assert [(deal["level"], deal["rules"]) for deal in daily["deals"]] == [("ours", "maze")]
        await ann.enter()
        assert await refusal(ann, "/dailies/today/deals/2/games") == "not_found"


async def test_practice_is_refused_until_the_attempt_is_over_and_never_counts(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    practice = {"practice": True}
    assert await refusal(ann, "/dailies/today/deals/1/games", practice) == "spoiler_embargo"
    run = await ann.enter()
    assert await refusal(ann, "/dailies/today/deals/1/games", practice) == "spoiler_embargo"
    await play_and_resign(ann, run)
    assert await refusal(ann, "/dailies/today/deals/2/games", practice) == "spoiler_embargo"
    again = [await ann.enter(practice=True) for _ in range(2)]
    assert len({run, *again}) == 3
    _, view = await ann.get(f"/games/{again[0]}")
    _, first = await ann.get(f"/games/{run}/replay")
    assert (view["game"]["mode"], view["game"]["ranked"], view["game"]["day"]) == ("practice", False, DAY)
    assert view["piles"] == first["dealt"]["piles"]
    await play_and_resign(ann, again[0])
    deal = await daily_deal(ann)
    assert (deal["your_game"], deal["your_status"], deal["runs"]) == (run, "resigned", 1)
    assert await ann.enter() == run


async def test_practice_does_not_lift_the_embargo_for_others(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    await play_and_resign(ann, await ann.enter())
    practice = await ann.enter(practice=True)
    _, view = await bob.get(f"/games/{practice}")
    assert (view["sight"], "piles" in view) == ("meter", False)
    assert (await bob.get(f"/games/{practice}/replay"))[1]["code"] == "spoiler_embargo"


async def test_a_closed_day_is_played_for_practice_by_anybody_and_its_record_is_consistent(
    running_server: RunningServer,
) -> None:
    ann = await running_server.guest()
    await ann.get("/dailies/today")
    running_server.clock.at = CLOSED
    bob = await running_server.guest()
    assert await refusal(bob, f"/dailies/{DAY}/deals/1/games") == "day_not_open"
    game = await bob.enter(DAY, 2, practice=True)
    await play_and_resign(bob, game, moves=3)
    assert (await ann.get(f"/games/{game}"))[1]["sight"] == "board"
    status, record = await ann.get(f"/games/{game}/record")
    verdict = game_audit.verify(encode(record))
    assert status == 200
    assert verdict.consistent, verdict.reason
    _, daily = await ann.get(f"/dailies/{DAY}")
    assert commit_reveal.commitment(bytes.fromhex(daily["secret"])) == daily["commitment"] == record["commitment"]


async def test_a_day_to_come_is_neither_played_nor_shown(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    tomorrow = dates.add_days(DAY, 1)
    assert await refusal(ann, f"/dailies/{tomorrow}/deals/1/games", {"practice": True}) == "day_not_open"
    assert await refusal(ann, f"/dailies/{tomorrow}/deals/1/spoil") == "day_not_open"
    sqlite_server.clock.at = CLOSED
    assert (await ask_to_be_shown(ann))["code"] == "day_not_open"


async def test_the_archive_goes_back_day_by_day_to_the_first(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    await ann.get("/dailies")
    sqlite_server.clock.at += 40 * dates.MILLISECONDS_PER_DAY
    today = dates.add_days(DAY, 40)
    _, newest = await ann.get("/dailies?limit=8")
    assert [daily["day"] for daily in newest["dailies"]] == [dates.add_days(today, ahead) for ahead in range(7, -1, -1)]
    _, older = await ann.get(f"/dailies?before={today}&limit=5")
    assert [daily["day"] for daily in older["dailies"]] == [dates.add_days(DAY, ahead) for ahead in (7, 6, 5, 4, 3)]
    _, oldest = await ann.get(f"/dailies?before={dates.add_days(DAY, 1)}")
    assert [daily["day"] for daily in oldest["dailies"]] == [DAY]
    assert all(daily["state"] == "closed" for daily in older["dailies"])
