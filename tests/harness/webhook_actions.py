"""Actions of hosts and nodes on webhooks."""

from dataclasses import replace
from typing import Any

from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, RunningServer

TOPICS = ["day_opened", "day_closed", "race_started", "race_ended"]
INSIDE = replace(TEST_SETTINGS, private_destinations=("webhooks",), origin=("https://club.example",))


async def add(host: Person, url: str, **webhook: Any) -> dict[str, Any]:
    """Add a webhook."""
    status, made = await host.post("/house/webhooks", {"name": "The channel", "url": url, "topics": TOPICS, **webhook})
    assert status == 200, made
    found: dict[str, Any] = made
    return found


async def work(running_server: RunningServer) -> None:
    """Do the work of a node that is due every few seconds."""
    await running_server.server.sequencer.append_all()
    await running_server.server.news.detector.collect()
    await running_server.server.news.webhook_sender.send_due()


async def deliveries_of(host: Person, webhook: str) -> list[dict[str, Any]]:
    """Return the deliveries of a webhook, as sent to its host."""
    status, answer = await host.get(f"/house/webhooks/{webhook}/deliveries")
    assert status == 200, answer
    found: list[dict[str, Any]] = answer["deliveries"]
    return found
