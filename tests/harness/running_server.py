"""A house: the whole application on a port of its own, and as many guests as a test wants."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from server.app import make_app
from server.config import Settings
from server.http import app_keys
from server.play.game_commands import Service
from tests.harness.people import Person

Guests = Callable[[], Awaitable[Person]]
UNHURRIED = Settings(rate=1_000_000, burst=1_000_000, fresh=0)


@dataclass
class Clock:
    """The time of a house that a test sets by hand, in milliseconds since 1970; 2026-11-20, noon."""

    at: int = 1_795_176_000_000

    def __call__(self) -> int:
        return self.at


class House:
    """A running application."""

    def __init__(self, app: web.Application, url: str, session: aiohttp.ClientSession, clock: Clock) -> None:
        self.app = app
        self.url = url
        self.session = session
        self.clock = clock

    @property
    def service(self) -> Service:
        """What plays the games here."""
        return self.app[app_keys.SERVICE]

    async def guest(self) -> Person:
        """Somebody who has just arrived."""
        return await Person(self.url, self.session).arrive()

    def stranger(self) -> Person:
        """Somebody who is not signed in."""
        return Person(self.url, self.session)


@pytest.fixture
def told_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Presence, progress and boards are told only when a test has them told, however long it takes."""
    monkeypatch.setattr("server.realtime.hub.INTERVAL", 3600.0)
    monkeypatch.setattr("server.leaderboards.live.PUBLISH_INTERVAL_SECONDS", 3600.0)


@pytest.fixture
async def house(database_url: str) -> AsyncIterator[House]:
    """A house without limits of speed, where nobody is too new, over a fresh database."""
    async for one in open_house(replace(UNHURRIED, database_url=database_url)):
        yield one


@pytest.fixture
async def small_house(sqlite_url: str) -> AsyncIterator[House]:
    """The same over SQLite only, for what does not depend on the database."""
    async for one in open_house(replace(UNHURRIED, database_url=sqlite_url)):
        yield one


async def open_house(settings: Settings) -> AsyncIterator[House]:
    """A house with these settings, until it is closed."""
    clock = Clock()
    app = make_app(settings, clock)
    async with TestServer(app) as server, aiohttp.ClientSession() as session:
        yield House(app, str(server.make_url("")).rstrip("/"), session, clock)
