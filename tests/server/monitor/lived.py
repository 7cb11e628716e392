"""A day of a server that somebody has watched, for the tests of the monitor: played once, and copied for each test."""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from copy import deepcopy
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import pytest
from msgspec import json, structs
from sqlalchemy import delete, insert, select

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import events, log_entries, log_heads, log_tiles
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.events import canonical_json
from cadogan.server.operations.monitor import Monitor
from cadogan.server.operations.monitor_state import MonitorState
from cadogan.server.operations.watched_server import WatchedServer
from cadogan.server.subjects.audit.attestation import Trust
from cadogan.server.subjects.transparency.notes import SigningKey
from cadogan.server.subjects.transparency.transparency_log import TransparencyLog
from tests.harness.daily_actions import CLOSED, play_and_resign
from tests.harness.logging_ends import DAY_ENTRIES, log_ends
from tests.harness.repeatable_secrets import make_secrets_repeatable
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server

Entry = tuple[str, int, bytes]
OF_DAYS = DAY_ENTRIES + 2
"""The entries about events of days when the day has closed: the next one has opened, and one more was announced."""


async def no_wait(seconds: float) -> None:
    """Wait for nothing."""
    assert seconds > 0


def new_state() -> MonitorState:
    """The state of a monitor that has seen nothing."""
    return MonitorState("", [])


class Lived:
    """A server on which a day was played and has closed, and who has watched it until then."""

    def __init__(self, server: RunningServer, session: aiohttp.ClientSession, games: list[str]) -> None:
        self.server = server
        self.session = session
        self.watched = WatchedServer(session, server.url)
        self.state = MonitorState(server.url, [])
        self.games = games
        self.database: Database = server.server.database
        self.key = server.server.host_key.get()

    async def hide(self, number: int) -> None:
        """Delete the events of one of the games."""
        async with self.database.writing() as connection:
            await connection.execute(delete(events).where(events.c.stream == f"game/{self.games[number]}"))

    async def look(
        self, state: MonitorState | None = None, trust: Trust | None = None, at: int | None = None
    ) -> list[str]:
        """What the one who has watched it finds, or somebody with another state."""
        moment = at or self.server.clock.at
        monitor = Monitor(self.watched, state or self.state, trust or Trust(), lambda: moment)
        return [wrong async for wrong in monitor.check()]

    async def look_again(self, *states: MonitorState, at: int | None = None) -> list[list[str]]:
        """What those with these states find, once the server was started again and has nothing in memory."""
        moment = at or self.server.clock.at
        async with open_server(self.server.server.settings, at=self.server.clock.at) as again:
            watched = WatchedServer(self.session, again.url, no_wait)
            monitors = [Monitor(watched, state, Trust(), lambda: moment) for state in states]
            return [[wrong async for wrong in monitor.check()] for monitor in monitors]

    async def look_anew(self) -> list[str]:
        """What somebody finds who sees the server for the first time, after it was started again."""
        (found,) = await self.look_again(new_state(), at=CLOSED + 3_600_000)
        return found

    @asynccontextmanager
    async def put_back(self) -> AsyncIterator[None]:
        """Put the database back as it was, an SQLite file, after something was forged in it.

        In a thread: SQLite waits for a transaction of the server, which goes on only in the event loop.
        """
        file = self.server.server.settings.database_url.removeprefix("sqlite:///")
        connect = partial(sqlite3.connect, check_same_thread=False)
        with closing(connect(file)) as database, closing(connect(":memory:")) as kept:
            await asyncio.to_thread(database.backup, kept)
            yield
            await asyncio.to_thread(kept.backup, database)

    async def log_again(self, change: Callable[[list[Entry]], list[Entry]], key: SigningKey | None = None) -> None:
        """Build the log again from changed entries, and sign it."""
        async with self.database.writing() as connection:
            rows = await connection.execute(select(log_entries).order_by(log_entries.c.number))
            changed = change([(row.stream, row.version, row.entry) for row in rows])
            for table in (log_entries, log_tiles, log_heads):
                await connection.execute(delete(table))
        await TransparencyLog(self.database).append(changed, key or self.key)

    async def change_events(self, stream: str, change: Callable[[list[dict[str, Any]]], None]) -> None:
        """Change the events of a stream, and hash them again."""
        async with self.database.writing() as connection:
            chosen = select(events).where(events.c.stream == stream).order_by(events.c.version)
            rows = [dict(row._mapping) for row in await connection.execute(chosen)]
            stored_events = [{**row, "data": json.decode(row["data"])} for row in rows]
            change(stored_events)
            await connection.execute(delete(events).where(events.c.stream == stream))
            before = hash_chain.START_HASH
            for version, row in enumerate(stored_events, 1):
                data = canonical_json(row["data"])
                head = (stream, version, row["type"], row["schema"], data, row["recorded_at"])
                before = hash_chain.event_hash(before, *head)
                await connection.execute(
                    insert(events).values({**row, "version": version, "data": data, "hash": before})
                )


class WatchedDay(NamedTuple):
    """An SQLite file, to be copied with its key: the games in it, and what who has watched it knows."""

    file: Path
    games: list[str]
    state: MonitorState

    def copy_to(self, url: str) -> None:
        """Copy the database and the key of the host to where a server over this database finds them."""
        file = Path(url.removeprefix("sqlite:///"))
        shutil.copyfile(self.file, file)
        shutil.copyfile(self.file.with_suffix(".key"), file.with_suffix(".key"))


@pytest.fixture(scope="session")
def watched_day(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> WatchedDay:
    """A day of four runs, one of them left without an end, and a casual game; watched while it was open."""
    file = tmp_path_factory.mktemp("watched") / "watched.db"
    shutil.copyfile(sqlite_template, file)
    with pytest.MonkeyPatch.context() as patch:
        make_secrets_repeatable(patch)
        return asyncio.run(_watch_day(file))


async def _watch_day(file: Path) -> WatchedDay:
    async with (
        open_server(replace(TEST_SETTINGS, database_url=f"sqlite:///{file}")) as server,
        aiohttp.ClientSession() as session,
    ):
        ann, bob = await server.guest(), await server.guest()
        games = [await ann.enter(slot=1), await bob.enter(slot=1), await ann.enter(slot=2), await bob.enter(slot=2)]
        for person, game in zip((ann, bob, ann), games, strict=False):
            await play_and_resign(person, game, moves=3)
        games.append(await ann.deal())
        await play_and_resign(ann, games[-1], moves=60)  # its record is sent in several pieces
        await log_ends(server.server)
        one = Lived(server, session, games)
        assert await one.look() == []
        assert (one.state.size, one.state.verified, len(one.state.waiting)) == (DAY_ENTRIES + 4, 1, 3)
        server.clock.at = CLOSED
        await server.server.challenges.write_due(CLOSED)
        await log_ends(server.server)
        return WatchedDay(file, games, one.state)


@pytest.fixture
async def lived(watched_day: WatchedDay, sqlite_url: str) -> AsyncIterator[Lived]:
    """The watched day, after its close, on a server of its own."""
    watched_day.copy_to(sqlite_url)
    async with (
        open_server(replace(TEST_SETTINGS, database_url=sqlite_url), at=CLOSED) as server,
        aiohttp.ClientSession() as session,
    ):
        one = Lived(server, session, watched_day.games.copy())
        one.state = structs.replace(deepcopy(watched_day.state), url=server.url)
        yield one
