"""Wake-ups between nodes: sent for commits, passed to handlers; and the comparison with the log after some were lost.

A name on the bus is a game's id, or a prefix and an id: `match/`, `daily/`, `player/`, `session/`, `struck/`, `signs/`,
`talk/`, or the key of a competition and a slash. Each part registers handlers for prefixes
(`cadogan.server.part.Part.wake_up_handlers`).

Throttled wake-ups about daily runs: with thousands of runs at once, not every move is published.

Every node with subscribers to the day receives the wake-ups of all its runs, so their number grows with the square of
the nodes. A node therefore publishes at most `SAMPLES_PER_INTERVAL` moves per interval. Other games are queued and
published later with their latest version, so the last version of every game is published in the end.

Resync: after wake-ups may have been lost, everything that this node follows is compared with the log.

Each part that follows streams reads the versions of all of them in one query, then only the events that are new. A part
that fails is retried until it succeeds, and does not delay other parts.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from itertools import islice

import structlog

from cadogan.server.core.cluster.bus import (
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
from cadogan.server.core.eventlog.streams import day_stream, race_stream
from cadogan.server.core.games.game_cache import Committed
from cadogan.server.core.games.own_streams import StreamCommitted
from cadogan.server.subjects.daily.days import DayCommitted
from cadogan.server.subjects.races.repository import RaceCommitted

log = structlog.stdlib.get_logger("cadogan.resync")
INTERVAL_SECONDS = 0.1
SAMPLES_PER_INTERVAL = 10
"""Moves that a node publishes per interval: a hundred a second, as many as another node reads of a day's runs."""
Publish = Callable[[str, int, Collection[str]], None]
"""Called with a game's id, its version, and the topics of its days."""


class DaySamples:
    """Throttled progress wake-ups that this node sends for daily runs."""

    def __init__(self, publish: Publish) -> None:
        self._publish = publish
        self._left = SAMPLES_PER_INTERVAL
        self._waiting: dict[str, tuple[int, Collection[str]]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def publish_sample(self, game: str, version: int, topics: Collection[str]) -> None:
        """Publish this version, now or when the queue reaches the game."""
        if self._left > 0:
            self._left -= 1
            self._waiting.pop(game, None)
            self._publish(game, version, topics)
        else:
            self._waiting[game] = (version, topics)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(INTERVAL_SECONDS, self.begin_interval)

    def forget(self, game: str) -> None:
        """Remove this game from the queue: its end was published."""
        self._waiting.pop(game, None)

    def begin_interval(self) -> None:
        """Publish the games that have waited longest."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._left = SAMPLES_PER_INTERVAL
        for game in tuple(islice(self._waiting, SAMPLES_PER_INTERVAL)):
            version, topics = self._waiting.pop(game)
            self.publish_sample(game, version, topics)

    def close(self) -> None:
        """Stop publishing."""
        self._waiting.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


RETRY_SECONDS = 1.0
"""Seconds until a failed resync is retried."""
Part = Callable[[Collection[str] | None], Awaitable[None]]
"""Updates one part from the log, for the topics of lost wake-ups, or for everything if None."""


class Resync:
    """Updates the parts of one node from the log."""

    def __init__(self) -> None:
        self._parts: list[Part] = []
        self._topics: set[str] = set()
        self._everything = self._is_closed = False
        self._task: asyncio.Task[None] | None = None

    def add(self, *parts: Part) -> None:
        """Register parts, which are updated in this order on every request."""
        self._parts.extend(parts)

    def request(self, topics: Collection[str] | None) -> None:
        """Request an update of these topics, or of everything if None; it runs in the background."""
        if topics is None:
            self._everything = True
        else:
            self._topics.update(topics)
        if not self._is_closed and (self._task is None or self._task.done()):
            self._task = asyncio.ensure_future(self._run())

    async def wait_until_idle(self) -> None:
        """Wait until all requested updates are done."""
        if self._task is not None:
            await asyncio.shield(self._task)

    async def close(self) -> None:
        """Stop updating."""
        self._is_closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while self._everything or self._topics:
            topics = None if self._everything else self._topics
            self._everything, self._topics = False, set()
            failed = await _refresh_parts(self._parts, topics)
            while failed:
                await asyncio.sleep(RETRY_SECONDS)
                if self._everything or self._topics:  # more was requested meanwhile: all parts run again
                    self._everything = self._everything or topics is None
                    self._topics.update(topics or ())
                    break
                failed = await _refresh_parts(failed, topics)


async def _refresh_parts(parts: Sequence[Part], topics: Collection[str] | None) -> list[Part]:
    """Call `refresh` of these parts; return those that failed."""
    failed = []
    for part in parts:
        try:
            await part(topics)
        except Exception:
            log.exception("not_resynced")
            failed.append(part)
    return failed


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
        """Wake up the other nodes after a commit to a stream of a competition, also those without it in memory."""
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
