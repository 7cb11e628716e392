"""Who watches a game, on all nodes: counted and named within seconds, and a node that is gone counts no more."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from msgspec import json

from cadogan.server.core.cluster.bus import MAX_PRESENCE_BYTES
from cadogan.server.core.event_loop import Coalescer
from cadogan.server.core.games.visibility import AccessLevel
from cadogan.server.core.live.hub import Hub, game_topic
from cadogan.server.core.live.presence import MAX_NAMES, NodePresence, Presence
from cadogan.server.core.username_rules import MAX_NAME_LENGTH
from tests.harness.patience import soon
from tests.server.realtime.test_connection import Audience

QUICK = 0.01
"""Seconds between two presence messages, and a fifth of the seconds for which one is valid, in the quick tests."""


class Node:
    """One node: its hub and its presence, which sends only when a test says so."""

    def __init__(self, square: "Square", beat: float, lapse: float) -> None:
        self.coalescer = Coalescer(beat)
        self.hub = Hub(self.coalescer)
        self.presence = Presence(
            self.hub, self.coalescer, lambda game, text: square.publish(self, game, text), beat, lapse
        )

    def close(self) -> None:
        self.coalescer.close()
        self.presence.stop()


class Square:
    """As many nodes, which hear each other unless they are cut off."""

    def __init__(self, nodes: int, beat: float = 3600.0, lapse: float = 3600.0) -> None:
        self.nodes = [Node(self, beat, lapse) for _ in range(nodes)]
        self.cut: set[Node] = set()
        self.said: list[str] = []
        self._spoken = asyncio.Event()

    def publish(self, sender: Node, game: str, text: str) -> None:
        """Hand what a node publishes to the others."""
        self.said.append(text)
        self._spoken.set()
        for node in self.nodes:
            if sender is not node and not {sender, node} & self.cut:
                node.presence.receive(game, text)

    def watch(self, node: Node, name: str | None = None, sight: AccessLevel = AccessLevel.BOARD) -> Audience:
        """Somebody who follows the game at a node."""
        one = Audience()
        one.viewer.topics.clear()
        one.viewer.name = name
        node.hub.subscribe(one.viewer, game_topic("game"), sight)
        return one

    def tell(self, times: int = 3) -> None:
        """Let the nodes tell each other, and answer."""
        for _ in range(times):
            for node in self.nodes:
                node.coalescer.flush()

    async def until(self, *counts: int) -> None:
        """Wait until the nodes know of so many."""
        async with asyncio.timeout(soon()):
            while self.counts != list(counts):
                self._spoken.clear()
                await self._spoken.wait()

    @property
    def counts(self) -> list[int]:
        """How many watch, as each node knows it."""
        return [node.presence.watchers("game") for node in self.nodes]


@pytest.fixture
async def square() -> AsyncIterator[Square]:
    """Two nodes that tell each other of themselves only when they are asked to."""
    square = Square(2)
    yield square
    for node in square.nodes:
        node.close()


def last_presence(one: Audience) -> tuple[int, list[str]]:
    """What somebody was told last of who watches."""
    message = json.decode(one.pipe.taken[-1][2:])
    assert message["type"] == "presence"
    return message["watchers"], message.get("names", [])


async def test_those_who_watch_at_another_node_are_counted_and_named(square: Square) -> None:
    first, second = square.nodes
    player = square.watch(first, "Ann", AccessLevel.SEAT)
    square.watch(first, "Bob")
    square.tell()
    square.watch(second, "Cleo")
    square.watch(second)
    square.watch(second, "Bob")
    square.tell()
    assert square.counts == [4, 4]
    assert last_presence(player) == (4, ["Bob", "Cleo"])


async def test_a_node_that_nobody_watched_at_learns_of_the_others_when_somebody_comes(square: Square) -> None:
    first, second = square.nodes
    square.watch(first)
    square.tell()
    player = square.watch(second, "Ann", AccessLevel.SEAT)
    square.tell()
    assert last_presence(player) == (1, [])


async def test_a_node_to_which_somebody_comes_back_learns_of_the_others_again(square: Square) -> None:
    first, second = square.nodes
    square.watch(first)
    one = square.watch(second)
    square.tell()
    second.hub.remove(one.viewer)
    square.tell()
    square.watch(second)
    square.tell()
    assert square.counts == [2, 2]


async def test_a_watcher_who_leaves_at_another_node_is_no_longer_counted(square: Square) -> None:
    first, second = square.nodes
    square.watch(first)
    one, two = square.watch(second), square.watch(second)
    square.tell()
    second.hub.remove(one.viewer)
    square.tell()
    assert square.counts == [2, 2]
    second.hub.remove(two.viewer)
    square.tell()
    assert first.presence.watchers("game") == 1


async def test_watchers_of_a_stopping_node_are_removed_at_once(square: Square) -> None:
    first, second = square.nodes
    square.watch(first)
    square.watch(second)
    square.tell()
    second.close()
    square.tell()
    assert first.presence.watchers("game") == 1


async def test_unchanged_presence_is_not_repeated_before_it_expires(square: Square) -> None:
    for node in square.nodes:
        square.watch(node)
    square.tell()
    square.said.clear()
    square.tell()
    assert square.said == []


async def test_presence_is_repeated_when_the_bus_reports_lost_messages(square: Square) -> None:
    first, second = square.nodes
    square.watch(first)
    square.cut = {second}
    square.watch(second)
    square.tell()
    assert square.counts == [1, 1]
    square.cut = set()
    await second.presence.resync(None)
    square.tell()
    assert square.counts == [2, 2]


async def test_watchers_of_a_lost_node_expire_and_count_again_when_it_is_back() -> None:
    square = Square(2, beat=QUICK, lapse=20 * QUICK)
    _, second = square.nodes
    for node in square.nodes:
        square.watch(node)
        node.presence.start()
    await square.until(2, 2)
    square.cut = {second}
    await square.until(1, 1)
    square.cut = set()
    await square.until(2, 2)
    for node in square.nodes:
        node.close()


async def test_unreadable_presence_from_another_node_is_ignored(square: Square) -> None:
    first, _ = square.nodes
    square.watch(first)
    for text in ("", "[]", "{}", '["node"]', '["node",-', "7 x"):
        first.presence.receive("game", text)
    assert first.presence.watchers("game") == 1


def test_the_most_and_longest_names_fit_into_one_presence_message() -> None:
    names = tuple("\U0001f0a1" * MAX_NAME_LENGTH for _ in range(MAX_NAMES))
    assert len(json.encode(NodePresence("0123456789abcdef", 10**9, names))) <= MAX_PRESENCE_BYTES
