"""Streets: nodes that only listen, on a bus of each kind; and towns of two whole nodes on one database."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from server.cluster.bus import LocalBus
from tests.harness.bus_listeners import Street
from tests.harness.nats import REMOTE
from tests.harness.running_server import UNHURRIED
from tests.harness.two_nodes import Town, open_town


@pytest.fixture(params=("local", *REMOTE))
def kind(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A kind of bus, and the URL of its server."""
    return request.param, "" if request.param == "local" else request.getfixturevalue(f"{request.param}_url")


@pytest.fixture
async def street(kind: tuple[str, str]) -> AsyncIterator[Street]:
    """A street with a bus of every kind."""
    street = Street(*kind)
    yield street
    await street.close()


@pytest.fixture
async def long_street(remote_kind: tuple[str, str]) -> AsyncIterator[Street]:
    """A street whose nodes reach each other over connections."""
    street = Street(*remote_kind)
    yield street
    await street.close()


@pytest.fixture
async def town(postgresql_url: str, kind: tuple[str, str]) -> AsyncIterator[Town]:
    """Two nodes on one PostgreSQL database, with a bus of every kind."""
    name, url = kind
    settings = replace(UNHURRIED, database_url=postgresql_url, bus=url if name == "nats" else name)
    async for one in open_town(settings, LocalBus() if name == "local" else None):
        yield one
