"""Each server of a NATS cluster is killed in turn: moves are played all the same, and seen at the other node."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
from aiohttp.test_utils import TestServer

from benchmarks.kill_harness import CommandHistory
from cadogan.server.config import Settings
from cadogan.server.operations.doctor import Severity
from cadogan.server.operations.doctor_probes import diagnose
from cadogan.server.web_app import make_app
from tests.failure.test_bus_cut import play, received_up_to
from tests.failure.verdicts import assert_nothing_is_lost, playing
from tests.harness.nats_cluster import SIZE, nats_cluster
from tests.harness.patience import long
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS


async def test_moves_are_played_and_seen_while_one_server_after_the_other_is_killed(
    postgresql_url: str, tmp_path: Path
) -> None:
    history = CommandHistory()
    async with AsyncExitStack() as stack, asyncio.timeout(long()):
        cluster = await stack.enter_async_context(nats_cluster(tmp_path))
        settings = replace(TEST_SETTINGS, database_url=postgresql_url, bus=cluster.url())
        urls = []
        for _ in range(2):
            node = await stack.enter_async_context(TestServer(make_app(settings)))
            urls.append(str(node.make_url("")).rstrip("/"))
        session = await stack.enter_async_context(aiohttp.ClientSession())
        ann, bob = [await Person(url, session).arrive() for url in urls]
        game = await ann.deal("olga")
        own = await stack.enter_async_context(ann.connect())
        watching = await stack.enter_async_context(bob.connect())
        await watching.request("subscribe", game=game)
        seen = await own.request("subscribe", game=game)
        async with playing(history, *urls, players=4):
            for number in range(SIZE):
                await history.wait_for_acknowledged(10)
                await cluster.kill(number)
                await history.wait_for_acknowledged(10)
                seen = await play(own, game, seen, history)
                await received_up_to(watching, seen)
                await cluster.start(number)
    await assert_nothing_is_lost(history, postgresql_url)


@pytest.mark.parametrize(("password", "scheme"), [("wrong", "tls"), (None, "nats")])
async def test_a_cluster_with_a_password_takes_only_who_has_it_and_encrypts(
    postgresql_url: str, tmp_path: Path, password: str | None, scheme: str
) -> None:
    async with nats_cluster(tmp_path) as cluster:
        for url, severity in ((cluster.url(), Severity.OK), (cluster.url(password, scheme), Severity.ERROR)):
            settings = Settings(database_url=postgresql_url, bus=url)
            (bus,) = [finding async for finding in diagnose(settings) if finding.check == "bus"]
            assert bus.severity == severity
