"""Games that nobody touches for 30 days: they end by the clock, count nowhere, and can be checked and played again."""

import json
from typing import Any

from cadogan.server.core.games.game_state import IDLE_MILLISECONDS
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.games.results import GAMES_PER_BATCH
from tests.harness.daily_actions import play_and_resign
from tests.harness.people import Person
from tests.harness.running_server import RunningServer

RULES = "klondike"
"""A game that no deal loses at once."""
FIGURES = ("streak", "best_streak", "played", "won", "by_game", "recent")


async def statistics(person: Person) -> list[Any]:
    """What a profile and a collection say of a player's games."""
    profile = (await person.get(f"/players/{person.id}"))[1]
    return [[profile[key] for key in FIGURES], (await person.get(f"/players/{person.id}/collection"))[1]["games"]]


async def test_an_idle_game_ends_out_of_time_once_and_changes_no_statistic(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    await play_and_resign(ann, await ann.deal(RULES), 3)
    idle = await ann.deal(RULES)
    before = await statistics(ann)
    running_server.clock.at += IDLE_MILLISECONDS - 1
    await running_server.server.idle_games.run_due()
    assert (await ann.get(f"/games/{idle}"))[1]["status"] == "playing"
    running_server.clock.at += 1
    for _ in range(2):
        await running_server.server.idle_games.run_due()
    assert (await ann.get(f"/games/{idle}"))[1]["status"] == "out_of_time"
    stored = await running_server.server.store.read(f"game/{idle}")
    assert [one.type for one in stored] == ["game_dealt", "game_finished", "deal_revealed"]
    assert await statistics(ann) == before


async def test_the_record_of_an_idle_game_is_consistent_and_its_deal_is_dealt_again(
    running_server: RunningServer,
) -> None:
    ann = await running_server.guest()
    idle = await ann.deal(RULES)
    running_server.clock.at += IDLE_MILLISECONDS
    await running_server.server.idle_games.run_due()
    _, record = await ann.get(f"/games/{idle}/record")
    verdict = game_audit.verify(json.dumps(record).encode())
    assert verdict.consistent, verdict.reason
    status, again = await ann.post(f"/deals/{idle}/games", {})
    assert (status, again["game"]["origin"]) == (200, {"game": idle, "version": 1})


async def test_a_game_that_was_touched_lately_goes_on_beside_idle_ones_of_more_than_a_batch(
    sqlite_server: RunningServer,
) -> None:
    ann = await sqlite_server.guest()
    games = [await (await sqlite_server.guest()).deal(RULES) for _ in range(GAMES_PER_BATCH)]
    sqlite_server.clock.at += IDLE_MILLISECONDS // 2
    late = await ann.deal(RULES)
    sqlite_server.clock.at += IDLE_MILLISECONDS // 2
    for _ in range(2):
        await sqlite_server.server.idle_games.run_due()
    found = [(await ann.get(f"/games/{game}"))[1]["status"] for game in (*games, late)]
    assert found == [*["out_of_time"] * GAMES_PER_BATCH, "playing"]


async def test_an_idle_practice_run_ends_and_its_deal_is_practised_again(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    await play_and_resign(ann, await ann.enter())
    idle = await ann.enter(practice=True)
    sqlite_server.clock.at += IDLE_MILLISECONDS
    await sqlite_server.server.idle_games.run_due()
    assert (await ann.get(f"/games/{idle}"))[1]["status"] == "out_of_time"
    _, view = await ann.get(f"/games/{idle}")
    status, again = await ann.post(f"/dailies/{view['game']['day']}/deals/1/games", {"practice": True})
    assert (status, again["game"]["deal"]) == (200, view["game"]["deal"])
