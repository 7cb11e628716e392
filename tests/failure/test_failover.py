"""A standby takes over while people play: no acknowledged move is lost, none is played twice, and they play on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import aiohttp
import pytest

from benchmarks.guest_client import create_guest
from benchmarks.kill_harness import CommandHistory, RandomPlayer
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.primary import NoPrimary
from tests.failure.verdicts import assert_nothing_is_lost
from tests.harness import databases
from tests.harness.forked_server import ForkedServer
from tests.harness.network_proxy import NetworkProxy
from tests.harness.postgresql_cluster import USER, Cluster
from tests.harness.server_process import NO_RATE_LIMIT

PLAYERS = 6


class Pair(NamedTuple):
    """A primary, and a standby without which it acknowledges nothing."""

    primary: Cluster
    standby: Cluster

    def address(self, way: NetworkProxy) -> str:
        """The URL that names both, the primary by this way to it."""
        return f"postgresql://{USER}@127.0.0.1:{way.port},127.0.0.1:{self.standby.port}/{USER}"


@pytest.fixture
def pair() -> Iterator[Pair]:
    with Cluster() as primary, Cluster(standby_of=primary) as standby:
        primary.require_standby()
        yield Pair(primary, standby)


Trouble = Callable[[Pair, NetworkProxy], Awaitable[None]]


async def lose_power(pair: Pair, _: NetworkProxy) -> None:
    """The primary's machine is gone."""
    await asyncio.to_thread(pair.primary.kill)
    await asyncio.to_thread(pair.standby.promote)


async def pull_cable(pair: Pair, way: NetworkProxy) -> None:
    """The primary cannot be reached any more, and says nothing."""
    way.silence()
    await asyncio.to_thread(pair.standby.promote)


async def leave_behind(pair: Pair, _: NetworkProxy) -> None:
    """The standby is promoted, though the primary runs on and takes connections and writes.

    If the server looks at its hosts before anybody writes again, nobody is refused.
    """
    await asyncio.to_thread(pair.standby.promote)


@pytest.mark.parametrize("trouble", [lose_power, pull_cable, leave_behind])
async def test_players_go_on_at_the_promoted_standby_with_every_acknowledged_move(
    pair: Pair, tmp_path: Path, trouble: Trouble
) -> None:
    async with NetworkProxy(pair.primary.port) as way:
        log = tmp_path / "server.log"
        server = ForkedServer(pair.address(way), log, NO_RATE_LIMIT)
        await databases.migrate(pair.primary.address(USER))
        history, up, enough = CommandHistory(), asyncio.Event(), asyncio.Event()
        async with server, aiohttp.ClientSession() as http, asyncio.TaskGroup() as group:
            for number in range(PLAYERS):
                seat = await create_guest(http, server.url)
                group.create_task(RandomPlayer(f"player{number}", seat, history, number).play(up, enough))
            up.set()
            await history.wait_for_acknowledged(50)
            await trouble(pair, way)
            await history.wait_for_acknowledged(100)
            enough.set()
        assert history.refused_count > 0 or trouble is leave_behind, "nobody was refused: the primary was never away"
        assert "database_failed_over" in log.read_text()
        assert ("database_left_behind" in log.read_text()) == (trouble is leave_behind)
        await assert_nothing_is_lost(history, pair.standby.address(USER))


async def test_a_node_goes_to_the_primary_and_never_back_to_one_that_was_left_behind(pair: Pair) -> None:
    async with NetworkProxy(pair.standby.port) as way:
        database = Database(
            f"postgresql://{USER}@127.0.0.1:{way.port},127.0.0.1:{pair.primary.port}/{USER}", serving=True
        )
        before = await _driver(database)
        assert not database.is_lagging(before)
        standby, primary = await database.find_hosts()
        assert (standby.is_standby, primary.timeline) == (True, 1)

        await asyncio.to_thread(pair.standby.promote)
        assert [host.timeline for host in await database.find_hosts()] == [2, 1]
        assert database.is_lagging(before)
        after = await _driver(database)
        assert after is not before
        assert not database.is_lagging(after)

        way.reset()
        assert [bool(host.problem) for host in await database.find_hosts()] == [True, False]
        with pytest.raises(NoPrimary, match="was left behind"):
            await database.ping()
        await database.close()


async def _driver(database: Database) -> object:
    async with database.reading() as connection:
        return (await connection.get_raw_connection()).driver_connection
