"""The whole application on a port of its own, over a fresh SQLite file."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from server.app import make_app
from server.config import Settings

Client = TestClient[web.Request, web.Application]


@pytest.fixture
def settings(sqlite_url: str) -> Settings:
    """The defaults, over a fresh database."""
    return Settings(database_url=sqlite_url)


@pytest.fixture
async def client(settings: Settings) -> AsyncIterator[Client]:
    """A program that talks to the application, and keeps cookies as a browser does."""
    async with TestClient(TestServer(make_app(settings))) as client:
        yield client


def from_our_page(client: Client) -> dict[str, str]:
    """The headers a browser adds to what our own page sends."""
    return {"Origin": str(client.make_url("/").origin())}


async def sign_up(client: Client, name: str, password: str) -> Any:
    """A player with a name, signed in by cookie; the claimed player."""
    await client.post("/api/v1/session/guest", headers=from_our_page(client))
    body = {"name": name, "password": password}
    response = await client.post("/api/v1/account", json=body, headers=from_our_page(client))
    assert response.status == 200
    return (await response.json())["player"]
