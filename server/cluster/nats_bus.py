"""The bus over NATS, for many nodes: a subject per topic, and each node hears of what it follows only.

The address may end in the first word of all subjects, `nats://127.0.0.1:4222/club`, so that several deployments can
share one NATS; it is `cadogan` by default. Needs `nats-py`, the extra `cadogan[nats]`; imported only when chosen.
"""

from collections.abc import Collection
from urllib.parse import urlsplit

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from server.cluster.remote_bus import Connect, Heard, Lines, Link, Lost, by_topic, payloads

LARGEST = 60_000
"""Bytes in one message."""
PREFIX = "cadogan"


class NatsLink:
    """A connection and its subscriptions."""

    def __init__(self, client: Client, prefix: str, heard: Heard) -> None:
        self._client = client
        self._prefix = prefix
        self._heard = heard
        self._subscriptions: dict[str, Subscription] = {}

    async def subscribe(self, joined: Collection[str], left: Collection[str]) -> Collection[str]:
        """Return when the server hears for us: whoever reads the log from now on misses nothing."""
        for topic in left:
            subscription = self._subscriptions.pop(topic, None)
            if subscription is not None:
                await subscription.unsubscribe()
        new = [topic for topic in joined if topic not in self._subscriptions]
        for topic in new:
            self._subscriptions[topic] = await self._client.subscribe(self._subject(topic), cb=self._take)
        if new:
            await self._round_trip()
        return new

    async def send(self, lines: Lines) -> None:
        for topic, own in by_topic(lines).items():
            for text in payloads(own, LARGEST):
                await self._client.publish(self._subject(topic), text.encode())
        await self._round_trip()

    async def ping(self) -> None:
        await self._round_trip()

    async def close(self) -> None:
        await self._client.close()

    async def _round_trip(self) -> None:
        """Return when the server has everything. A first PING may overtake what still waits in the client's buffer."""
        await self._client.flush()
        await self._client.flush()

    def _subject(self, topic: str) -> str:
        return f"{self._prefix}.{topic.replace('/', '.')}"

    async def _take(self, message: Msg) -> None:
        self._heard(message.data.decode(errors="replace"))


def links(url: str) -> Connect:
    """What makes links to the NATS server at this address."""
    prefix = urlsplit(url).path.strip("/") or PREFIX
    server = urlsplit(url)._replace(path="").geturl()

    async def connect(heard: Heard, lost: Lost) -> Link:
        async def gone(*_: object) -> None:
            lost()

        client = Client()
        try:
            await client.connect(
                server,
                name="cadogan",
                no_echo=True,
                allow_reconnect=False,  # the bus does that, and then holds what is followed against the log
                connect_timeout=4,
                reconnect_time_wait=0,
                max_reconnect_attempts=1,
                ping_interval=10,
                error_cb=gone,
                disconnected_cb=gone,
                closed_cb=gone,
            )
        except BaseException:
            await client.close()  # else it leaves its socket open
            raise
        return NatsLink(client, prefix, heard)

    return connect
