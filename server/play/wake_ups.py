"""Wake-ups: this node sends them for what it has committed, and calls handlers for those of other nodes.

A name on the bus is a game's id, or a prefix and an id: `match/`, `daily/`, `player/`, `session/`, `struck/`, `signs/`,
`talk/`, or the key of a competition and a slash. Each part registers handlers for prefixes
(`cadogan.server.play.part.Part.wake_up_handlers`).
"""

from collections.abc import Callable, Collection

from cadogan.server.cluster.bus import (
    DAY_PREFIX,
    DISQUALIFICATION_PREFIX,
    ENDED_TOPIC,
    PLAYER_PREFIX,
    SESSION_PREFIX,
    SESSIONS_TOPIC,
    TALK_PREFIX,
    Bus,
    WakeUpHandler,
    WakeUpHandlers,
    split_name,
)
from cadogan.server.competitions.daily.repository import DayCommitted
from cadogan.server.competitions.own_streams import StreamCommitted
from cadogan.server.competitions.races.repository import RaceCommitted
from cadogan.server.eventlog.streams import day_stream, race_stream
from cadogan.server.games.commits import Committed
from cadogan.server.play.day_samples import DaySamples
from cadogan.server.play.resync import Resync

PresenceHandler = Callable[[str, str], None]
"""Called with a game's id and the presence text of another node. It must not block."""


class WakeUps:
    """The wake-ups of one node."""

    def __init__(self, bus: Bus, resync: Resync) -> None:
        """Subscribe to the bus. `resync` updates this node from the log if wake-ups may have been lost."""
        self._bus = bus
        self._resync = resync
        self._handlers: dict[str, list[WakeUpHandler]] = {}
        self._presence_handlers: list[PresenceHandler] = []
        self._samples = DaySamples(self.publish)
        bus.subscribe(ENDED_TOPIC)
        bus.subscribe(SESSIONS_TOPIC)
        bus.add_listener(self)

    def handle(self, handlers: WakeUpHandlers) -> None:
        """Add handlers for wake-ups, by prefix of their names."""
        for prefix, handler in handlers.items():
            self._handlers.setdefault(prefix, []).append(handler)

    def handle_presence(self, *handlers: PresenceHandler) -> None:
        """Add handlers for presence texts of other nodes."""
        self._presence_handlers.extend(handlers)

    def on_commit(self, committed: Committed) -> None:
        """Publish steps that this node wrote."""
        if not committed.written_here:
            return
        game = committed.state
        if game.over or game.spoiled:
            self._samples.forget(game.id)
            self.publish(game.id, game.version, (ENDED_TOPIC, *game.topics))
            return
        days = [topic for topic in game.topics if topic.startswith(DAY_PREFIX)]
        self.publish(game.id, game.version, [topic for topic in game.topics if topic not in days])
        if days:
            self._samples.publish_sample(game.id, game.version, days)

    def on_end(self, committed: Committed) -> None:
        """Publish that a player's access level may have risen."""
        if committed.written_here and committed.lifts_embargo:
            self.publish_player(committed.state.player)

    def on_race_commit(self, committed: RaceCommitted) -> None:
        """Publish events of a race that this node wrote."""
        if committed.written_here:
            self.publish(race_stream(committed.state.id), committed.state.version)

    def on_day_commit(self, committed: DayCommitted) -> None:
        """Publish events of a day that this node wrote."""
        if committed.written_here:
            self.publish(day_stream(committed.state.day), committed.state.version, (ENDED_TOPIC,))

    def on_stream_commit(self, committed: StreamCommitted) -> None:
        """Wake the other nodes for what was written to a stream of a competition here, also those to whom it is new."""
        if committed.written_here:
            self.publish(committed.state.stream, committed.state.version, (ENDED_TOPIC,))

    def publish(self, name: str, version: int, topics: Collection[str] = ()) -> None:
        """Publish the new version of a name, to its own topic and to `topics`."""
        self._bus.publish_wake_up(name, version, topics, sender=self)

    def publish_player(self, player: str) -> None:
        """Publish that this player's access level may have risen."""
        self.publish(PLAYER_PREFIX + player, 1, (ENDED_TOPIC,))

    def publish_session(self, session: str) -> None:
        """Publish that this session has ended."""
        self.publish(SESSION_PREFIX + session, 1, (SESSIONS_TOPIC,))

    def publish_disqualification(self, game_id: str) -> None:
        """Publish, also to this node, that this run was disqualified or restored."""
        self.on_wake_up(DISQUALIFICATION_PREFIX + game_id, 1)
        self.publish(DISQUALIFICATION_PREFIX + game_id, 1, (ENDED_TOPIC,))

    def publish_talk(self, group: str, serial: int) -> None:
        """Publish the serial number of the last change in a group's chat."""
        self.publish(TALK_PREFIX + group, serial)

    def publish_presence(self, game_id: str, text: str) -> None:
        """Publish a text about the viewers of a game on this node."""
        self._bus.publish_presence(game_id, text, sender=self)

    def on_wake_up(self, name: str, version: int) -> None:
        """Call the handlers for the prefix of this name."""
        prefix, identity = split_name(name)
        for handler in self._handlers.get(prefix, ()):
            handler(identity, version)

    def on_presence(self, name: str, text: str) -> None:
        """Call the presence handlers."""
        for handler in self._presence_handlers:
            handler(name, text)

    def on_gap(self, topics: Collection[str] | None) -> None:
        """Request a resync of these topics, or of all if None."""
        self._resync.request(topics)

    def close(self) -> None:
        """Unsubscribe from the bus."""
        self._samples.close()
        self._bus.remove_listener(self)
