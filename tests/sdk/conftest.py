"""A house over SQLite, and clients of it."""

from collections.abc import AsyncIterator

import pytest

from clients.sdk import Client, connect
from tests.harness.network_proxy import Cut
from tests.harness.running_server import House


@pytest.fixture
async def client(small_house: House) -> AsyncIterator[Client]:
    """A new guest of the house."""
    async with connect(small_house.url) as client:
        yield client


@pytest.fixture
async def link(small_house: House) -> AsyncIterator[Cut]:
    """A wire to the house that can be cut."""
    async with Cut(int(small_house.url.rpartition(":")[2])) as link:
        yield link
