"""Clients of a running server."""

from collections.abc import AsyncIterator

import pytest

from clients.sdk import Client, connect
from tests.harness.network_proxy import NetworkProxy
from tests.harness.running_server import RunningServer


@pytest.fixture
async def client(sqlite_server: RunningServer) -> AsyncIterator[Client]:
    """A new guest of the running server."""
    async with connect(sqlite_server.url) as client:
        yield client


@pytest.fixture
async def link(sqlite_server: RunningServer) -> AsyncIterator[NetworkProxy]:
    """A connection to the running server that can be cut."""
    async with NetworkProxy(int(sqlite_server.url.rpartition(":")[2])) as link:
        yield link
