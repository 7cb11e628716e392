"""What hosts and nodes do with webhooks."""

from dataclasses import replace
from typing import Any

from cadogan.server.http.app_keys import COURIER, NEWS_DESK
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, RunningServer

TOPICS = ["day_opened", "day_closed", "race_started", "race_ended"]
INSIDE = replace(TEST_SETTINGS, webhooks_inside=True, origin=("https://club.example",))


async def add(host: Person, url: str, **webhook: Any) -> dict[str, Any]:
    """Add a webhook."""
    status, made = await host.post("/house/webhooks", {"name": "The channel", "url": url, "topics": TOPICS, **webhook})
    assert status == 200, made
    found: dict[str, Any] = made
    return found


async def work(running_server: RunningServer) -> None:
    """What a node does every few seconds."""
    await running_server.app[NEWS_DESK].collect()
    await running_server.app[COURIER].send_due()


async def deliveries_of(host: Person, webhook: str) -> list[dict[str, Any]]:
    """What was sent to a webhook, as its host sees it."""
    status, answer = await host.get(f"/house/webhooks/{webhook}/deliveries")
    assert status == 200, answer
    found: list[dict[str, Any]] = answer["deliveries"]
    return found
