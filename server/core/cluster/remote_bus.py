"""A bus over a connection: the part that is the same for every kind of connection. The rest is a `Link`.

A publish only adds to a queue. One task sends everything that was queued while the last send was under way, in one go.
When the connection is lost, the task reconnects, with exponential backoff and jitter; then it sends the queue, and
reports a gap for all topics. It also reports a gap for all subscribed topics every `HEALTH_CHECK_INTERVAL_SECONDS`, in
case a connection has lost messages without an error.

Invalid messages are dropped and counted: an invalid name, a line that is too long (`cadogan.server.core.cluster.bus`),
a line that the server of the bus refuses. During an outage messages stay queued.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, TypeVar

import structlog

from cadogan.server.core.cluster.bus import (
    AnyLine,
    BusListener,
    GapLine,
    Lines,
    PresenceLine,
    UnsendableLine,
    WakeUpLine,
    decode_lines,
    encode_line,
    is_name,
)
from cadogan.server.core.metrics import Metrics

BROADCAST_TOPIC = "all"
"""The topic on which a node reports that its queue was full: any game may have changed."""
MAX_WAITING_NAMES = 20_000
"""Maximum number of queued names while disconnected; beyond it one gap for all topics replaces them."""
CONNECT_TIMEOUT_SECONDS = 5.0
"""Timeout for connecting, in seconds."""
ANSWER_TIMEOUT_SECONDS = 5.0
"""Seconds after which a connection that does not answer counts as lost."""
CLOSE_TIMEOUT_SECONDS = 1.0
"""Seconds for sending the queue when the bus is closed, and for closing a connection."""
HEALTH_CHECK_INTERVAL_SECONDS = 30.0
"""Seconds without anything to send after which the connection is checked, and a gap is reported."""
FIRST_RETRY_SECONDS = 0.05
LONGEST_RETRY_SECONDS = 5.0

log = structlog.stdlib.get_logger("cadogan.bus")

Result = TypeVar("Result")
OnText = Callable[[str], None]
"""Called with the text of a notification from another node: one or more lines."""
OnLost = Callable[[], None]
"""Called when a link's connection is lost."""


class LinesRefused(Exception):
    """The server of the bus works but rejects these lines because of their content; it has sent none of them."""


class Link(Protocol):
    """One connection. Every method may raise any exception if the connection fails; the bus then closes the link."""

    async def update_subscriptions(self, added: Collection[str], removed: Collection[str]) -> Collection[str]:
        """Subscribe to the topics in `added` and unsubscribe from those in `removed`.

        Returns those of `added` that this link did not receive before, so that wake-ups may have been missed.
        """

    async def send(self, lines: Lines) -> None:
        """Send the lines, and return when the server has accepted them. Raises LinesRefused."""

    async def ping(self) -> None:
        """Return when the server has answered."""

    async def close(self) -> None:
        """Close the connection, which may be lost already."""


LinkFactory = Callable[[OnText, OnLost], Awaitable[Link]]
"""Connects, and returns the link."""


class RemoteBus:
    """The bus of one node over a network. A link must not deliver a node's own wake-ups to it.

    `connect` makes a link, `health_check_seconds` is the interval between two checks of an idle connection.
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
        self._has_gap = False
        self._topics = {BROADCAST_TOPIC}
        self._added: set[str] = set()
        self._removed: set[str] = set()
        self._has_work = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._connection = 0
        self._lost = asyncio.Event()
        self._connected = self._closing = False

    def publish_wake_up(self, name: str, version: int, topics: Collection[str] = (), *, sender: object) -> None:
        if self._are_names(name, *topics) and self._encoded(WakeUpLine(name, version)):
            self._queue_wake_up(name, version, topics)
            self._has_work.set()

    def publish_presence(self, name: str, text: str, *, sender: object) -> None:
        if name not in self._presence and len(self._presence) >= MAX_WAITING_NAMES:
            return
        if line := self._encoded(PresenceLine(name, text)):
            self._presence[name] = line
            self._has_work.set()

    def subscribe(self, topic: str) -> None:
        if self._are_names(topic):
            self._topics.add(topic)
            self._removed.discard(topic)
            self._added.add(topic)
            self._has_work.set()

    def unsubscribe(self, topic: str) -> None:
        if topic in self._topics:
            self._topics.discard(topic)
            self._added.discard(topic)
            self._removed.add(topic)  # sent to the link together with the next added topic

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
        """Connect and serve in a loop, until the bus is closed."""
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
        """Subscribe to every topic on a new link, then report a gap for all topics."""
        self._added.clear()
        self._removed.clear()
        await self._unless_lost(link.update_subscriptions(tuple(self._topics), ()))
        self._connected = True
        self._report_gap(None)

    async def _serve(self, link: Link) -> None:
        """Send the queue whenever it is not empty, until the connection is lost or the bus is closed."""
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

        Without this, a driver whose connection is lost might wait for ever.
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
        if not (self._wake_ups or self._presence or self._has_gap):
            return
        wake_ups, self._wake_ups = self._wake_ups, {}
        presence, self._presence = self._presence, {}
        has_gap, self._has_gap = self._has_gap, False
        lines: dict[str, Collection[str]] = {encode_line(GapLine()): (BROADCAST_TOPIC,)} if has_gap else {}
        lines.update(
            (encode_line(WakeUpLine(name, version)), {name, *topics}) for name, (version, topics) in wake_ups.items()
        )
        lines.update((line, (name,)) for name, line in presence.items())
        try:
            await self._send_lines(link, lines)
        except BaseException:  # unknown how much has arrived: queue all of it again; newer entries win
            self._has_gap |= has_gap
            for name, (version, topics) in wake_ups.items():
                self._queue_wake_up(name, version, topics)
            self._presence = presence | self._presence
            raise

    async def _send_lines(self, link: Link, lines: Lines) -> None:
        """Send lines. If the server refuses some of them, find these by bisection, and drop them."""
        try:
            await self._unless_lost(link.send(lines))
            self._metrics.bus_sent.inc(len(lines))
        except LinesRefused as refused:
            if len(lines) == 1:
                self._drop("refused", str(refused))
                return
            both = list(lines.items())
            for half in (both[: len(both) // 2], both[len(both) // 2 :]):
                await self._send_lines(link, dict(half))

    def _queue_wake_up(self, name: str, version: int, topics: Collection[str]) -> None:
        """Add a wake-up to the queue, or merge it with the queued one of the same name."""
        queued = self._wake_ups.get(name)
        if queued is not None:
            version, topics = max(version, queued[0]), {*topics, *queued[1]}
        elif self._has_gap:
            return
        elif len(self._wake_ups) >= MAX_WAITING_NAMES:
            self._wake_ups.clear()
            self._has_gap = True
            return
        self._wake_ups[name] = (version, topics)

    def _are_names(self, *names: str) -> bool:
        if all(map(is_name, names)):
            return True
        self._drop("unsendable", "no name")
        return False

    def _encoded(self, line: AnyLine) -> str | None:
        try:
            return encode_line(line)
        except UnsendableLine as error:
            self._drop("unsendable", str(error))
            return None

    def _drop(self, why: str, reason: str) -> None:
        self._metrics.bus_dropped.labels(why).inc()
        log.warning("bus_line_dropped", why=why, reason=reason)

    def _receive(self, text: str) -> None:
        for line in decode_lines(text):
            if line is None:
                self._metrics.bus_dropped.labels("unreadable").inc()
            elif isinstance(line, GapLine):
                self._report_gap(None)
            elif self._listener is not None:
                self._metrics.bus_heard.inc()
                if isinstance(line, WakeUpLine):
                    self._listener.on_wake_up(line.name, line.version)
                else:
                    self._listener.on_presence(line.name, line.text)

    def _report_gap(self, topics: Collection[str] | None) -> None:
        if self._listener is not None:
            self._listener.on_gap(topics)

    def _on_lost(self, connection: int) -> None:
        if connection == self._connection:  # an earlier connection may report its end late
            self._lost.set()
            self._has_work.set()
