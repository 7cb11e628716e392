"""A bus over a connection: the part that is the same for every kind of connection. What differs is a `Link`.

A publish only adds to a queue. One task sends everything that was queued while the last send was under way, in one go.
When the connection is lost, the task connects again, with exponential backoff and jitter; then it sends what waits, and
reports a gap for all topics. It also reports a gap for all subscribed topics every `HEALTH_CHECK_INTERVAL_SECONDS`, in
case a connection has lost something without an error.

On the wire a wake-up is the line `name version`, and a presence text is the line `name =text`.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, TypeVar

import structlog

from server.cluster.bus import BusListener
from server.core.metrics import Metrics

BROADCAST_TOPIC = "all"
"""The topic on which a node says that its queue was full: any game may have moved on."""
MAX_WAITING_NAMES = 20_000
"""Names that may wait while there is no connection; if there are more, one wake-up for everything replaces them."""
CONNECT_TIMEOUT_SECONDS = 5.0
"""Seconds that connecting may take."""
ANSWER_TIMEOUT_SECONDS = 5.0
"""Seconds after which a connection that does not answer counts as lost."""
CLOSE_TIMEOUT_SECONDS = 1.0
"""Seconds for sending what waits when the bus is closed, and for closing a connection."""
HEALTH_CHECK_INTERVAL_SECONDS = 30.0
"""Seconds without anything to send after which the connection is checked, and a gap is reported."""
FIRST_RETRY_SECONDS = 0.05
LONGEST_RETRY_SECONDS = 5.0
_EVERYTHING = "*"

log = structlog.stdlib.get_logger("cadogan.bus")

Lines = Mapping[str, Collection[str]]
"""The lines to send, each with the topics to which it belongs."""
Result = TypeVar("Result")
OnText = Callable[[str], None]
"""Called with the text of a notification from another node: one or more lines."""
OnLost = Callable[[], None]
"""Called when a link's connection is gone."""


class Link(Protocol):
    """One connection. Every method may raise any exception if the connection fails; the bus then closes the link."""

    async def update_subscriptions(self, added: Collection[str], removed: Collection[str]) -> Collection[str]:
        """Subscribe to the topics in `added` and unsubscribe from those in `removed`.

        Returns those of `added` that this link did not receive before: something may have been missed on them.
        """

    async def send(self, lines: Lines) -> None:
        """Send the lines, and return when the server has taken them."""

    async def ping(self) -> None:
        """Return when the server has answered."""

    async def close(self) -> None:
        """Close the connection, which may be lost already."""


LinkFactory = Callable[[OnText, OnLost], Awaitable[Link]]
"""Connects, and returns the link."""


class RemoteBus:
    """The bus of one node over a network. A link must not bring a node its own wake-ups.

    `connect` makes a link, `health_check_seconds` is the interval between two checks of a connection that is idle.
    """

    def __init__(
        self, connect: LinkFactory, metrics: Metrics, health_check_seconds: float = HEALTH_CHECK_INTERVAL_SECONDS
    ) -> None:
        self._connect = connect
        self._metrics = metrics
        self._health_check_seconds = health_check_seconds
        self._listener: BusListener | None = None
        self._wake_ups: dict[str, tuple[int, Collection[str]]] = {}
        self._presence: dict[str, str] = {}
        self._topics = {BROADCAST_TOPIC}
        self._added: set[str] = set()
        self._removed: set[str] = set()
        self._has_work = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._connection = 0
        self._lost = asyncio.Event()
        self._connected = self._closing = False

    def publish_wake_up(self, name: str, version: int, topics: Collection[str] = (), *, sender: object) -> None:
        self._queue_wake_up(name, version, topics)
        self._has_work.set()

    def publish_presence(self, name: str, text: str, *, sender: object) -> None:
        if name in self._presence or len(self._presence) < MAX_WAITING_NAMES:
            self._presence[name] = text
            self._has_work.set()

    def subscribe(self, topic: str) -> None:
        self._topics.add(topic)
        self._removed.discard(topic)
        self._added.add(topic)
        self._has_work.set()

    def unsubscribe(self, topic: str) -> None:
        self._topics.discard(topic)
        self._added.discard(topic)
        self._removed.add(topic)  # the link hears of it with the next topic that is added

    def add_listener(self, listener: BusListener) -> None:
        self._listener = listener

    def remove_listener(self, listener: object) -> None:
        if self._listener is listener:
            self._listener = None

    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        self._closing = True
        self._has_work.set()
        if self._task is not None:
            if self._connected:
                await asyncio.wait([self._task], timeout=CLOSE_TIMEOUT_SECONDS)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        """Connect and serve, again and again, until the bus is closed."""
        retry_seconds, connections, was_connected = FIRST_RETRY_SECONDS, 0, False
        while not self._closing:
            try:
                connections += 1
                self._connection = connections
                self._lost.clear()
                async with asyncio.timeout(CONNECT_TIMEOUT_SECONDS):
                    link = await self._connect(self._receive, partial(self._on_lost, connections))
                try:
                    await self._resume(link)
                    retry_seconds = FIRST_RETRY_SECONDS
                    if was_connected:
                        self._metrics.bus_reconnects.inc()
                    log.info("bus_connected")
                    was_connected = True
                    await self._serve(link)
                finally:
                    self._connected = False
                    with suppress(Exception):
                        async with asyncio.timeout(CLOSE_TIMEOUT_SECONDS):
                            await link.close()
            except Exception as error:
                log.warning("bus_disconnected", reason=type(error).__name__, retry_seconds=round(retry_seconds, 2))
                await asyncio.sleep(retry_seconds * random.uniform(0.5, 1.0))
                retry_seconds = min(2 * retry_seconds, LONGEST_RETRY_SECONDS)

    async def _resume(self, link: Link) -> None:
        """Subscribe to every topic on a new link, then report that anything may have been missed."""
        self._added.clear()
        self._removed.clear()
        await self._unless_lost(link.update_subscriptions(tuple(self._topics), ()))
        self._connected = True
        self._report_gap(None)

    async def _serve(self, link: Link) -> None:
        """Send what waits, whenever something does, until the connection is lost or the bus is closed."""
        while True:
            self._has_work.clear()
            if self._lost.is_set():
                raise ConnectionError("the connection is lost")
            await self._update_subscriptions(link)
            await self._send(link)
            if self._closing:
                return
            try:
                async with asyncio.timeout(self._health_check_seconds):
                    await self._has_work.wait()
            except TimeoutError:
                await self._unless_lost(link.ping())
                self._report_gap(tuple(self._topics))

    async def _unless_lost(self, call: Coroutine[Any, Any, Result]) -> Result:
        """Return the result of a link's call; raise ConnectionError when the connection is lost or does not answer.

        Without this, a driver whose connection is gone might wait for ever.
        """
        work, lost = asyncio.ensure_future(call), asyncio.ensure_future(self._lost.wait())
        try:
            await asyncio.wait((work, lost), timeout=ANSWER_TIMEOUT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise ConnectionError("the connection is lost, or does not answer")
            return work.result()
        finally:
            for task in (work, lost):
                task.cancel()
            await asyncio.gather(work, lost, return_exceptions=True)

    async def _update_subscriptions(self, link: Link) -> None:
        if self._added:
            added, self._added = self._added, set()
            removed, self._removed = self._removed, set()
            new = await self._unless_lost(link.update_subscriptions(added, removed))
            if new:
                self._report_gap(new)

    async def _send(self, link: Link) -> None:
        if not (self._wake_ups or self._presence):
            return
        wake_ups, self._wake_ups = self._wake_ups, {}
        presence, self._presence = self._presence, {}
        lines = {f"{name} {version}": {name, *topics} - {_EVERYTHING} for name, (version, topics) in wake_ups.items()}
        lines.update({f"{name} ={text}": {name} for name, text in presence.items()})
        try:
            await self._unless_lost(link.send(lines))
        except BaseException:  # it is unknown how much has arrived: queue all of it again
            for name, (version, topics) in wake_ups.items():
                self._queue_wake_up(name, version, topics)
            self._presence = presence | self._presence
            raise
        self._metrics.bus_sent.inc(len(lines))

    def _queue_wake_up(self, name: str, version: int, topics: Collection[str]) -> None:
        """Add a wake-up to the queue, or combine it with the one of that name that already waits."""
        queued = self._wake_ups.get(name)
        if queued is not None:
            version, topics = max(version, queued[0]), {*topics, *queued[1]}
        elif _EVERYTHING in self._wake_ups:
            return
        elif len(self._wake_ups) >= MAX_WAITING_NAMES:
            self._wake_ups.clear()
            name, version, topics = _EVERYTHING, 0, (BROADCAST_TOPIC,)
        self._wake_ups[name] = (version, topics)

    def _receive(self, text: str) -> None:
        for line in text.split("\n"):
            name, _, value = line.partition(" ")
            if name == _EVERYTHING:
                self._report_gap(None)
            elif self._listener is not None and value.isdecimal():
                self._metrics.bus_heard.inc()
                self._listener.on_wake_up(name, int(value))
            elif self._listener is not None and value.startswith("="):
                self._metrics.bus_heard.inc()
                self._listener.on_presence(name, value[1:])

    def _report_gap(self, topics: Collection[str] | None) -> None:
        if self._listener is not None:
            self._listener.on_gap(topics)

    def _on_lost(self, connection: int) -> None:
        if connection == self._connection:  # an earlier connection may report its end late
            self._lost.set()
            self._has_work.set()


def pack_lines(lines: Iterable[str], max_bytes: int) -> list[str]:
    """Join lines into notifications of at most `max_bytes` each. No single line may be longer.

    >>> pack_lines(["a 3", "b 12", "c 1"], 9)
    ['a 3\\nb 12', 'c 1']
    """
    packed: list[list[str]] = []
    left = 0
    for line in lines:
        size = len(line.encode()) + 1
        if not packed or size > left:
            packed.append([])
            left = max_bytes + 1
        packed[-1].append(line)
        left -= size
    return ["\n".join(some) for some in packed]


def group_by_topic(lines: Lines) -> dict[str, list[str]]:
    """Return the lines that belong to each topic.

    >>> group_by_topic({"a 3": ("a", "ended"), "b 7": ("b", "ended")})
    {'a': ['a 3'], 'ended': ['a 3', 'b 7'], 'b': ['b 7']}
    """
    grouped: dict[str, list[str]] = {}
    for line, topics in lines.items():
        for topic in topics:
            grouped.setdefault(topic, []).append(line)
    return grouped
