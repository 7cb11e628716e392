"""The wall of a day that thousands play: nobody is told of all of them at once."""

import pytest
from msgspec.structs import replace

from server.competitions.daily import progress
from server.games.game_messages import Progress
from server.games.game_state import GameState
from server.realtime import hub
from tests.harness.daily_actions import DAY
from tests.harness.running_server import House


async def crowd(house: House, count: int) -> None:
    """So many runs on a day's wall that are further than one real run, each further than the one before."""
    walls = house.service.watching._wall
    runs = walls._runs[DAY]
    (model,) = runs.values()
    for number in range(count):
        meter = replace(model.meter, game=f"run-{number}", home=number + 1)
        runs[meter.game] = Progress(meter, model.since, model.version)


async def test_who_comes_is_shown_the_furthest_of_each_deal_and_their_own(small_house: House) -> None:
    ann, bob = await small_house.guest(), await small_house.guest()
    own = await ann.enter()
    async with ann.talk() as hers, bob.talk() as his:
        assert [game["game"] for game in (await hers.ask_for_day(DAY))["games"]] == [own]
        await crowd(small_house, progress.MOST_SHOWN + 50)
        shown = [game["game"] for game in (await hers.ask_for_day(DAY))["games"]]
        furthest = [f"run-{number}" for number in range(progress.MOST_SHOWN + 49, 49, -1)]
        assert shown == [*furthest, own]
        assert [game["game"] for game in (await his.ask_for_day(DAY))["games"]] == furthest


async def test_what_many_have_done_is_told_in_turn_each_second_of_some(small_house: House) -> None:
    ann = await small_house.guest()
    await ann.enter()
    async with ann.talk() as talk:
        await talk.ask_for_day(DAY)
        await crowd(small_house, hub.MOST_TOLD + 10)
        node = small_house.service.watching._hub
        for progress in small_house.service.watching._wall._runs[DAY].values():
            node.progress(DAY, progress)
        told = []
        for _ in range(2):
            node.tell()
            told.append([game["game"] for game in (await talk.hear("day_progress"))["games"]])
    assert [len(games) for games in told] == [hub.MOST_TOLD, 11]
    assert len({*told[0], *told[1]}) == hub.MOST_TOLD + 11


async def test_a_run_elsewhere_is_read_once_for_all_that_has_happened_in_it_meanwhile(
    small_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = small_house.service
    games = [await (await small_house.guest()).enter() for _ in range(3)]
    for game in games:
        service.sittings._drop(game)
    peek, read = service.sittings.peek, list[str]()

    async def counted(game: str) -> GameState:
        read.append(game)
        return await peek(game)

    async with small_house.stranger().talk() as talk:
        await talk.ask_for_day(DAY)
        monkeypatch.setattr(service.sittings, "peek", counted)
        for version in range(2, 60):
            for game in games:
                service.on_wake_up(game, version)
        await service.watching.background.wait_until_idle()
    assert read == games
