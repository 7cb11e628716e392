"""A worker of Citus is killed while people play: games on the other worker go on, and no acknowledged move is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import asyncpg
import pytest
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from benchmarks.guest_client import Guest, create_guest
from benchmarks.kill_harness import CommandHistory
from cadogan.server.core.clock import now
from cadogan.server.core.database.connections import open_database
from cadogan.server.core.database.migrations import migrate
from cadogan.server.core.dates import day_of
from cadogan.server.core.eventlog.background_tasks import as_unavailable
from cadogan.server.core.eventlog.event_store import Append, NewEvent, VersionConflict
from cadogan.server.core.eventlog.streams import day_stream, game_stream
from cadogan.server.core.storage.citus.extension import (
    NotDistributable,
    distribute,
    find_stale_transactions,
    find_unavailable_workers,
)
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.operations.backup import write_backup
from deploy.citus.cluster import CitusCluster
from tests.failure.verdicts import assert_nothing_is_lost, playing
from tests.harness.forked_server import ForkedServer
from tests.harness.patience import long
from tests.harness.people import Person
from tests.harness.sample_events import append
from tests.harness.server_process import NO_RATE_LIMIT

_PORTS = """
SELECT stream, nodeport FROM unnest($1::text[]) AS asked (stream)
JOIN pg_dist_placement ON shardid = get_shard_id_for_distribution_column('events', stream)
JOIN pg_dist_node USING (groupid)
"""


async def ports_of(streams: Sequence[str], url: str) -> dict[str, int]:
    """The port of the worker that has each of these streams."""
    connection = await asyncpg.connect(url)
    try:
        return dict(await connection.fetch(_PORTS, streams))
    finally:
        await connection.close()


async def look(url: str, find: Callable[[AsyncConnection], Awaitable[list[str]]]) -> list[str]:
    """What the doctor finds in this database."""
    async with open_database(url) as database, database.reading() as connection:
        return await find(connection)


async def collect(found: AsyncIterator[tuple[str, int]], into: dict[str, int]) -> None:
    """Keep what comes, also if an error comes after it."""
    async for stream, version in found:
        into[stream] = version


async def recover(url: str) -> None:
    """Have Citus finish what was prepared at the worker when it was killed. It does so itself once a minute."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("SELECT recover_prepared_transactions()")
    finally:
        await connection.close()


async def test_a_log_with_events_is_distributed_once_with_all_that_it_had(citus_cluster: CitusCluster) -> None:
    name = "cadogan_with_events"
    await citus_cluster.create_database(name)
    try:
        async with open_database(citus_cluster.url(name)) as database:
            await migrate(database)
            before = SqlStore(database)
            for number in range(20):
                await before.append(append(f"game/{number}", 1, events=3))
            await before.close()
            assert await distribute(database) == 2
            assert await distribute(database) == 2
            store = SqlStore(database)
            await store.append(append("game/7", 4))
            with pytest.raises(VersionConflict):
                await store.append(append("game/7", 4))
            assert [found.version for found in await store.read("game/7")] == [1, 2, 3, 4]
            assert len([stream async for stream in store.stream_names()]) == 20
            await store.close()
        streams = [f"game/{number}" for number in range(20)]
        assert len(set((await ports_of(streams, citus_cluster.url(name))).values())) == 2
    finally:
        await citus_cluster.drop_database(name)


async def test_a_citus_without_workers_is_refused_and_nothing_is_made(citus_cluster: CitusCluster) -> None:
    name = "cadogan_without_workers"
    await citus_cluster.coordinator.execute(f"CREATE DATABASE {name}")
    await citus_cluster.coordinator.execute("CREATE EXTENSION citus", name)
    try:
        async with open_database(citus_cluster.url(name)) as database:
            with pytest.raises(NotDistributable, match="no workers"):
                await distribute(database)
    finally:
        await citus_cluster.coordinator.execute(f"DROP DATABASE {name} WITH (FORCE)")


async def test_a_transaction_that_was_left_prepared_at_a_worker_is_found(
    citus_cluster: CitusCluster, postgresql_url: str
) -> None:
    worker, name = citus_cluster.workers[1], postgresql_url.rpartition("/")[2]
    await worker.execute("BEGIN; CREATE TABLE left_over (); PREPARE TRANSACTION 'left'", name)
    assert await look(postgresql_url, partial(find_stale_transactions, seconds=0)) == ["left"]
    assert await look(postgresql_url, find_stale_transactions) == []
    await worker.execute("ROLLBACK PREPARED 'left'", name)
    assert await look(postgresql_url, partial(find_stale_transactions, seconds=0)) == []


async def test_an_export_has_the_log_of_one_moment_a_minute_ago(postgresql_url: str, tmp_path: Path) -> None:
    async with open_database(postgresql_url) as database:
        store = SqlStore(database)
        for number in range(8):
            await store.append(append(f"game/{number}", 1, events=2))
        just_now = NewEvent(3, "move_played", 1, "{}", now(), bytes(32))
        await store.append(Append("game/3", None, (just_now,)))
        contents = await write_backup(database, tmp_path / "backup")
        await store.close()
    assert contents.rows["events"] == 16
    assert 60_000 <= now() - contents.at < 120_000


async def test_what_is_read_from_the_other_workers_does_not_fail_with_one_that_is_away(
    citus_cluster: CitusCluster, postgresql_url: str
) -> None:
    streams, away = [f"game/{number}" for number in range(12)], citus_cluster.workers[0]
    async with open_database(postgresql_url) as database:
        store = SqlStore(database)
        for stream in streams:
            await store.append(append(stream, 1, events=3))
        await away.stop("immediate")
        versions: dict[str, int] = {}
        try:
            found = await asyncio.gather(*(store.read_later(stream, 1) for stream in streams), return_exceptions=True)
            with pytest.raises((DBAPIError, asyncpg.PostgresError)):
                await collect(store.last_versions(streams), versions)
        finally:
            await away.start()
        back = await asyncio.gather(*(store.read_later(stream, 1) for stream in streams))
        await store.close()
    ports = await ports_of(streams, postgresql_url)
    failed = {stream for stream, error in zip(streams, found, strict=True) if isinstance(error, Exception)}
    assert all(as_unavailable(error) for error in found if isinstance(error, Exception))
    assert failed == {stream for stream in streams if ports[stream] == away.port}
    assert versions == {stream: 3 for stream in streams if stream not in failed}
    assert [len(events) for events in back] == [2] * len(streams)


@pytest.mark.slow
async def test_the_pages_that_show_games_of_all_workers_go_on_without_one_that_is_away(
    citus_cluster: CitusCluster, postgresql_url: str, tmp_path: Path
) -> None:
    played, asked = (
        ForkedServer(postgresql_url, tmp_path / name, NO_RATE_LIMIT) for name in ("played.log", "asked.log")
    )
    away = citus_cluster.workers[0]
    async with asyncio.timeout(long()), played, asked, aiohttp.ClientSession() as http, AsyncExitStack() as stack:
        guests = [await create_guest(http, played.url) for _ in range(16)]
        games = [await guest.enter_daily() for guest in guests]
        guests = [replace(guest, url=asked.url) for guest in guests]  # this node has no game in memory
        assert (await read(await create_guest(http, asked.url), "/dailies/today"))["state"] == "open"
        ports = await ports_of([*map(game_stream, games)], postgresql_url)
        here = {game for game in games if ports[game_stream(game)] != away.port}
        assert 0 < len(here) < len(games)
        watching = await stack.enter_async_context(Person(asked.url, http).connect())
        await away.stop("immediate")
        try:
            shown = {run["game"] for run in (await watching.watch_day(day_of(now())))["games"]}
            assert shown == here
            for guest, game in zip(guests, games, strict=True):
                home = await read(guest, "/home")
                assert {one["game"] for one in home["live"]} == here
                assert {one["game"] for one in home.get("unfinished", ())} == {game} & here
                assert home["today"]["deals"][0].get("your_game") == (game if game in here else None)
                assert (await read(guest, "/dailies/today"))["deals"] == home["today"]["deals"]
                assert (await read(guest, "/boards/all"))["total"] == 0
        finally:
            await away.start()
        while shown != set(games):
            shown |= {run["game"] for run in (await watching.receive("day_progress"))["games"]}
        home = await read(guests[0], "/home")
        assert {one["game"] for one in home["live"]} == set(games)


async def read(guest: Guest, path: str) -> Any:
    """What this guest is shown."""
    headers = {"Authorization": f"Bearer {guest.token}"}
    async with guest.http.get(f"{guest.url}/api/v1{path}", headers=headers, raise_for_status=True) as answer:
        return await answer.json()


@pytest.mark.slow
@pytest.mark.parametrize("has_today", [True, False])
async def test_a_node_that_starts_while_a_worker_is_away_shows_and_plays_what_the_others_have(
    citus_cluster: CitusCluster, postgresql_url: str, tmp_path: Path, has_today: bool
) -> None:
    before, late = (ForkedServer(postgresql_url, tmp_path / name, NO_RATE_LIMIT) for name in ("before.log", "late.log"))
    async with asyncio.timeout(long()), aiohttp.ClientSession() as http, AsyncExitStack() as stack:
        await stack.enter_async_context(before)
        listed = [one["day"] for one in (await read(await create_guest(http, before.url), "/dailies"))["dailies"]]
        today, ports = day_of(now()), await ports_of([*map(day_stream, listed)], postgresql_url)
        [away] = [worker for worker in citus_cluster.workers if (worker.port == ports[day_stream(today)]) == has_today]
        await away.stop("immediate")
        try:
            await stack.enter_async_context(late)
            guest = await create_guest(http, late.url)
            home = await read(guest, "/home")
            assert home.get("today_away", False) == has_today
            assert ("today" in home) != has_today
            assert [one["day"] for one in (await read(guest, "/dailies"))["dailies"]] == [
                day for day in listed if ports[day_stream(day)] != away.port
            ]
            begun = 0
            for number in range(20):  # where a game comes to lie is chance
                with suppress(aiohttp.ClientResponseError):
                    await guest.start_game("klondike", f"nonce-{number}")
                    begun += 1
            assert 0 < begun < 20
        finally:
            await away.start()
        assert [one["day"] for one in (await read(guest, "/dailies"))["dailies"]] == listed
        assert await guest.enter_daily()


@pytest.mark.slow
async def test_after_a_worker_has_not_answered_once_nobody_waits_for_it_until_it_answers_again(
    citus_cluster: CitusCluster, postgresql_url: str, tmp_path: Path
) -> None:
    server, asked = ForkedServer(postgresql_url, tmp_path / "server.log", NO_RATE_LIMIT), 30
    async with asyncio.timeout(long()), server, aiohttp.ClientSession() as http, AsyncExitStack() as stack:
        guests = [await create_guest(http, server.url) for _ in range(16)]
        games = [await guest.enter_daily() for guest in guests]
        ports = await ports_of([*map(game_stream, games), day_stream(day_of(now()))], postgresql_url)
        frozen = next(worker for worker in citus_cluster.workers if worker.port == ports[day_stream(day_of(now()))])
        places = {game: ports[game_stream(game)] == frozen.port for game in games}
        there, here = (next(game for game in games if places[game] == is_there) for is_there in (True, False))
        sockets = {}
        for game in (there, here):
            person = Person(server.url, http)
            person.token = guests[games.index(game)].token
            sockets[game] = await stack.enter_async_context(person.connect(ping_interval=None))
        seen = {game: await socket.request("subscribe", game=game) for game, socket in sockets.items()}
        frozen.freeze()
        try:
            for _ in range(asked):  # if each of them waited, this would take five minutes
                assert (await sockets[there].play(seen[there]))["code"] == "unavailable"
                assert (await read(guests[0], "/home"))["today"]["state"] == "open"
            seen[here] = await sockets[here].play(seen[here])
            assert seen[here]["type"] == "move_played"
        finally:
            frozen.thaw()
        while "worker_answers" not in server.log.read_text():
            await read(guests[0], "/home")
        again = await sockets[there].request("subscribe", game=there)
        assert (await sockets[there].play(again))["type"] == "move_played"


@pytest.mark.slow
async def test_a_killed_worker_stops_its_own_games_and_not_the_day_and_no_acknowledged_move_is_lost(
    citus_cluster: CitusCluster, postgresql_url: str, tmp_path: Path
) -> None:
    history = CommandHistory()
    server = ForkedServer(postgresql_url, tmp_path / "server.log", NO_RATE_LIMIT)
    async with asyncio.timeout(long()), server:
        async with playing(history, server.url):
            ports: list[int] = []
            while len(set(ports)) < len(citus_cluster.workers):  # where a game comes to lie is chance
                await history.wait_for_acknowledged(100)
                ports = [*(await ports_of([*map(game_stream, history.games_now())], postgresql_url)).values()]
            [port_of_day] = (await ports_of([day_stream(day_of(now()))], postgresql_url)).values()
            killed = next(worker for worker in citus_cluster.workers if worker.port == port_of_day)
            await killed.stop("immediate")
            before = set(history.acknowledged)
            await history.wait_for_refusal()
            assert await look(postgresql_url, find_unavailable_workers) == [f"127.0.0.1:{killed.port}"]
            await history.wait_for_acknowledged(30)  # whoever begins a game at the killed worker plays no more
            meanwhile = {game_stream(history.sent[command].game) for command in set(history.acknowledged) - before}
            await killed.start()
            assert await look(postgresql_url, find_unavailable_workers) == []
            await history.wait_for_acknowledged(100)
        await recover(postgresql_url)
    went_on = await ports_of(sorted(meanwhile), postgresql_url)
    assert killed.port not in went_on.values()
    log = await assert_nothing_is_lost(history, postgresql_url)
    after = set(history.acknowledged) - before
    assert {game_stream(history.sent[command].game) for command in after} - meanwhile, (
        "the games of the killed worker go on"
    )
    assert log
