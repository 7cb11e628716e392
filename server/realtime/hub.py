"""The hub: who is subscribed to which topic on this node, and messages to all of them.

A message is encoded once, and all its recipients get the same bytes. Nothing here waits for a connection.
"""

from collections.abc import Callable, Iterable

from cadogan.server.games.visibility import AccessLevel
from cadogan.server.realtime.coalescing import Coalescer
from cadogan.server.realtime.connection import Viewer, frame
from cadogan.server.realtime.topics import Subscribers
from cadogan.wire.codec import encode
from cadogan.wire.message import Message

_NOBODY = Subscribers()


class Hub:
    """The subscriptions of one node. `coalescer` runs the messages delayed by `send_soon`."""

    def __init__(self, coalescer: Coalescer) -> None:
        self._coalescer = coalescer
        self._topics: dict[str, Subscribers] = {}
        self._listeners: list[Callable[[str], None]] = []

    def on_change(self, listener: Callable[[str], None]) -> None:
        """Call the listener with the topic after every subscription or unsubscription."""
        self._listeners.append(listener)

    def subscribe(self, viewer: Viewer, topic: str, access_level: AccessLevel = AccessLevel.BOARD) -> None:
        """Subscribe the viewer to a topic with this access level.

        A viewer whose connection is closed is not subscribed.
        """
        self._drop(viewer, topic)
        if viewer.is_gone:
            return
        viewer.topics[topic] = access_level
        self._topics.setdefault(topic, Subscribers()).by_access_level[access_level].viewers[viewer] = None
        self._notify(topic)

    def unsubscribe(self, viewer: Viewer, topic: str) -> None:
        """Unsubscribe the viewer from a topic."""
        if self._drop(viewer, topic):
            self._notify(topic)

    def remove(self, viewer: Viewer) -> None:
        """End all subscriptions of a viewer whose connection is closed."""
        viewer.forget()
        for topic in tuple(viewer.topics):
            self.unsubscribe(viewer, topic)

    def has_subscribers(self, topic: str) -> bool:
        """Return whether a topic has subscribers on this node."""
        return topic in self._topics

    def subscribers(self, topic: str) -> Subscribers:
        """Return the subscribers of a topic; only the hub may change them."""
        return self._topics.get(topic, _NOBODY)

    def topics(self) -> tuple[str, ...]:
        """Return all topics with subscribers on this node."""
        return tuple(self._topics)

    def count_subscriptions(self, prefix: str) -> int:
        """Return how many subscriptions there are to topics that start with this prefix."""
        return sum(len(found) for topic, found in self._topics.items() if topic.startswith(prefix))

    def progress_viewers(self, topics: Iterable[str] | None = None) -> list[Viewer]:
        """Return the viewers who see only the progress of one of these topics, or of any if None."""
        chosen = self._topics.values() if topics is None else [self.subscribers(topic) for topic in topics]
        return list({viewer: None for one in chosen for viewer in one.by_access_level[AccessLevel.PROGRESS].viewers})

    def send(self, topic: str, message: Message) -> None:
        """Send a message to all subscribers, replacing one delayed by `send_soon`."""
        self._coalescer.cancel(topic)
        found = self._topics.get(topic)
        if found is not None:
            found.send(frame(encode(message)))

    def send_soon(self, topic: str, make: Callable[[], Message]) -> None:
        """Call `make` at the end of the interval, and send the message to all subscribers at that time."""
        if topic in self._topics:
            self._coalescer.request(topic, lambda: self.send(topic, make()))

    def _drop(self, viewer: Viewer, topic: str) -> bool:
        access_level = viewer.topics.pop(topic, None)
        found = self._topics.get(topic)
        if access_level is None or found is None:
            return False
        found.by_access_level[access_level].viewers.pop(viewer, None)
        if found.is_empty:
            del self._topics[topic]
        return True

    def _notify(self, topic: str) -> None:
        for listener in self._listeners:
            listener(topic)
