"""An HTTP client of the application, with a browser's behaviour."""

from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestClient

Client = TestClient[web.Request, web.Application]
METRICS_TOKEN = "for-the-tests-alone"
FOR_METRICS = {"Authorization": f"Bearer {METRICS_TOKEN}"}
"""The header for reading the metrics."""


def from_our_page(client: Client) -> dict[str, str]:
    """Return the headers that a browser adds to requests of the server's own pages."""
    return {"Origin": str(client.make_url("/").origin())}


async def sign_up(client: Client, name: str, password: str) -> Any:
    """Create a player with a name, signed in by cookie; return the player."""
    await client.post("/api/v1/session/guest", headers=from_our_page(client))
    body = {"name": name, "password": password}
    response = await client.post("/api/v1/account", json=body, headers=from_our_page(client))
    assert response.status == 200
    return (await response.json())["player"]
