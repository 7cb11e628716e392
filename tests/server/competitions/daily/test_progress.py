"""The wall of a day that thousands play: nobody is told of all of them at once."""

import pytest
from msgspec.structs import replace

from server.competitions.daily import progress
from server.games.game_messages import Progress
from server.games.game_state import GameState
from server.realtime import hub
from tests.harness.daily_actions import DAY
from tests.harness.running_server import RunningServer


async def crowd(running_server: RunningServer, count: int) -> None:
    """So many runs on a day's wall that are further than one real run, each further than the one before."""
    walls = running_server.service.watching._wall
    runs = walls._runs[DAY]
    (model,) = runs.values()
    for number in range(count):
        meter = replace(model.meter, game=f"run-{number}", home=number + 1)
        runs[meter.game] = Progress(meter, model.since, model.version)


async def test_who_comes_is_shown_the_furthest_of_each_deal_and_their_own(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    own = await ann.enter()
    async with ann.connect() as hers, bob.connect() as his:
        assert [game["game"] for game in (await hers.watch_day(DAY))["games"]] == [own]
        await crowd(sqlite_server, progress.MOST_SHOWN + 50)
        shown = [game["game"] for game in (await hers.watch_day(DAY))["games"]]
        furthest = [f"run-{number}" for number in range(progress.MOST_SHOWN + 49, 49, -1)]
        assert shown == [*furthest, own]
        assert [game["game"] for game in (await his.watch_day(DAY))["games"]] == furthest


async def test_what_many_have_done_is_told_in_turn_each_second_of_some(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    await ann.enter()
    async with ann.connect() as socket:
        await socket.watch_day(DAY)
        await crowd(sqlite_server, hub.MOST_TOLD + 10)
        node = sqlite_server.service.watching._hub
        for progress in sqlite_server.service.watching._wall._runs[DAY].values():
            node.progress(DAY, progress)
        told = []
        for _ in range(2):
            node.tell()
            told.append([game["game"] for game in (await socket.receive("day_progress"))["games"]])
    assert [len(games) for games in told] == [hub.MOST_TOLD, 11]
    assert len({*told[0], *told[1]}) == hub.MOST_TOLD + 11


async def test_a_run_elsewhere_is_read_once_for_all_that_has_happened_in_it_meanwhile(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = sqlite_server.service
    games = [await (await sqlite_server.guest()).enter() for _ in range(3)]
    for game in games:
        service.sittings._drop(game)
    peek, read = service.sittings.peek, list[str]()

    async def counted(game: str) -> GameState:
        read.append(game)
        return await peek(game)

    async with sqlite_server.stranger().connect() as socket:
        await socket.watch_day(DAY)
        monkeypatch.setattr(service.sittings, "peek", counted)
        for version in range(2, 60):
            for game in games:
                service.on_wake_up(game, version)
        await service.watching.background.wait_until_idle()
    assert read == games
