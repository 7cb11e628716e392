"""A bus over a connection: what is common to all of them is here, what differs is a `Link`.

A command only adds to what waits; one task sends all that has gathered while the last was on its way, in one go. When
the connection is lost the task makes another, ever more patiently; what waited is sent then, and everything followed
here counts as missed. So it does every `PULSE` seconds, for what a connection has lost without a word.

On the way a wake-up is the line `name version`, and what a node says is `name =text`.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, TypeVar

import structlog

from server.cluster.bus import Node
from server.core.metrics import Metrics

ALL = "all"
"""The topic on which a node says that it has lost count: any game may have moved on."""
MOST = 20_000
"""Names that may wait while there is no connection; beyond it only that there were many is remembered."""
PATIENCE = 5.0
"""Seconds after which a silent connection counts as lost."""
FAREWELL = 1.0
"""Seconds that what waits gets to be sent, when the bus is closed."""
PULSE = 30.0
"""Seconds between two looks at what is followed, whatever has been heard; a silent connection is found out, too."""
FIRST_PAUSE = 0.05
LONGEST_PAUSE = 5.0
_ANY = "*"

log = structlog.stdlib.get_logger("cadogan.bus")

Lines = Mapping[str, Collection[str]]
"""What is sent: lines, and the topics that each belongs to."""
Result = TypeVar("Result")
Heard = Callable[[str], None]
"""Called with the text of a notification from another node."""
Lost = Callable[[], None]
"""Called when a link's connection is gone."""


class Link(Protocol):
    """A connection. Each call raises whatever it likes when the connection does not bear it; then it is closed."""

    async def subscribe(self, joined: Collection[str], left: Collection[str]) -> Collection[str]:
        """Hear of these topics, and no longer of those. Returns those of the first that it was deaf to until now."""

    async def send(self, lines: Lines) -> None:
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
        self._said: dict[str, str] = {}
        self._topics = {ALL}
        self._joined: set[str] = set()
        self._left: set[str] = set()
        self._stirred = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._current = 0
        self._lost = asyncio.Event()
        self._connected = self._closing = False

    def wake(self, name: str, version: int, topics: Collection[str] = (), *, sender: object) -> None:
        self._add(name, version, topics)
        self._stirred.set()

    def say(self, name: str, text: str, *, sender: object) -> None:
        if name in self._said or len(self._said) < MOST:
            self._said[name] = text
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
                await asyncio.wait([self._task], timeout=FAREWELL)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _work(self) -> None:
        pause, connections, served = FIRST_PAUSE, 0, False
        while not self._closing:
            try:
                connections += 1
                self._current = connections
                self._lost.clear()
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
                        async with asyncio.timeout(FAREWELL):
                            await link.close()
            except Exception as error:
                log.warning("bus_is_away", reason=type(error).__name__, again_in=round(pause, 2))
                await asyncio.sleep(pause * random.uniform(0.5, 1.0))
                pause = min(2 * pause, LONGEST_PAUSE)

    async def _resume(self, link: Link) -> None:
        """Follow everything again, then say that everything may have been missed."""
        self._joined.clear()
        self._left.clear()
        await self._through(link.subscribe(tuple(self._topics), ()))
        self._connected = True
        self._miss(None)

    async def _serve(self, link: Link) -> None:
        """Send what waits as often as there is something, until the connection is lost or the bus is closed."""
        while True:
            self._stirred.clear()
            if self._lost.is_set():
                raise ConnectionError("the connection is lost")
            await self._subscribe(link)
            await self._send(link)
            if self._closing:
                return
            try:
                async with asyncio.timeout(self._pulse):
                    await self._stirred.wait()
            except TimeoutError:
                await self._through(link.ping())
                self._miss(tuple(self._topics))

    async def _through(self, call: Coroutine[Any, Any, Result]) -> Result:
        """What a link's call returns, unless the connection is lost meanwhile: a driver may then wait in vain."""
        work, lost = asyncio.ensure_future(call), asyncio.ensure_future(self._lost.wait())
        try:
            await asyncio.wait((work, lost), timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise ConnectionError("the connection is lost, or silent")
            return work.result()
        finally:
            for task in (work, lost):
                task.cancel()
            await asyncio.gather(work, lost, return_exceptions=True)

    async def _subscribe(self, link: Link) -> None:
        if self._joined:
            joined, self._joined = self._joined, set()
            left, self._left = self._left, set()
            deaf = await self._through(link.subscribe(joined, left))
            if deaf:
                self._miss(deaf)

    async def _send(self, link: Link) -> None:
        if not (self._waiting or self._said):
            return
        waking, self._waiting = self._waiting, {}
        said, self._said = self._said, {}
        lines = {f"{name} {version}": {name, *topics} - {_ANY} for name, (version, topics) in waking.items()}
        lines.update({f"{name} ={text}": {name} for name, text in said.items()})
        try:
            await self._through(link.send(lines))
        except BaseException:  # nobody knows how much of it got through: all of it again
            for name, (version, topics) in waking.items():
                self._add(name, version, topics)
            self._said = said | self._said
            raise
        self._metrics.bus_sent.inc(len(lines))

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
            name, _, said = line.partition(" ")
            if name == _ANY:
                self._miss(None)
            elif self._node is not None and said.isdecimal():
                self._metrics.bus_heard.inc()
                self._node.woken(name, int(said))
            elif self._node is not None and said.startswith("="):
                self._metrics.bus_heard.inc()
                self._node.told(name, said[1:])

    def _miss(self, topics: Collection[str] | None) -> None:
        if self._node is not None:
            self._node.missed(topics)

    def _lose(self, connection: int) -> None:
        if connection == self._current:  # else the farewell of one that was given up before
            self._lost.set()
            self._stirred.set()


def payloads(lines: Iterable[str], most: int) -> list[str]:
    """Notifications of at most so many bytes that hold all of these lines, none of which is longer.

    >>> payloads(["a 3", "b 12", "c 1"], 9)
    ['a 3\\nb 12', 'c 1']
    """
    found: list[list[str]] = []
    left = 0
    for line in lines:
        size = len(line.encode()) + 1
        if not found or size > left:
            found.append([])
            left = most + 1
        found[-1].append(line)
        left -= size
    return ["\n".join(some) for some in found]


def by_topic(lines: Lines) -> dict[str, list[str]]:
    """The lines that belong to each topic.

    >>> by_topic({"a 3": ("a", "ended"), "b 7": ("b", "ended")})
    {'a': ['a 3'], 'ended': ['a 3', 'b 7'], 'b': ['b 7']}
    """
    found: dict[str, list[str]] = {}
    for line, topics in lines.items():
        for topic in topics:
            found.setdefault(topic, []).append(line)
    return found
