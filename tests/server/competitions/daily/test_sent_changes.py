"""The opening and the close of a day are told to everybody who watches it, or a run of it, on every node."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from cadogan.server.core.dates import add_days, day_times
from tests.harness.daily_actions import DAY, close_day
from tests.harness.patience import soon
from tests.harness.people import PlayerSocket
from tests.harness.running_server import RunningServer
from tests.harness.two_nodes import TwoNodes


@asynccontextmanager
async def watching(node: RunningServer, game: str) -> AsyncIterator[PlayerSocket]:
    """A stranger at a node who watches the day, and a run of it without its cards."""
    async with node.stranger().connect() as socket:
        assert (await socket.watch_day(DAY))["state"] == "open"
        assert (await socket.request("subscribe", game=game))["sight"] == "meter"
        yield socket


async def receive_change(socket: PlayerSocket) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the stranger gets by the close: of the day, and of the run."""
    async with asyncio.timeout(soon()):
        first, second = await socket.receive("day_progress", "view"), await socket.receive("day_progress", "view")
    return (first, second) if first["type"] == "day_progress" else (second, first)


async def test_who_watches_hears_of_the_close_on_the_node_that_wrote_it_and_on_the_other(two_nodes: TwoNodes) -> None:
    ann = await two_nodes.first.guest()
    game = await ann.enter()
    async with watching(two_nodes.first, game) as here, watching(two_nodes.second, game) as there:
        await close_day(two_nodes.first)
        for socket in (here, there):
            day, view = await receive_change(socket)
            assert (day["state"], day["games"]) == ("closed", [])
            assert (view["sight"], view["game"]["id"]) == ("board", game)


async def test_a_close_of_which_the_wake_up_was_lost_is_told_by_a_resync(two_nodes: TwoNodes) -> None:
    game = await (await two_nodes.first.guest()).enter()
    async with watching(two_nodes.second, game) as there:
        two_nodes.cut()
        await close_day(two_nodes.first)
        two_nodes.second.server.resync.request(None)
        day, view = await receive_change(there)
        assert (day["state"], view["sight"]) == ("closed", "board")


async def test_who_watches_a_coming_day_hears_that_it_was_opened(sqlite_server: RunningServer) -> None:
    tomorrow = add_days(DAY, 1)
    async with sqlite_server.stranger().connect() as socket:
        assert (await socket.watch_day(tomorrow))["state"] == "announced"
        sqlite_server.clock.at = day_times(tomorrow, 0).opens_at
        await sqlite_server.server.challenges.write_due(sqlite_server.clock.at)
        async with asyncio.timeout(soon()):
            assert (await socket.receive("day_progress"))["state"] == "open"


async def test_a_day_that_closes_while_somebody_begins_to_watch_it_is_shown_as_closed(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    index, read = sqlite_server.server.index, sqlite_server.server.index.attempts_at

    async def close_first(deals: Sequence[str]) -> list[str]:
        monkeypatch.undo()
        await close_day(sqlite_server)
        return await read(deals)

    async with sqlite_server.stranger().connect() as socket:
        monkeypatch.setattr(index, "attempts_at", close_first)
        assert (await socket.watch_day(DAY))["state"] == "closed"
