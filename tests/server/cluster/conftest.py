"""Nodes that only listen, on a bus of each kind; and two whole nodes on one database with a bus of each kind."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from cadogan.server.core.cluster.bus import LocalBus
from tests.harness.bus_listeners import BusNodes
from tests.harness.nats import REMOTE
from tests.harness.running_server import TEST_SETTINGS
from tests.harness.two_nodes import TwoNodes, open_two_nodes


@pytest.fixture(params=("local", *REMOTE))
def kind(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A kind of bus, and the URL of its server."""
    return request.param, "" if request.param == "local" else request.getfixturevalue(f"{request.param}_url")


@pytest.fixture
async def bus_nodes(kind: tuple[str, str]) -> AsyncIterator[BusNodes]:
    """Nodes that listen on one bus, once for every kind of bus."""
    bus_nodes = BusNodes(*kind)
    yield bus_nodes
    await bus_nodes.close()


@pytest.fixture
async def remote_bus_nodes(remote_kind: tuple[str, str]) -> AsyncIterator[BusNodes]:
    """Nodes that listen on one bus, once for every kind of bus that needs a server."""
    bus_nodes = BusNodes(*remote_kind)
    yield bus_nodes
    await bus_nodes.close()


@pytest.fixture
async def two_nodes(postgresql_url: str, kind: tuple[str, str]) -> AsyncIterator[TwoNodes]:
    """Two nodes on one PostgreSQL database, with a bus of every kind."""
    name, url = kind
    settings = replace(TEST_SETTINGS, database_url=postgresql_url, bus=url if name == "nats" else name)
    async with open_two_nodes(settings, LocalBus() if name == "local" else None) as one:
        yield one
