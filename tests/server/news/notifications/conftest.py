"""A push service, and servers that send to it; none of them does anything by itself."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness.people import Person
from tests.harness.push_service import Device, PushService, push_service
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server
from tests.harness.two_nodes import TwoNodes, open_two_nodes

SETTINGS = replace(TEST_SETTINGS, private_destinations=("notifications",), mail_from="The club <club@patience.example>")


@pytest.fixture(autouse=True)
def nothing_by_itself(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No node looks for news or sends any until a test asks it to, but for the test that is about it."""

    async def no_rounds(*_: object) -> None:
        """Make none."""

    if "by_itself" not in request.node.name:
        monkeypatch.setattr("cadogan.server.subjects.news.notifications.sender.run_periodically", no_rounds)


@pytest.fixture
async def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[PushService]:
    """A push service, whose certificate this process believes."""
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    async with push_service(tmp_path) as made:
        yield made


@pytest.fixture
async def server(service: PushService, database_url: str) -> AsyncIterator[RunningServer]:
    """A server that may send to this machine."""
    async with open_server(replace(SETTINGS, database_url=database_url)) as one:
        yield one


@pytest.fixture
async def nodes(service: PushService, database_url: str) -> AsyncIterator[TwoNodes]:
    """Two such nodes."""
    async with open_two_nodes(replace(SETTINGS, database_url=database_url), None) as one:
        yield one


async def switch_on(person: Person, device: Device, *topics: str, **others: object) -> None:
    """Have a device told of these topics."""
    status, answer = await person.ask("PUT", "/account/notifications", device.subscription(*topics, **others))
    assert status == 200, answer


async def look_and_send(running_server: RunningServer) -> None:
    """What a node does every few seconds."""
    await running_server.server.sequencer.append_all()
    await running_server.server.news.notifier.detector.collect()
    await running_server.server.news.notifier.sender.send_due()


async def on_both(nodes: TwoNodes) -> None:
    """What both nodes do, at the same time and twice."""
    await asyncio.gather(*(look_and_send(node) for node in (nodes.first, nodes.second) * 2))
