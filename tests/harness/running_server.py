"""The whole application, running in this process on its own port, and guests who use it."""

import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import aiohttp
import pytest
from aiohttp import web
from aiohttp.web_app import _cached_build_middleware

from cadogan.server.app import Server
from cadogan.server.config import Settings
from cadogan.server.http.listener import Listener
from cadogan.server.web_app import make_web_app
from tests.harness.people import Person

Guests = Callable[[], Awaitable[Person]]
TEST_SETTINGS = Settings(rate=1_000_000, burst=1_000_000, fresh=0)


@dataclass
class Clock:
    """The time of a running server, set by the test, in milliseconds since 1970; at first noon of 2026-11-20."""

    at: int = 1_795_176_000_000

    def __call__(self) -> int:
        return self.at


class RunningServer:
    """The application, running on a port of its own; `server` has its parts, and `clock` is its time."""

    def __init__(
        self, server: Server, app: web.Application, url: str, session: aiohttp.ClientSession, clock: Clock
    ) -> None:
        self.server = server
        self.app = app
        self.url = url
        self.session = session
        self.clock = clock

    async def guest(self) -> Person:
        """Create a guest."""
        return await Person(self.url, self.session).arrive()

    def stranger(self) -> Person:
        """Return a client that is not signed in."""
        return Person(self.url, self.session)


@pytest.fixture
def manual_broadcasts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send presence, progress and boards only when a test triggers it."""
    monkeypatch.setattr("cadogan.server.core.event_loop.INTERVAL_SECONDS", 3600.0)
    monkeypatch.setattr("cadogan.server.subjects.leaderboards.live.PUBLISH_INTERVAL_SECONDS", 3600.0)


@pytest.fixture
async def running_server(database_url: str) -> AsyncIterator[RunningServer]:
    """Run a server with TEST_SETTINGS over a fresh database, on `database_url`."""
    async with open_server(replace(TEST_SETTINGS, database_url=database_url)) as one:
        yield one


@pytest.fixture
async def sqlite_server(sqlite_url: str) -> AsyncIterator[RunningServer]:
    """Run a server with TEST_SETTINGS over a fresh SQLite database, for tests that do not depend on the database."""
    async with open_server(replace(TEST_SETTINGS, database_url=sqlite_url)) as one:
        yield one


@asynccontextmanager
async def open_server(
    settings: Settings, steady: Callable[[], int] | None = None, at: int = Clock.at
) -> AsyncIterator[RunningServer]:
    """Start a server with these settings, yield it, and stop it.

    Its clock is at `at`, in milliseconds since 1970, and is checked against the clock `steady`, if there is one.
    """
    clock = Clock(at)
    server = Server(settings, clock, steady=steady)
    app = make_web_app(server)
    async with listening(app, settings) as url, aiohttp.ClientSession() as session:
        yield RunningServer(server, app, url, session, clock)


@asynccontextmanager
async def listening(app: web.Application, settings: Settings) -> AsyncIterator[str]:
    """Serve an application as `cadogan serve` does, on its own port; yield its URL."""
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    with socket.create_server(("127.0.0.1", 0)) as bound:
        try:
            await Listener(runner, settings, 100, [bound]).start()
            yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            await runner.cleanup()


def forget_applications() -> None:
    """Empty a cache of aiohttp that keeps stopped servers alive.

    It has the last 1024 pairs of a handler and an application. A run of thousands of tests would have hundreds of
    servers in memory, with their threads, and searching for garbage would stop everything for seconds.
    """
    _cached_build_middleware.cache_clear()
