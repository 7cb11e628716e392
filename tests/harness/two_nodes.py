"""Two nodes over one database, in this process."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import aiohttp
import pytest
from aiohttp.test_utils import TestServer

from server.app import make_app
from server.cluster.bus import Bus, LocalBus
from server.config import Settings
from tests.harness.people import Person
from tests.harness.running_server import UNHURRIED, Clock, House


@dataclass
class Town:
    """Two houses that keep one log; the bus wakes each for the other, unless it is cut."""

    first: House
    second: House

    def at_second(self, person: Person) -> Person:
        """The same person, asking the second house."""
        other = Person(self.second.url, self.second.session)
        other.id, other.token = person.id, person.token
        return other

    def cut(self) -> None:
        """Lose every wake-up from now on."""
        for house in (self.first, self.second):
            house.service.bus.remove_listener(house.service)


@pytest.fixture
async def town(database_url: str) -> AsyncIterator[Town]:
    """Two nodes with one clock."""
    async for one in open_town(replace(UNHURRIED, database_url=database_url), LocalBus()):
        yield one


async def open_town(settings: Settings, bus: Bus | None) -> AsyncIterator[Town]:
    """Two nodes with these settings, on that bus or each on its own, until they are closed."""
    clock = Clock()
    one, two = make_app(settings, clock, bus), make_app(settings, clock, bus)
    async with TestServer(one) as first, TestServer(two) as second, aiohttp.ClientSession() as session:
        yield Town(
            House(one, str(first.make_url("")).rstrip("/"), session, clock),
            House(two, str(second.make_url("")).rstrip("/"), session, clock),
        )
