"""The wall of a day that thousands play: nobody is told of all of them at once."""

import asyncio

import pytest
from msgspec.structs import replace

from cadogan.engine.game import Game
from cadogan.engine.state import State
from cadogan.server.core.games.game_state import GameState
from cadogan.server.core.games.position import Position
from cadogan.server.subjects.daily import progress
from tests.harness.daily_actions import DAY
from tests.harness.patience import soon
from tests.harness.running_server import RunningServer


async def crowd(running_server: RunningServer, model: str, count: int) -> None:
    """Show so many runs of the day that are further than one real run, each further than the one before."""
    game = await running_server.server.cache.get(model)
    state, deal = game.position.state, game.rules
    for number in range(count):
        position = Standing(deal, state, number + 1)
        running_server.server.progress.show(replace(game, id=f"run-{number}", position=position))


class Standing(Position):
    """A position in which so many points are counted."""

    def __init__(self, rules: Game, state: State, points: int) -> None:
        super().__init__(rules, state)
        self.points = points

    @property
    def score(self) -> int:
        return self.points


async def test_a_new_viewer_gets_the_furthest_runs_of_each_deal_and_their_own(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    own = await ann.enter()
    async with ann.connect() as hers, bob.connect() as his:
        assert [game["game"] for game in (await hers.watch_day(DAY))["games"]] == [own]
        await crowd(sqlite_server, own, progress.MAX_SHOWN_RUNS + 50)
        shown = [game["game"] for game in (await hers.watch_day(DAY))["games"]]
        furthest = [f"run-{number}" for number in range(progress.MAX_SHOWN_RUNS + 49, 49, -1)]
        assert shown == [*furthest, own]
        assert [game["game"] for game in (await his.watch_day(DAY))["games"]] == furthest


async def test_progress_of_many_runs_is_sent_in_turn_some_each_second(
    manual_broadcasts: None, sqlite_server: RunningServer
) -> None:
    ann = await sqlite_server.guest()
    own = await ann.enter()
    async with ann.connect() as socket:
        await socket.watch_day(DAY)
        await crowd(sqlite_server, own, progress.MAX_RUNS_PER_MESSAGE + 10)
        sent = []
        for _ in range(2):
            sqlite_server.server.flush()
            received = await asyncio.wait_for(socket.receive("day_progress"), soon())
            sent.append([game["game"] for game in received["games"]])
    assert [len(games) for games in sent] == [progress.MAX_RUNS_PER_MESSAGE, 10]
    assert len({*sent[0], *sent[1]}) == progress.MAX_RUNS_PER_MESSAGE + 10


async def test_a_run_at_another_node_is_read_once_for_all_its_new_events(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = sqlite_server.server.cache
    games = [await (await sqlite_server.guest()).enter() for _ in range(3)]
    for game in games:
        cache.drop(game)
    read_game, read = cache.read, list[str]()

    async def counted(game: str) -> GameState:
        read.append(game)
        return await read_game(game)

    async with sqlite_server.stranger().connect() as socket:
        await socket.watch_day(DAY)
        monkeypatch.setattr(cache, "read", counted)
        for version in range(2, 60):
            for game in games:
                sqlite_server.server.wake_ups.on_wake_up(game, version)
        await sqlite_server.server.wait_until_idle()
    assert read == games
