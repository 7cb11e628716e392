"""The hub: the topics, who is subscribed to each on this node, and messages to all of them.

A message is encoded once, and all its recipients get the same bytes. Nothing here waits for a connection.

A game and a race are topics under the names of their streams. The progress of a day's runs has the same topic as on the
bus (`cadogan.server.core.cluster.bus.day_topic`). A leaderboard is the topic `board/<its name>`, and the analysis of a
game `analysis/<its id>`. The chat of a group is the topic `talk/<its id>`.

The feed of a game: each committed step is sent to all subscribers, as one message for each access level.
"""

from collections.abc import Callable, Iterable, Sequence

from cadogan.server.core.event_loop import Coalescer
from cadogan.server.core.eventlog.streams import game_stream, race_stream
from cadogan.server.core.games.game_cache import Committed
from cadogan.server.core.games.game_messages import message_for, messages_for
from cadogan.server.core.games.game_state import Step
from cadogan.server.core.games.visibility import AccessLevel
from cadogan.server.core.live.connection import Channel, Viewer, frame
from cadogan.wire.codec import encode
from cadogan.wire.message import Message

ANALYSES = "analysis/"
BOARDS = "board/"
TALKS = "talk/"


game_topic = game_stream
"""Returns the topic of a game's steps: the name of its stream."""
race_topic = race_stream
"""Returns the topic of a race: the name of its stream."""


def analysis_topic(game_id: str) -> str:
    """Return the topic of the analysis of a game."""
    return ANALYSES + game_id


def board_topic(board: str) -> str:
    """Return the topic of a leaderboard's changes."""
    return BOARDS + board


def talk_topic(group: str) -> str:
    """Return the topic of a group's chat."""
    return TALKS + group


class Subscribers:
    """The subscribers of one topic on this node, by access level."""

    __slots__ = ("by_access_level",)

    def __init__(self) -> None:
        self.by_access_level = {
            access_level: Channel(is_charged=access_level is not AccessLevel.SEAT) for access_level in AccessLevel
        }

    @property
    def is_empty(self) -> bool:
        """Whether there are no subscribers."""
        return not any(channel.viewers for channel in self.by_access_level.values())

    @property
    def spectators(self) -> list[Viewer]:
        """The spectators in the order of their subscription, without the player's own connections."""
        return [
            viewer
            for access_level in (AccessLevel.BOARD, AccessLevel.PROGRESS)
            for viewer in self.by_access_level[access_level].viewers
        ]

    def __len__(self) -> int:
        return sum(len(channel.viewers) for channel in self.by_access_level.values())

    def send(self, framed: bytes) -> None:
        """Send the same frame to all subscribers, at any access level."""
        for channel in self.by_access_level.values():
            channel.send(framed)


_NOBODY = Subscribers()


class Hub:
    """The subscriptions of one node. `coalescer` runs the messages delayed by `schedule_send`."""

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
        """Send a message to all subscribers, replacing one delayed by `schedule_send`."""
        self._coalescer.cancel(topic)
        found = self._topics.get(topic)
        if found is not None:
            found.send(frame(encode(message)))

    def schedule_send(self, topic: str, make: Callable[[], Message]) -> None:
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


class GameFeed:
    """Sends the steps of games on one node."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def on_commit(self, committed: Committed) -> None:
        """Send the steps to all subscribers of the game.

        The deal is not sent, because it cannot have subscribers yet.
        """
        channels = self._hub.subscribers(committed.state.stream).by_access_level
        watched = [access_level for access_level, channel in channels.items() if channel.viewers]
        for step in committed.steps:
            if step.before is None:
                continue
            for access_level, message in messages_for(step, watched):
                channels[access_level].send(frame(encode(message)))

    def answer(self, viewer: Viewer, steps: Sequence[Step], *, is_repeated: bool = False) -> None:
        """Answer the player whose command caused these steps, unless `on_commit` has sent them to this connection.

        A repeated command gets its first answer on the connection that sent it.
        """
        if not is_repeated and viewer.topics.get(steps[-1].after.stream) is AccessLevel.SEAT:
            return
        for step in steps:
            viewer.write(frame(encode(message_for(step, AccessLevel.SEAT))))
