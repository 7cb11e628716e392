"""Live talk: sends the latest messages of a group to a member who watches it, and then every change.

Before sending, a node reads the unsent changes and the members from the database, so that former members get nothing.
"""

from collections.abc import Callable, Collection, Iterable

from cadogan.server.core.cluster.bus import TALK_PREFIX, Bus, WakeUpHandlers
from cadogan.server.core.eventlog.background_tasks import WAKE_UP_SECONDS, BackgroundPart
from cadogan.server.core.live.connection import Viewer, frame
from cadogan.server.core.live.hub import TALKS, Hub, talk_topic
from cadogan.server.core.people import PlayerCache
from cadogan.server.core.shares import SharedLock
from cadogan.server.subjects.chat.group_chat import GroupChat, StoredMessage
from cadogan.wire import chat as wire
from cadogan.wire.codec import encode

SHOWN = 50
"""The number of messages sent first."""


class LiveChat(BackgroundPart):
    """The watched talk of groups on one node."""

    def __init__(
        self, talk: GroupChat, players: PlayerCache, hub: Hub, bus: Bus, publish: Callable[[str, int], None]
    ) -> None:
        """`publish` sends a wake-up to the other nodes with the group and the serial of its change."""
        super().__init__()
        self._talk = talk
        self._players = players
        self._hub = hub
        self._bus = bus
        self._publish = publish
        self._sent: dict[str, int] = {}
        """The serial of the last change sent, for each group watched on this node."""
        self._sending = SharedLock()
        hub.on_change(self._follow)

    async def show(self, messages: Iterable[StoredMessage]) -> list[wire.TalkMessage]:
        """Return messages as wire messages."""
        found = list(messages)
        known = await self._players.players({one.player for one in found})
        return [
            wire.TalkMessage(id=one.id, by=known[one.player], at=one.said_at, text=one.text, removed=one.removed)
            for one in found
        ]

    def show_change(self, group: str, serial: int) -> None:
        """Send the changes of a group up to this serial to its viewers on every node."""
        self.on_wake_up(group, serial)
        self._publish(group, serial)

    async def subscribe(self, viewer: Viewer, group: str, id: str | None) -> None:
        """Send the latest messages of a group now, and every change from then on. Raises as `GroupChat.read`."""
        page = await self._talk.read(viewer.player, group, None, SHOWN)
        shown = await self.show(page.messages)
        self._hub.subscribe(viewer, talk_topic(group))
        if viewer.is_gone:
            return
        viewer.write(frame(encode(wire.Talk(id=id, group=group, on=page.on, messages=shown))))
        self._sent[group] = min(page.serial, self._sent.get(group, page.serial))
        self.background.start_for(WAKE_UP_SECONDS, self._send, group)  # messages written during the read

    async def refresh(self, viewer: Viewer) -> None:
        """Send the latest messages of every group that the viewer watches again."""
        for topic in tuple(viewer.topics):
            if topic.startswith(TALKS):
                await self.subscribe(viewer, topic.removeprefix(TALKS), None)

    def wake_up_handlers(self) -> WakeUpHandlers:
        """Return the handlers of wake-ups for groups."""
        return {TALK_PREFIX: self.on_wake_up}

    def on_wake_up(self, group: str, serial: int) -> None:
        """Send the changes of a group up to this serial, if it is watched on this node."""
        if self._sent.get(group, serial) < serial:
            self.background.start_for(WAKE_UP_SECONDS, self._send, group)

    async def resync(self, topics: Collection[str] | None) -> None:
        """Send the missed changes of the groups among these topics, or of all groups if None."""
        for group in tuple(self._sent):
            if topics is None or talk_topic(group) in topics:
                await self._send(group)

    def _follow(self, topic: str) -> None:
        """Subscribe to wake-ups of a group while it is watched on this node."""
        if not topic.startswith(TALKS):
            return
        group = topic.removeprefix(TALKS)
        if not self._hub.has_subscribers(topic):
            self._sent.pop(group, None)
            self._bus.unsubscribe(TALK_PREFIX + group)
        elif group not in self._sent:
            self._bus.subscribe(TALK_PREFIX + group)

    async def _send(self, group: str) -> None:
        async with self._sending:
            more = True
            while more and group in self._sent:
                found = await self._talk.changes(group, self._sent[group])
                shown = await self.show(found.messages)
                for channel in self._hub.subscribers(talk_topic(group)).by_access_level.values():
                    for viewer in [one for one in channel.viewers if one.player not in found.members]:
                        self._hub.unsubscribe(viewer, talk_topic(group))
                more = found.more
                if self._sent.get(group, found.serial) < found.serial:
                    self._sent[group] = found.serial
                    self._hub.send(talk_topic(group), wire.Talk(group=group, on=found.on, messages=shown))
