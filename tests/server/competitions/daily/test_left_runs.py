"""The runs that still went on when their day closed: each is ended in the log, once, and changes nothing else."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from cadogan.server.cli.records import export
from cadogan.server.core.database.tables import entries
from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.core.eventlog.event_store import Append
from cadogan.server.core.games import game_state
from cadogan.server.core.games.game_state import GameState
from cadogan.server.subjects.audit.recompute_leaderboards import recompute
from cadogan.server.subjects.daily import competition
from cadogan.server.subjects.daily.competition import AbandonedRuns
from cadogan.wire.messages import Play
from tests.harness.daily_actions import (
    CLOSES,
    DAY,
    ask_to_be_shown,
    close_day,
    end_left_runs,
    event_types,
    play_and_resign,
)
from tests.harness.logging_ends import log_ends
from tests.harness.people import Person
from tests.harness.running_server import RunningServer
from tests.harness.two_nodes import TwoNodes


async def play(person: Person, game: str, moves: int) -> None:
    """Play so many moves of a game, and leave it."""
    async with person.connect() as socket:
        seen = await socket.request("subscribe", game=game)
        for _ in range(moves):
            seen = {**seen, **await socket.play({**seen, "game": game})}


async def shown(running_server: RunningServer, person: Person) -> list[Any]:
    """The boards, the streak and the figures of a person, and what there is of runs that count."""
    answers = [await person.get(path) for path in (f"/boards/day:{DAY}", f"/players/{person.id}")]
    async with running_server.server.database.reading() as connection:
        return [*answers, sorted(map(repr, await connection.execute(select(entries))))]


async def test_runs_that_nobody_finished_end_with_their_day_and_change_no_board_no_streak_and_no_record(
    running_server: RunningServer, tmp_path: Path
) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    played, untouched = await ann.enter(), await ann.enter(slot=2)
    await play(ann, played, 3)
    await play_and_resign(bob, await bob.enter(), 12)
    spoiled = await bob.enter(slot=2)
    await ask_to_be_shown(bob, 2)
    practised = await bob.enter(practice=True)
    day = await close_day(running_server)
    before = [await shown(running_server, person) for person in (ann, bob)]
    in_memory = len(running_server.server.cache)
    await end_left_runs(running_server)
    assert len(running_server.server.cache) < in_memory
    for game, moves in ((played, 3), (untouched, 0)):
        _, view = await ann.get(f"/games/{game}")
        assert (view["status"], view["moves"]) == ("out_of_time", moves)
        assert (await event_types(running_server, f"game/{game}"))[-1] == "game_finished"
    for game in (spoiled, practised):
        assert (await bob.get(f"/games/{game}"))[1]["status"] == "playing"
    assert [await shown(running_server, person) for person in (ann, bob)] == before
    assert await running_server.server.store.read(f"daily/{DAY}") == day
    await log_ends(running_server.server)
    await export(running_server.server.settings, tmp_path / "records", running_server.clock)
    found = recompute(DAY, tmp_path / "records")
    assert (found.agrees, len(found.counted)) == (True, 1)
    assert (tmp_path / "records" / f"{played}.json").exists()


async def test_a_run_ends_once_and_as_of_the_close_however_late_and_on_however_many_nodes(
    two_nodes: TwoNodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(competition, "RUNS_PER_BATCH", 2)
    games = [await (await two_nodes.first.guest()).enter() for _ in range(5)]
    await close_day(two_nodes.first)
    two_nodes.first.clock.at += 40 * MILLISECONDS_PER_DAY
    await end_left_runs(two_nodes.first, two_nodes.second)
    for game in games:
        stored = await two_nodes.first.server.store.read(f"game/{game}")
        assert [event.type for event in stored] == ["game_dealt", "game_finished"]
        assert stored[-1].recorded_at == CLOSES
    assert not await two_nodes.first.server.index.abandoned_attempts("2027-12-31", None, 100)


async def test_a_node_that_stops_amid_them_goes_on_when_it_starts_again(sqlite_server: RunningServer) -> None:
    games = [await (await sqlite_server.guest()).enter() for _ in range(4)]
    await close_day(sqlite_server)
    server = sqlite_server.server

    class Stopping:
        """Stops the node after the second run."""

        ended = 0

        async def end_on_time(self, game_id: str, at: int) -> GameState:
            self.ended += 1
            if self.ended == 2:
                stopped.append(asyncio.ensure_future(left.close()))
                await asyncio.sleep(0)
            return await server.commands.end_on_time(game_id, at)

    stopped: list[asyncio.Future[None]] = []
    left = AbandonedRuns(server.challenges, server.index, server.cache, Stopping(), server.now)
    left.schedule_end()
    await left.background.wait_until_idle()
    await asyncio.gather(*stopped)
    assert [await event_types(sqlite_server, f"game/{game}") for game in games].count(["game_dealt"]) == 2
    await end_left_runs(sqlite_server)
    assert [len(await event_types(sqlite_server, f"game/{game}")) for game in games] == [2] * 4


async def test_a_move_that_was_under_way_at_the_close_comes_before_the_end(
    two_nodes: TwoNodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = two_nodes.first, two_nodes.second
    ann = await first.guest()
    game = await ann.enter()
    before = await second.server.cache.get(game)
    await close_day(first)
    append = first.server.store.append

    async def append_after_the_move(appended: Append) -> None:
        monkeypatch.undo()
        move = Play(id="m", game=game, version=1, move=next(iter(before.position.legal)))
        (step,) = game_state.decide(before, move, CLOSES - 1)
        await second.server.store.append(Append(f"game/{game}", "m", (step.sealed,)))  # type: ignore[arg-type]
        await append(appended)

    monkeypatch.setattr(first.server.store, "append", append_after_the_move)
    await end_left_runs(first)
    assert await event_types(first, f"game/{game}") == ["game_dealt", "move_played", "game_finished"]
    _, view = await ann.get(f"/games/{game}")
    assert (view["status"], view["moves"]) == ("out_of_time", 1)


async def test_a_deal_of_an_open_day_goes_on(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    game = await ann.enter()
    await end_left_runs(sqlite_server)
    sqlite_server.clock.at = CLOSES - 1  # the day is over, and has not closed
    await end_left_runs(sqlite_server)
    assert await event_types(sqlite_server, f"game/{game}") == ["game_dealt"]
