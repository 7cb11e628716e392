"""A client of the application over HTTP, and what a browser does with it."""

from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestClient

Client = TestClient[web.Request, web.Application]
METRICS_TOKEN = "for-the-tests-alone"
FOR_METRICS = {"Authorization": f"Bearer {METRICS_TOKEN}"}
"""The header with which the metrics are read."""


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
