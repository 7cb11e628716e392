"""Two nodes over one database, in this process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import aiohttp
import pytest
from aiohttp.test_utils import TestServer

from cadogan.server.app import Server
from cadogan.server.config import Settings
from cadogan.server.core.cluster.bus import Bus, LocalBus
from cadogan.server.web_app import make_web_app
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, Clock, RunningServer


@dataclass
class TwoNodes:
    """Two running servers with one event log; the bus wakes each one after a commit of the other, unless it is cut."""

    first: RunningServer
    second: RunningServer

    def at_second(self, person: Person) -> Person:
        """The same person, as a client of the second server."""
        other = Person(self.second.url, self.second.session)
        other.id, other.token = person.id, person.token
        return other

    def cut(self) -> None:
        """Drop every wake-up from now on."""
        for running_server in (self.first, self.second):
            running_server.server.wake_ups.close()


@pytest.fixture
async def two_nodes(database_url: str) -> AsyncIterator[TwoNodes]:
    """Run two nodes over a fresh database, on `database_url`, connected by a bus in this process."""
    async with open_two_nodes(replace(TEST_SETTINGS, database_url=database_url), LocalBus()) as one:
        yield one


@asynccontextmanager
async def open_two_nodes(settings: Settings, bus: Bus | None) -> AsyncIterator[TwoNodes]:
    """Run two nodes with these settings, on a shared bus or separate ones, until they are closed."""
    clock = Clock()
    one, two = Server(settings, clock, bus), Server(settings, clock, bus)
    first_app, second_app = make_web_app(one), make_web_app(two)
    async with TestServer(first_app) as first, TestServer(second_app) as second, aiohttp.ClientSession() as session:
        yield TwoNodes(
            RunningServer(one, first_app, str(first.make_url("")).rstrip("/"), session, clock),
            RunningServer(two, second_app, str(second.make_url("")).rstrip("/"), session, clock),
        )
