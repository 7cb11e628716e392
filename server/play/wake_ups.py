"""Wake-ups: this node sends them for what it has committed, and calls handlers for those of other nodes.

A name on the bus is a game's id, or a prefix and an id: `match/`, `daily/`, `player/`, `session/`, `struck/`, `signs/`,
`talk/`, or the key of a competition and a slash. Each part says for which prefixes it is called
(`cadogan.server.play.part.Part.wake_up_handlers`).
"""

from collections.abc import Callable, Collection

from cadogan.server.cluster.bus import (
    DAY_PREFIX,
    ENDED_TOPIC,
    PLAYER_PREFIX,
    SESSION_PREFIX,
    SESSIONS_TOPIC,
    STRUCK_PREFIX,
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
"""Called with a game's id and what another node has published of it. It must not wait."""


class WakeUps:
    """The wake-ups of one node."""

    def __init__(self, bus: Bus, resync: Resync) -> None:
        """Listen to the bus. `resync` compares what is followed here with the log, if wake-ups may have been lost."""
        self._bus = bus
        self._resync = resync
        self._handlers: dict[str, list[WakeUpHandler]] = {}
        self._presence_handlers: list[PresenceHandler] = []
        self._samples = DaySamples(self.publish)
        bus.subscribe(ENDED_TOPIC)
        bus.subscribe(SESSIONS_TOPIC)
        bus.add_listener(self)

    def handle(self, handlers: WakeUpHandlers) -> None:
        """Call these, besides others, for wake-ups whose names have their prefix."""
        for prefix, handler in handlers.items():
            self._handlers.setdefault(prefix, []).append(handler)

    def handle_presence(self, *handlers: PresenceHandler) -> None:
        """Call these with what other nodes publish of a game: its id, and a text."""
        self._presence_handlers.extend(handlers)

    def on_commit(self, committed: Committed) -> None:
        """Wake the other nodes for steps that were written here."""
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
            self._samples.tell(game.id, game.version, days)

    def on_end(self, committed: Committed) -> None:
        """Wake the other nodes for a player who may see more than before."""
        if committed.written_here and committed.lifts_embargo:
            self.publish_player(committed.state.player)

    def on_race_commit(self, committed: RaceCommitted) -> None:
        """Wake the other nodes for what was written to a race here."""
        if committed.written_here:
            self.publish(race_stream(committed.state.id), committed.state.version)

    def on_day_commit(self, committed: DayCommitted) -> None:
        """Wake the other nodes for what was written of a day here."""
        if committed.written_here:
            self.publish(day_stream(committed.state.day), committed.state.version, (ENDED_TOPIC,))

    def on_stream_commit(self, committed: StreamCommitted) -> None:
        """Wake the other nodes for what was written to a stream of a competition here, also those to whom it is new."""
        if committed.written_here:
            self.publish(committed.state.stream, committed.state.version, (ENDED_TOPIC,))

    def publish(self, name: str, version: int, topics: Collection[str] = ()) -> None:
        """Wake the other nodes: this name has come to this version. It belongs to these topics besides its own."""
        self._bus.publish_wake_up(name, version, topics, sender=self)

    def publish_player(self, player: str) -> None:
        """Wake the other nodes: this player may see more than before."""
        self.publish(PLAYER_PREFIX + player, 1, (ENDED_TOPIC,))

    def publish_session(self, session: str) -> None:
        """Wake the other nodes: this session has ended."""
        self.publish(SESSION_PREFIX + session, 1, (SESSIONS_TOPIC,))

    def publish_struck(self, game_id: str) -> None:
        """Wake every node, and this one too: this run was struck off the boards, or put back."""
        self.on_wake_up(STRUCK_PREFIX + game_id, 1)
        self.publish(STRUCK_PREFIX + game_id, 1, (ENDED_TOPIC,))

    def publish_talk(self, group: str, serial: int) -> None:
        """Wake the other nodes: what the members of a group write has come to this change."""
        self.publish(TALK_PREFIX + group, serial)

    def publish_presence(self, game_id: str, text: str) -> None:
        """Send the other nodes a text about who watches a game here."""
        self._bus.publish_presence(game_id, text, sender=self)

    def on_wake_up(self, name: str, version: int) -> None:
        """Call the handlers of this kind of name."""
        prefix, identity = split_name(name)
        for handler in self._handlers.get(prefix, ()):
            handler(identity, version)

    def on_presence(self, name: str, text: str) -> None:
        """Call the handlers of presence."""
        for handler in self._presence_handlers:
            handler(name, text)

    def on_gap(self, topics: Collection[str] | None) -> None:
        """Compare with the log what is followed here, of these topics or of all if None."""
        self._resync.request(topics)

    def close(self) -> None:
        """Stop listening to the other nodes."""
        self._samples.close()
        self._bus.remove_listener(self)
