"""Clients of a running server."""

import asyncio
from collections.abc import AsyncIterator
from typing import cast

import pytest

from cadogan.sdk import Client, blocking, connect
from tests.harness.network_proxy import NetworkProxy
from tests.harness.running_server import RunningServer
from tests.sdk.both_faces import Awaited


@pytest.fixture
async def client(sqlite_server: RunningServer) -> AsyncIterator[Client]:
    """A new guest of the running server."""
    async with connect(sqlite_server.url) as client:
        yield client


@pytest.fixture(params=["async", "waiting"])
async def either(sqlite_server: RunningServer, request: pytest.FixtureRequest) -> AsyncIterator[Client]:
    """A new guest of the running server, in each face of the SDK."""
    if request.param == "async":
        async with connect(sqlite_server.url) as client:
            yield client
        return
    connecting = blocking.connect(sqlite_server.url)
    yield cast(Client, Awaited(await asyncio.to_thread(connecting.__enter__)))
    await asyncio.to_thread(connecting.__exit__, None, None, None)


@pytest.fixture
async def link(sqlite_server: RunningServer) -> AsyncIterator[NetworkProxy]:
    """A connection to the running server that can be cut."""
    async with NetworkProxy(int(sqlite_server.url.rpartition(":")[2])) as link:
        yield link
