"""The way between a node and its bus is cut: moves are played all the same, and seen elsewhere when it is mended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace

import aiohttp
import pytest
from aiohttp.test_utils import TestServer

from benchmarks.kill_harness import Command, CommandHistory
from cadogan.server.core.cluster import choose_bus
from cadogan.server.core.cluster.remote_bus import LinkFactory, RemoteBus
from cadogan.server.core.metrics import Metrics
from cadogan.server.web_app import make_app
from tests.failure.verdicts import assert_nothing_is_lost, playing
from tests.harness.network_proxy import NetworkProxy, through_proxy
from tests.harness.patience import long
from tests.harness.people import JsonMessage, Person, PlayerSocket
from tests.harness.running_server import TEST_SETTINGS

Trouble = Callable[[NetworkProxy, CommandHistory], Awaitable[None]]


async def part(cut: NetworkProxy, history: CommandHistory) -> None:
    """Every connection is reset, and none is made while people play on."""
    cut.reset()
    await history.wait_for_acknowledged(30)
    cut.mend()


async def pull(cut: NetworkProxy, history: CommandHistory) -> None:
    """The cable is pulled: nothing comes and nothing is said, while people play on."""
    cut.silence()
    await history.wait_for_acknowledged(30)
    cut.mend()


@pytest.fixture
async def way(remote_kind: tuple[str, str]) -> AsyncIterator[tuple[NetworkProxy, LinkFactory, LinkFactory]]:
    """The way from a node to a bus of each kind, the links over it, and those of another node past it."""
    kind, url = remote_kind
    async with through_proxy(url) as (cut, through):
        if kind == "postgresql":
            yield cut, choose_bus.make_link_factory(through), choose_bus.make_link_factory(url)
        else:
            from cadogan.server.core.cluster import nats_bus

            yield cut, nats_bus.make_link_factory(through), nats_bus.make_link_factory(url)


@pytest.mark.parametrize("trouble", [part, pull])
async def test_players_play_on_without_the_bus_and_other_nodes_show_it_when_the_bus_is_back(
    way: tuple[NetworkProxy, LinkFactory, LinkFactory], postgresql_url: str, trouble: Trouble
) -> None:
    cut, *links = way
    settings = replace(TEST_SETTINGS, database_url=postgresql_url)
    history = CommandHistory()
    async with AsyncExitStack() as stack, asyncio.timeout(long()):
        urls = []
        for link in links:
            node = await stack.enter_async_context(TestServer(make_app(settings, bus=RemoteBus(link, Metrics()))))
            urls.append(str(node.make_url("")).rstrip("/"))
        session = await stack.enter_async_context(aiohttp.ClientSession())
        ann, bob = [await Person(url, session).arrive() for url in urls]
        game = await ann.deal("olga")
        own = await stack.enter_async_context(ann.connect())
        watching = await stack.enter_async_context(bob.connect())
        await watching.request("subscribe", game=game)
        seen = await own.request("subscribe", game=game)
        async with playing(history, *urls, players=4):
            await history.wait_for_acknowledged(20)
            seen = await play(own, game, seen, history)
            await received_up_to(watching, seen)
            for _ in range(2):
                await trouble(cut, history)
                seen = await play(own, game, seen, history)
                await received_up_to(watching, seen)
    await assert_nothing_is_lost(history, postgresql_url)


async def play(socket: PlayerSocket, game: str, seen: JsonMessage, history: CommandHistory) -> JsonMessage:
    """Play the first move there is, and note the answer."""
    command = Command(f"ann-{seen['version']}", game, "play", seen["version"], seen["legal"][0])
    history.sent[command.id] = command
    answer = await socket.play({**seen, "game": game}, id=command.id)
    history.acknowledge(command, answer["version"])
    return answer


async def received_up_to(watching: PlayerSocket, seen: JsonMessage) -> None:
    """Wait until the watcher has been told of what the player has seen."""
    while (await watching.receive())["version"] < seen["version"]:
        pass
