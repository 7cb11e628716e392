"""The whole application on a port of its own, over a fresh SQLite file."""

from collections.abc import AsyncIterator

import pytest
from aiohttp.test_utils import TestClient, TestServer

from cadogan.server.config import Settings
from cadogan.server.web_app import make_app
from tests.harness.http_client import METRICS_TOKEN, Client


@pytest.fixture
def settings(sqlite_url: str) -> Settings:
    """The defaults, over a fresh database, and a token for the metrics."""
    return Settings(database_url=sqlite_url, metrics_token=METRICS_TOKEN)


@pytest.fixture
async def client(settings: Settings) -> AsyncIterator[Client]:
    """A program that talks to the application, and keeps cookies as a browser does."""
    async with TestClient(TestServer(make_app(settings))) as client:
        yield client
