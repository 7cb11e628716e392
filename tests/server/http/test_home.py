"""What the first page shows, in one answer."""

from typing import Any

import pytest

from tests.harness.http_client import Client, from_our_page

pytestmark = pytest.mark.slow


async def read(client: Client, path: str) -> Any:
    """The answer of the API."""
    response = await client.get(f"/api/v1{path}")
    assert response.status == 200
    return await response.json()


async def test_it_holds_what_the_single_addresses_answer(client: Client) -> None:
    await client.post("/api/v1/session/guest", headers=from_our_page(client))
    for path, body in (
        ("/dailies/today/deals/1/games", {}),
        ("/races", {"rules": "klondike", "nonce": "mine", "open": True}),
    ):
        assert (await client.post(f"/api/v1{path}", json=body, headers=from_our_page(client))).status == 200
    home = await read(client, "/home?language=de")
    assert home["today"] == await read(client, "/dailies/today")
    assert home["today"]["deals"][0]["your_status"] == "playing"
    assert home["rules"] == (await read(client, "/rules?language=de"))["rules"]
    assert [race["race"] for race in home["races"]] == [
        race["race"] for race in (await read(client, "/races"))["races"]
    ]
    assert [game["game"] for game in home["live"]] == [home["today"]["deals"][0]["your_game"]]
    announced = [day for day in (await read(client, "/dailies"))["dailies"] if day["state"] == "announced"]
    assert home["coming"] == announced[::-1] != []
