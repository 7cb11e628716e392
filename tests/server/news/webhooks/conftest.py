"""Servers with webhooks into this machine, and a program that receives them."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from tests.harness.running_server import RunningServer, open_server
from tests.harness.two_nodes import TwoNodes, open_two_nodes
from tests.harness.webhook_actions import INSIDE
from tests.harness.webhook_receiver import Receiver, receiver


@pytest.fixture(autouse=True)
def nothing_by_itself(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No node looks for news until a test asks it to, but for the test that is about it."""

    async def no_rounds(*_: object) -> None:
        """Make none."""

    if "by_itself" not in request.node.name:
        monkeypatch.setattr("cadogan.server.subjects.news.news.run_periodically", no_rounds)


@pytest.fixture
async def inside_server(database_url: str) -> AsyncIterator[RunningServer]:
    """A server whose webhooks may go to this machine."""
    async with open_server(replace(INSIDE, origin=(), database_url=database_url)) as one:
        yield one


@pytest.fixture
async def two_inside(database_url: str) -> AsyncIterator[TwoNodes]:
    """Two such nodes."""
    async with open_two_nodes(replace(INSIDE, origin=(), database_url=database_url), None) as one:
        yield one


@pytest.fixture
async def program() -> AsyncIterator[Receiver]:
    """A program that receives webhooks."""
    async with receiver() as made:
        yield made
