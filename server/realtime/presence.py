"""Presence: how many people watch each game, and who, on this node and on the others.

Viewers get it at most once an interval, when it has changed. Each node publishes its own counts on the bus when they
change, and repeats them every `REPEAT_SECONDS`. What a node has published holds for `EXPIRY_SECONDS`, so that a node
that has ended, or is cut off, counts no longer than that. Presence is shown and decides nothing, so it may be lost.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable
from itertools import islice
from typing import Annotated

from msgspec import DecodeError, Meta, Struct, json

from cadogan.server.core import ids
from cadogan.server.core.username_rules import MAX_NAME_LENGTH
from cadogan.server.eventlog.streams import GAMES, id_of
from cadogan.server.realtime.coalescing import Coalescer
from cadogan.server.realtime.connection import WRITES_PER_SLICE
from cadogan.server.realtime.hub import Hub
from cadogan.server.realtime.topics import game_topic
from cadogan.wire import messages as wire

REPEAT_SECONDS = 3.0
"""Seconds after which a node publishes again what has not changed."""
EXPIRY_SECONDS = 8.0
"""Seconds for which the counts of another node hold."""
MAX_NAMES = 20
"""How many of those who watch a game are named."""


class NodePresence(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """Who watches a game on one node: `["b6ab81", 2, ["Ann"]]`. Only the first of those with a name are named."""

    node: Annotated[str, Meta(min_length=1, max_length=ids.LENGTH)]
    watchers: Annotated[int, Meta(ge=0)]
    names: Annotated[tuple[Annotated[str, Meta(max_length=MAX_NAME_LENGTH)], ...], Meta(max_length=MAX_NAMES)] = ()


_encode = json.Encoder().encode
_decode = json.Decoder(NodePresence).decode


class OtherNodes:
    """What other nodes have published of the games that are watched here, and until when it holds."""

    def __init__(self, expiry_seconds: float = EXPIRY_SECONDS) -> None:
        self._expiry_seconds = expiry_seconds
        self._games: dict[str, dict[str, tuple[NodePresence, float]]] = {}

    def receive(self, game_id: str, text: str, at: float) -> tuple[bool, bool]:
        """Take what a node has published, `at` seconds of the loop's clock; what cannot be read is left out.

        Return whether it is news, and whether these are the first watchers there.

        >>> others = OtherNodes()
        >>> [others.receive("game", '["b6ab81",2,[]]', at=0.0) for _ in range(2)], others.watchers("game")
        ([(True, True), (False, False)], 2)
        """
        try:
            present = _decode(text)
        except DecodeError:
            return False, False
        nodes = self._games.setdefault(game_id, {})
        before, _ = nodes.get(present.node, (None, 0.0))
        nodes[present.node] = present, at + self._expiry_seconds
        return before != present, before is None or not before.watchers

    def watchers(self, game_id: str) -> int:
        """Return how many watch a game on the other nodes."""
        return sum(present.watchers for present, _ in self._games.get(game_id, {}).values())

    def names(self, game_id: str) -> Iterable[str]:
        """Return the names of those who have one, some of them perhaps twice."""
        return (name for present, _ in self._games.get(game_id, {}).values() for name in present.names)

    def forget(self, game_id: str) -> None:
        """Drop what was published of a game that nobody here watches any more."""
        self._games.pop(game_id, None)

    def expire(self, at: float) -> list[str]:
        """Drop what holds no longer at that moment, and return the games of which something was dropped."""
        changed = []
        for game_id, nodes in tuple(self._games.items()):
            left = {node: (present, until) for node, (present, until) in nodes.items() if until > at}
            if len(left) < len(nodes):
                self._games[game_id] = left
                changed.append(game_id)
        return changed


class Presence:
    """Who watches the games of one node. `publish` sends a text about a game to the other nodes."""

    def __init__(
        self,
        hub: Hub,
        coalescer: Coalescer,
        publish: Callable[[str, str], None],
        repeat_seconds: float = REPEAT_SECONDS,
        expiry_seconds: float = EXPIRY_SECONDS,
    ) -> None:
        self._hub = hub
        self._coalescer = coalescer
        self._publish = publish
        self._repeat_seconds = repeat_seconds
        self._node = ids.new_id()
        self._others = OtherNodes(expiry_seconds)
        self._sent: dict[str, tuple[int, list[str]]] = {}
        self._published: dict[str, NodePresence] = {}
        self._repeating: asyncio.Task[None] | None = None
        hub.on_change(self._on_subscription_change)

    def watchers(self, game_id: str) -> int:
        """Return how many connections watch a game, on all nodes as far as they have published it."""
        return len(self._hub.subscribers(game_topic(game_id)).spectators) + self._others.watchers(game_id)

    def names(self, game_id: str) -> list[str]:
        """Return the names of the first of them who have one, each once."""
        names = [*self._here(game_id).names, *self._others.names(game_id)]
        return list(islice(dict.fromkeys(names), MAX_NAMES))

    def receive(self, game_id: str, text: str) -> None:
        """Take what another node has published of a game; a node that is new to the game is answered."""
        if not self._hub.has_subscribers(game_topic(game_id)):
            return
        is_news, is_new_node = self._others.receive(game_id, text, asyncio.get_running_loop().time())
        if is_new_node and self._here(game_id).watchers:
            self._published.pop(game_id, None)
        if is_news:
            self._request_update(game_id)

    async def resync(self, topics: Collection[str] | None) -> None:
        """Publish all counts again soon, if what was published may have been lost for any topic (None)."""
        if topics is not None:
            return
        self._published.clear()
        for game_id in self._watched_games():
            self._request_update(game_id)

    def start(self) -> None:
        """Begin to repeat the counts, in the running loop."""
        self._repeating = asyncio.get_running_loop().create_task(self._repeat())

    def stop(self) -> None:
        """Repeat nothing any more, and publish that nobody watches here."""
        if self._repeating is not None:
            self._repeating.cancel()
        for game_id in {*self._watched_games(), *self._published}:
            self._send_to_nodes(game_id, NodePresence(self._node, 0))

    def _watched_games(self) -> list[str]:
        return [id_of(topic) for topic in self._hub.topics() if topic.startswith(GAMES)]

    def _on_subscription_change(self, topic: str) -> None:
        if topic.startswith(GAMES):
            if not self._hub.has_subscribers(topic):
                self._others.forget(id_of(topic))
                self._sent.pop(id_of(topic), None)
            self._request_update(id_of(topic))

    def _request_update(self, game_id: str) -> None:
        self._coalescer.request(("presence", game_id), lambda: self._update(game_id))

    def _update(self, game_id: str) -> None:
        """Send and publish what has changed since it was last sent and published."""
        if not self._hub.has_subscribers(game_topic(game_id)):
            self._published.pop(game_id, None)
            self._send_to_nodes(game_id, NodePresence(self._node, 0))
            return
        present = (self.watchers(game_id), self.names(game_id))
        if self._sent.get(game_id, (0, [])) != present:
            self._sent[game_id] = present
            message = wire.Presence(game=game_id, watchers=present[0], names=present[1] or None)
            self._hub.send(game_topic(game_id), message)
        here = self._here(game_id)
        if self._published.get(game_id) != here:
            self._published[game_id] = here
            self._send_to_nodes(game_id, here)

    def _here(self, game_id: str) -> NodePresence:
        spectators = self._hub.subscribers(game_topic(game_id)).spectators
        names = islice(dict.fromkeys(viewer.name for viewer in spectators if viewer.name), MAX_NAMES)
        return NodePresence(self._node, len(spectators), tuple(names))

    async def _repeat(self) -> None:
        while True:
            await asyncio.sleep(self._repeat_seconds)
            for number, game_id in enumerate(self._watched_games()):
                if number % WRITES_PER_SLICE == WRITES_PER_SLICE - 1:
                    await asyncio.sleep(0)
                here = self._here(game_id)
                if here.watchers:
                    self._send_to_nodes(game_id, here)
            for game_id in self._others.expire(asyncio.get_running_loop().time()):
                self._request_update(game_id)

    def _send_to_nodes(self, game_id: str, present: NodePresence) -> None:
        self._publish(game_id, _encode(present).decode())
