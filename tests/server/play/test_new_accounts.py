"""Second accounts: new ones see meters, and every board that is shown before it is everybody's is in the log."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from msgspec import json

from server.core import dates
from server.eventlog.streams import view_stream
from tests.harness.daily_actions import CLOSES, DAY, ask_to_be_shown, play_and_resign, sight_of
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server
from tests.harness.two_nodes import TwoNodes

DEAL = f"{DAY}.1"


@pytest.fixture
async def server_wary_of_new_accounts(sqlite_url: str) -> AsyncIterator[RunningServer]:
    """A server for which an account counts as new for a day."""
    async for one in open_server(replace(TEST_SETTINGS, database_url=sqlite_url, fresh=86_400)):
        yield one


async def watched(running_server: RunningServer, player: str) -> list[str]:
    """The games that a player was shown of the first deal, as the log has it."""
    return [
        json.decode(event.data)["game"] for event in await running_server.server.store.read(view_stream(DEAL, player))
    ]


async def test_a_new_account_sees_meters_though_its_run_is_over_until_it_is_a_day_old(
    server_wary_of_new_accounts: RunningServer,
) -> None:
    running_server = server_wary_of_new_accounts
    running_server.clock.at = dates.day_times(DAY, 0).opens_at + 1000
    ann, bob = await running_server.guest(), await running_server.guest()
    anns, bobs = await ann.enter(), await bob.enter()
    async with bob.connect() as watching:
        assert (await watching.request("subscribe", game=anns))["sight"] == "meter"
        await play_and_resign(bob, bobs)
        assert await sight_of(bob, anns) == "meter"
        assert (await bob.get(f"/games/{anns}/replay"))[1]["code"] == "spoiler_embargo"
        assert await sight_of(bob, bobs) == "seat"
        assert (await watching.request("ping"))["type"] == "pong"
    assert await watched(running_server, bob.id) == []
    running_server.clock.at += dates.MILLISECONDS_PER_DAY
    assert await sight_of(bob, anns) == "board"
    assert await watched(running_server, bob.id) == [anns]


async def test_a_new_account_cannot_ask_to_be_shown_a_deal(server_wary_of_new_accounts: RunningServer) -> None:
    ann, bob = await server_wary_of_new_accounts.guest(), await server_wary_of_new_accounts.guest()
    anns = await ann.enter()
    assert (await ask_to_be_shown(bob))["code"] == "spoiler_embargo"
    assert await sight_of(bob, anns) == "meter"
    await bob.enter()


async def test_when_the_day_has_closed_new_and_anonymous_viewers_see_everything(
    server_wary_of_new_accounts: RunningServer,
) -> None:
    ann = await server_wary_of_new_accounts.guest()
    anns = await ann.enter()
    assert await sight_of(server_wary_of_new_accounts.stranger(), anns) == "meter"
    server_wary_of_new_accounts.clock.at = CLOSES
    assert await sight_of(server_wary_of_new_accounts.stranger(), anns) == "board"
    assert await sight_of(await server_wary_of_new_accounts.guest(), anns) == "board"


async def test_each_first_board_is_in_the_log_whichever_way_it_is_shown(running_server: RunningServer) -> None:
    ann, bob, cat, eve = [await running_server.guest() for _ in range(4)]
    games = [await one.enter() for one in (ann, bob, cat)]
    await ask_to_be_shown(eve)
    async with eve.connect() as socket:
        await socket.request("subscribe", game=games[0])
        await socket.request("subscribe", game=games[0], since=1)
    await eve.get(f"/games/{games[1]}")
    await eve.get(f"/games/{games[2]}/replay")
    await eve.get(f"/games/{games[2]}")
    assert await watched(running_server, eve.id) == games


async def test_a_board_shown_at_two_nodes_at_once_is_in_the_log_once(two_nodes: TwoNodes) -> None:
    ann, bob, cat = [await two_nodes.first.guest() for _ in range(3)]
    games = [await one.enter() for one in (ann, bob)]
    await play_and_resign(cat, await cat.enter())
    there = two_nodes.at_second(cat)
    seen = await asyncio.gather(*(sight_of(one, game) for game in games for one in (cat, there, cat, there)))
    assert set(seen) == {"board"}
    assert sorted(await watched(two_nodes.first, cat.id)) == sorted(games)


async def test_views_of_meters_own_games_and_public_games_are_not_logged(sqlite_server: RunningServer) -> None:
    running_server = sqlite_server
    ann, bob = await running_server.guest(), await running_server.guest()
    anns, bobs, casual = await ann.enter(), await bob.enter(), await ann.deal()
    assert await sight_of(bob, anns) == "meter"
    assert await sight_of(bob, bobs) == "seat"
    assert await sight_of(bob, casual) == "board"
    running_server.clock.at = CLOSES
    assert await sight_of(bob, anns) == "board"
    assert [name async for name in running_server.server.store.stream_names("watched/")] == []


async def test_boards_shown_because_the_own_run_ended_are_logged_before_they_are_shown(
    sqlite_server: RunningServer,
) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    anns, bobs = await ann.enter(), await bob.enter()
    async with bob.connect() as socket:
        await socket.request("subscribe", game=anns)
        await socket.request("resign", game=bobs, version=1)
        assert (await socket.receive("view"))["sight"] == "board"
        assert await watched(sqlite_server, bob.id) == [anns]
