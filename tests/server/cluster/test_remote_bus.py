"""What a bus over a network asks of its link."""

import asyncio
from collections.abc import Collection

from cadogan.server.core.cluster.bus import Lines
from cadogan.server.core.cluster.remote_bus import Link, OnLost, OnText, RemoteBus
from cadogan.server.core.metrics import Metrics
from tests.harness.patience import soon


class RecordingLink:
    """A link that is never lost; `updates` has the topics that were added and removed, one update after another."""

    def __init__(self) -> None:
        self.updates: asyncio.Queue[tuple[set[str], set[str]]] = asyncio.Queue()

    async def connect(self, on_text: OnText, on_lost: OnLost) -> Link:
        return self

    async def update_subscriptions(self, added: Collection[str], removed: Collection[str]) -> Collection[str]:
        self.updates.put_nowait((set(added), set(removed)))
        return added

    async def send(self, lines: Lines) -> None: ...
    async def ping(self) -> None: ...
    async def close(self) -> None: ...


async def test_a_topic_that_is_left_is_ended_with_the_next_one_that_is_followed() -> None:
    link = RecordingLink()
    bus = RemoteBus(link.connect, Metrics())
    bus.start()
    async with asyncio.timeout(soon()):
        bus.subscribe("left")
        while "left" not in (await link.updates.get())[0]:
            pass
        bus.unsubscribe("never followed")
        bus.unsubscribe("left")
        bus.subscribe("kept")
        assert await link.updates.get() == ({"kept"}, {"left"})
    await bus.close()
