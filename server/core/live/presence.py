"""Presence: how many people watch each game, and who, on this node and on the others.

Viewers receive it at most once per interval, when it has changed. Each node publishes its own counts on the bus when
they change, and repeats them every `REPEAT_SECONDS`. Counts expire after `EXPIRY_SECONDS`, so a node that has stopped
or is disconnected is not counted longer. Presence is only shown and decides nothing, so it may be lost.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable
from itertools import islice
from typing import Annotated

from msgspec import DecodeError, Meta, Struct, json

from cadogan.server.core import ids
from cadogan.server.core.event_loop import Coalescer
from cadogan.server.core.eventlog.streams import GAMES, id_of
from cadogan.server.core.live.connection import WRITES_PER_SLICE
from cadogan.server.core.live.hub import Hub, game_topic
from cadogan.server.core.username_rules import MAX_NAME_LENGTH
from cadogan.wire import messages as wire

REPEAT_SECONDS = 3.0
"""Seconds after which a node publishes unchanged counts again."""
EXPIRY_SECONDS = 8.0
"""Seconds after which the counts of another node expire."""
MAX_NAMES = 20
"""Maximum number of watchers of a game that are named."""


class NodePresence(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """Who watches a game on one node: `["b6ab81", 2, ["Ann"]]`. Only the first of those with a name are named."""

    node: Annotated[str, Meta(min_length=1, max_length=ids.LENGTH)]
    watchers: Annotated[int, Meta(ge=0)]
    names: Annotated[tuple[Annotated[str, Meta(max_length=MAX_NAME_LENGTH)], ...], Meta(max_length=MAX_NAMES)] = ()


_encode = json.Encoder().encode
_decode = json.Decoder(NodePresence).decode


class OtherNodes:
    """The counts published by other nodes for games that are watched here, with their expiry times."""

    def __init__(self, expiry_seconds: float = EXPIRY_SECONDS) -> None:
        self._expiry_seconds = expiry_seconds
        self._games: dict[str, dict[str, tuple[NodePresence, float]]] = {}

    def receive(self, game_id: str, text: str, at: float) -> tuple[bool, bool]:
        """Store the counts that a node published at `at` (seconds of the loop's clock); unreadable ones are ignored.

        Return whether the counts changed, and whether these are the first watchers on that node.

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
        """Return the names of the named watchers; a name may occur twice."""
        return (name for present, _ in self._games.get(game_id, {}).values() for name in present.names)

    def forget(self, game_id: str) -> None:
        """Delete the counts of a game that has no viewers left on this node."""
        self._games.pop(game_id, None)

    def expire(self, at: float) -> list[str]:
        """Delete expired counts, and return the games whose counts were deleted."""
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
        """Return the names of the first named watchers, without duplicates."""
        names = [*self._here(game_id).names, *self._others.names(game_id)]
        return list(islice(dict.fromkeys(names), MAX_NAMES))

    def receive(self, game_id: str, text: str) -> None:
        """Store what another node has published about a game; a node that is new to the game gets an answer."""
        if not self._hub.has_subscribers(game_topic(game_id)):
            return
        is_news, is_new_node = self._others.receive(game_id, text, asyncio.get_running_loop().time())
        if is_new_node and self._here(game_id).watchers:
            self._published.pop(game_id, None)
        if is_news:
            self._request_update(game_id)

    async def resync(self, topics: Collection[str] | None) -> None:
        """Publish all counts again soon, if `topics` is None: messages about any topic may have been lost."""
        if topics is not None:
            return
        self._published.clear()
        for game_id in self._watched_games():
            self._request_update(game_id)

    def start(self) -> None:
        """Start repeating the counts, in the running event loop."""
        self._repeating = asyncio.get_running_loop().create_task(self._repeat())

    def stop(self) -> None:
        """Stop repeating, and publish that this node has no viewers."""
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
        """Send and publish the counts of a game if they have changed."""
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
