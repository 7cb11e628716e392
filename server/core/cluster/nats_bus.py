"""The bus over NATS, for many nodes: one subject per topic, and each node receives only the topics it subscribed to.

The address may end in a prefix for all subjects, as in `nats://127.0.0.1:4222/club`, so that several deployments can
share one NATS server (`cadogan.server.core.cluster.nats_address`). This module needs `nats-py` (the extra
`cadogan[nats]`), and it is imported only if NATS is chosen.
"""

import random
from collections.abc import Collection
from itertools import cycle

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import BadSubjectError, MaxPayloadError

from cadogan.server.core.cluster.bus import Lines, group_by_topic, pack_lines
from cadogan.server.core.cluster.nats_address import read_nats_address
from cadogan.server.core.cluster.remote_bus import LinesRefused, Link, LinkFactory, OnLost, OnText

MAX_MESSAGE_BYTES = 60_000
"""Maximum bytes in one message; less if the server's limit is lower."""


class NatsLink:
    """A connection to a NATS server, and its subscriptions."""

    def __init__(self, client: Client, prefix: str, on_text: OnText) -> None:
        self._client = client
        self._prefix = prefix
        self._on_text = on_text
        self._subscriptions: dict[str, Subscription] = {}

    async def update_subscriptions(self, added: Collection[str], removed: Collection[str]) -> Collection[str]:
        """Return the new topics once the server has registered them: a node that now reads the log misses nothing."""
        for topic in removed:
            subscription = self._subscriptions.pop(topic, None)
            if subscription is not None:
                await subscription.unsubscribe()
        new = [topic for topic in added if topic not in self._subscriptions]
        for topic in new:
            self._subscriptions[topic] = await self._client.subscribe(self._subject(topic), cb=self._receive)
        if new:
            await self._round_trip()
        return new

    async def send(self, lines: Lines) -> None:
        most = min(MAX_MESSAGE_BYTES, self._client.max_payload)
        try:
            for topic, of_topic in group_by_topic(lines).items():
                for text in pack_lines(of_topic, most):
                    await self._client.publish(self._subject(topic), text.encode())
        except (BadSubjectError, MaxPayloadError) as error:
            raise LinesRefused(type(error).__name__) from error
        await self._round_trip()

    async def ping(self) -> None:
        await self._round_trip()

    async def close(self) -> None:
        await self._client.close()

    async def _round_trip(self) -> None:
        """Return once the server has received everything.

        It flushes twice, because the PING of the first flush may overtake data in the client's buffer.
        """
        await self._client.flush()
        await self._client.flush()

    def _subject(self, topic: str) -> str:
        return f"{self._prefix}.{topic.replace('/', '.')}"

    async def _receive(self, message: Msg) -> None:
        self._on_text(message.data.decode(errors="replace"))


def make_link_factory(url: str) -> LinkFactory:
    """Return a function that connects to the NATS server at this URL; with several servers, to the next on each call.

    The nodes start with different servers. The servers of a cluster forward messages to each other.
    """
    address = read_nats_address(url)
    servers = cycle(random.sample(address.servers, len(address.servers)))

    async def connect(on_text: OnText, on_lost: OnLost) -> Link:
        async def report_lost(*_: object) -> None:
            on_lost()

        client = Client()
        try:
            await client.connect(
                next(servers),
                name="cadogan",
                tls=address.tls_context(),
                user_credentials=address.credentials,
                no_echo=True,
                allow_reconnect=False,  # RemoteBus reconnects, and then reports a gap
                connect_timeout=4,
                reconnect_time_wait=0,
                max_reconnect_attempts=1,
                ping_interval=10,
                error_cb=report_lost,
                disconnected_cb=report_lost,
                closed_cb=report_lost,
            )
        except BaseException:
            await client.close()  # otherwise it leaves its socket open
            raise
        return NatsLink(client, address.prefix, on_text)

    return connect
