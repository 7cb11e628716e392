"""A bus over a connection: what is common to all of them is here, what differs is a `Link`.

A command only adds to what waits; one task sends all that has gathered while the last was on its way, in one go. When
the connection is lost the task makes another, ever more patiently; what waited is sent then, and everything followed
here counts as missed. So it does every `PULSE` seconds, for what a connection has lost without a word.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Protocol

import structlog

from server.bus import Node
from server.metrics import Metrics

ALL = "all"
"""The topic on which a node says that it has lost count: any game may have moved on."""
MOST = 20_000
"""Names that may wait while there is no connection; beyond it only that there were many is remembered."""
PATIENCE = 5.0
"""Seconds after which a silent connection counts as lost."""
PULSE = 30.0
"""Seconds between two looks at what is followed, whatever has been heard; a silent connection is found out, too."""
FIRST_PAUSE = 0.05
LONGEST_PAUSE = 5.0
_ANY = "*"

log = structlog.stdlib.get_logger("cadogan.bus")

Waking = Mapping[str, tuple[int, Collection[str]]]
"""What wakes: by name the version, and the topics besides the name."""
Heard = Callable[[str], None]
"""Called with the text of a notification from another node."""
Lost = Callable[[], None]
"""Called when a link's connection is gone."""


class Link(Protocol):
    """A connection. Each call raises whatever it likes when the connection does not bear it; then it is closed."""

    async def subscribe(self, joined: Collection[str], left: Collection[str]) -> Collection[str]:
        """Hear of these topics, and no longer of those. Returns those of the first that it was deaf to until now."""

    async def send(self, waking: Waking) -> None:
        """Send, and return when it has been taken."""

    async def ping(self) -> None:
        """Ask for a sign of life."""

    async def close(self) -> None:
        """End the connection, which may be lost already."""


Connect = Callable[[Heard, Lost], Awaitable[Link]]


class RemoteBus:
    """The bus of one node over links that `connect` makes; a link brings no node its own wake-ups back."""

    def __init__(self, connect: Connect, metrics: Metrics, pulse: float = PULSE) -> None:
        self._connect = connect
        self._metrics = metrics
        self._pulse = pulse
        self._node: Node | None = None
        self._waiting: dict[str, tuple[int, Collection[str]]] = {}
        self._topics = {ALL}
        self._joined: set[str] = set()
        self._left: set[str] = set()
        self._stirred = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._current = 0
        self._connected = self._lost = self._closing = False

    def wake(self, name: str, version: int, topics: Collection[str] = (), *, sender: object) -> None:
        self._add(name, version, topics)
        self._stirred.set()

    def follow(self, topic: str) -> None:
        self._topics.add(topic)
        self._left.discard(topic)
        self._joined.add(topic)
        self._stirred.set()

    def forget(self, topic: str) -> None:
        self._topics.discard(topic)
        self._joined.discard(topic)
        self._left.add(topic)

    def listen(self, node: Node) -> None:
        self._node = node

    def leave(self, node: object) -> None:
        if self._node is node:
            self._node = None

    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._work())

    async def close(self) -> None:
        self._closing = True
        self._stirred.set()
        if self._task is not None:
            if self._connected:
                await asyncio.wait([self._task], timeout=PATIENCE)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _work(self) -> None:
        pause, connections, served = FIRST_PAUSE, 0, False
        while not self._closing:
            try:
                self._lost, connections = False, connections + 1
                self._current = connections
                async with asyncio.timeout(PATIENCE):
                    link = await self._connect(self._hear, partial(self._lose, connections))
                try:
                    await self._resume(link)
                    pause = FIRST_PAUSE
                    if served:
                        self._metrics.bus_reconnects.inc()
                    log.info("bus_is_here")
                    served = True
                    await self._serve(link)
                finally:
                    self._connected = False
                    with suppress(Exception):
                        async with asyncio.timeout(PATIENCE):
                            await link.close()
            except Exception as error:
                log.warning("bus_is_away", reason=type(error).__name__, again_in=round(pause, 2))
                await asyncio.sleep(pause * random.uniform(0.5, 1.0))
                pause = min(2 * pause, LONGEST_PAUSE)

    async def _resume(self, link: Link) -> None:
        """Follow everything again, then say that everything may have been missed."""
        self._joined.clear()
        self._left.clear()
        async with asyncio.timeout(PATIENCE):
            await link.subscribe(tuple(self._topics), ())
        self._connected = True
        self._miss(None)

    async def _serve(self, link: Link) -> None:
        """Send what waits as often as there is something, until the connection is lost or the bus is closed."""
        while True:
            self._stirred.clear()
            if self._lost:
                raise ConnectionError("the connection is lost")
            await self._subscribe(link)
            await self._send(link)
            if self._closing:
                return
            try:
                async with asyncio.timeout(self._pulse):
                    await self._stirred.wait()
            except TimeoutError:
                async with asyncio.timeout(PATIENCE):
                    await link.ping()
                self._miss(tuple(self._topics))

    async def _subscribe(self, link: Link) -> None:
        if self._joined:
            joined, self._joined = self._joined, set()
            left, self._left = self._left, set()
            async with asyncio.timeout(PATIENCE):
                deaf = await link.subscribe(joined, left)
            if deaf:
                self._miss(deaf)

    async def _send(self, link: Link) -> None:
        if not self._waiting:
            return
        waking, self._waiting = self._waiting, {}
        try:
            async with asyncio.timeout(PATIENCE):
                await link.send(waking)
        except BaseException:  # nobody knows how much of it got through: all of it again
            for name, (version, topics) in waking.items():
                self._add(name, version, topics)
            raise
        self._metrics.bus_sent.inc(len(waking))

    def _add(self, name: str, version: int, topics: Collection[str]) -> None:
        before = self._waiting.get(name)
        if before is not None:
            version, topics = max(version, before[0]), {*topics, *before[1]}
        elif _ANY in self._waiting:
            return
        elif len(self._waiting) >= MOST:
            self._waiting.clear()
            name, version, topics = _ANY, 0, (ALL,)
        self._waiting[name] = (version, topics)

    def _hear(self, text: str) -> None:
        for line in text.split("\n"):
            name, _, version = line.partition(" ")
            if name == _ANY:
                self._miss(None)
            elif version.isdecimal() and self._node is not None:
                self._metrics.bus_heard.inc()
                self._node.woken(name, int(version))

    def _miss(self, topics: Collection[str] | None) -> None:
        if self._node is not None:
            self._node.missed(topics)

    def _lose(self, connection: int) -> None:
        if connection == self._current:  # else the farewell of one that was given up before
            self._lost = True
            self._stirred.set()


def payloads(waking: Waking, most: int) -> list[str]:
    """Notifications of at most so many bytes that hold all of it, a line each.

    >>> payloads({"a": (3, ()), "b": (12, ()), "c": (1, ())}, 9)
    ['a 3\\nb 12', 'c 1']
    """
    found: list[list[str]] = []
    left = 0
    for name, (version, _) in waking.items():
        line = f"{name} {version}"
        size = len(line.encode()) + 1
        if not found or size > left:
            found.append([])
            left = most + 1
        found[-1].append(line)
        left -= size
    return ["\n".join(lines) for lines in found]


def by_topic(waking: Waking) -> dict[str, dict[str, tuple[int, Sequence[str]]]]:
    """The same, for each topic what belongs to it."""
    found: dict[str, dict[str, tuple[int, Sequence[str]]]] = {}
    for name, (version, topics) in waking.items():
        for topic in {name, *topics} - {_ANY}:
            found.setdefault(topic, {})[name] = (version, ())
    return found
