"""Streets: nodes that only listen, on a bus of each kind; and towns of two whole nodes on one database."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from server.cluster import postgresql_bus
from server.cluster.bus import Bus, LocalBus
from server.cluster.remote_bus import HEALTH_CHECK_INTERVAL_SECONDS, RemoteBus
from server.core.metrics import Metrics
from tests.bus.ears import NATS, PATIENCE, Ear, Wire
from tests.databases import REQUIRED
from tests.live.conftest import UNHURRIED
from tests.live.test_nodes import Town, open_town

REMOTE = ("postgresql", "nats")


@pytest.fixture(scope="session")
def nats_server() -> None:
    """A NATS server that answers; without one the test is skipped, or fails if CADOGAN_REQUIRE_SERVICES is 1."""
    if error := asyncio.run(_nats_is_away()):
        reason = f"no NATS answers at {NATS}: {error}"
        if REQUIRED:
            pytest.fail(reason)
        pytest.skip(reason)


async def _nats_is_away() -> Exception | None:
    address = urlsplit(NATS)
    try:
        async with asyncio.timeout(PATIENCE):
            _, writer = await asyncio.open_connection(address.hostname, address.port)
    except (OSError, TimeoutError) as error:
        return error
    writer.close()
    await writer.wait_closed()
    return None


@pytest.fixture
def nats_url(nats_server: None) -> str:
    """A NATS address with a subject of its own."""
    pytest.importorskip("nats", reason="nats-py is not installed")
    return f"{NATS}/test_{secrets.token_hex(6)}"


class Street:
    """Nodes that listen on one bus: in this process, or each over a connection of its own to the server at `url`."""

    def __init__(self, kind: str, url: str) -> None:
        self.kind = kind
        self.url = url
        self.metrics: dict[Ear, Metrics] = {}
        self._local = LocalBus()
        self._wires: list[Wire] = []

    async def wire(self) -> Wire:
        """A wire to the server, that can be cut."""
        address = urlsplit(self.url)
        wire = Wire(str(address.hostname), address.port or 0)
        await wire.mend()
        self._wires.append(wire)
        return wire

    def node(self, wire: Wire | None = None, health_check_seconds: float = HEALTH_CHECK_INTERVAL_SECONDS) -> Ear:
        """A node, beginning to listen; over this wire, if there is one."""
        metrics = Metrics()
        ear = Ear(self._bus(wire, metrics, health_check_seconds))
        self.metrics[ear] = metrics
        ear.bus.start()
        return ear

    async def ready(self, wire: Wire | None = None, health_check_seconds: float = HEALTH_CHECK_INTERVAL_SECONDS) -> Ear:
        """A node that is connected."""
        ear = self.node(wire, health_check_seconds)
        if self.kind != "local":
            await ear.until(lambda: None in ear.deaf)
        return ear

    async def follow(self, ear: Ear, *topics: str) -> None:
        """Have the node hear of these topics from now on."""
        for topic in topics:
            ear.bus.subscribe(topic)
        if self.kind == "nats":
            await ear.until(lambda: set(topics) <= {topic for some in ear.deaf for topic in some or ()})

    async def close(self) -> None:
        """End everything."""
        for ear in self.metrics:
            await ear.bus.close()
        for wire in self._wires:
            await wire.close()

    def _bus(self, wire: Wire | None, metrics: Metrics, health_check_seconds: float) -> Bus:
        if self.kind == "local":
            return self._local
        url = self.url
        if wire is not None:
            address = urlsplit(url)
            user = f"{address.username}@" if address.username else ""
            url = address._replace(netloc=f"{user}127.0.0.1:{wire.port}").geturl()
        if self.kind == "postgresql":
            return RemoteBus(postgresql_bus.make_link_factory(url), metrics, health_check_seconds)
        from server.cluster import nats_bus

        return RemoteBus(nats_bus.make_link_factory(url), metrics, health_check_seconds)


@pytest.fixture(params=("local", *REMOTE))
def kind(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A kind of bus, and the URL of its server."""
    return request.param, "" if request.param == "local" else request.getfixturevalue(f"{request.param}_url")


@pytest.fixture(params=REMOTE)
def remote_kind(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A kind of bus that needs a server, and its URL."""
    return request.param, request.getfixturevalue(f"{request.param}_url")


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
