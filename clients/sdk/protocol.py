"""What is said over one socket after another, without I/O: feed it the server's frames, send what it says.

Whoever drives it tells it when a socket is `opened` and when it is gone (`closed`), gives it every frame received
(`receive`) and sends every frame of `outgoing`, in order. It knows what is followed and what is not answered yet, so on
a new socket it subscribes from the version last known and sends commands again under the same id: none is lost, and
none counts twice.
"""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec
from msgspec import structs

from clients.sdk.errors import RefusalError, error_of
from clients.sdk.session import UNKNOWN, Session, receive
from clients.wire import messages as wire
from clients.wire.codec import UnreadableMessage, decode_server_message, encode
from clients.wire.messages import ClientMessage, ServerMessage, snake_case


@dataclass(frozen=True)
class Answered:
    """The request of this id was carried out; what answers it."""

    id: str
    message: ServerMessage


@dataclass(frozen=True)
class Refused:
    """The request of this id was refused. With a `topic`, it was to follow that."""

    id: str
    error: RefusalError
    topic: str | None = None


@dataclass(frozen=True)
class Delayed:
    """The request of this id is to be sent again (`again`) after so many seconds."""

    id: str
    seconds: float


@dataclass(frozen=True)
class Told:
    """Something about what is followed; the session of a game has already taken it in."""

    topic: str
    message: ServerMessage


Heard = Answered | Refused | Delayed | Told

Watch = wire.WatchDay | wire.WatchRace | wire.WatchBoard
"""What else than games is followed; the message asks for it, its id does not matter."""


def topic_of(message: object) -> str | None:
    """What a message is about, as one text: `game/…`, `day/…`, `race/…`, `board/…`.

    >>> topic_of(wire.WatchDay(id="1", day="2026-11-20"))
    'day/2026-11-20'
    """
    for kind in ("board", "day", "race", "game"):
        about = getattr(message, kind, None)
        if about is not None:
            return f"{kind}/{about if isinstance(about, str) else about.id}"
    return None


class Conversation:
    """One client's side of what is said. `prefix` begins its requests' ids; `now` gives the time in milliseconds."""

    def __init__(self, prefix: str, now: Callable[[], int]) -> None:
        self.sessions: dict[str, Session] = {}
        """The games that are followed, by their ids."""
        self._prefix = prefix
        self._now = now
        self._serial = 0
        self._open = False
        self._frames: list[str] = []
        self._unanswered: dict[str, ClientMessage] = {}
        self._delayed: set[str] = set()
        self._following: dict[str, str] = {}
        """What unanswered requests are to follow, by their ids."""
        self._watched: dict[str, Watch] = {}

    def opened(self) -> None:
        """A new socket stands open: what is followed is asked for, and what is not answered is asked again."""
        self._open = True
        self._frames.clear()
        self._delayed.clear()
        for id in self._following:
            self._unanswered.pop(id, None)
        self._following.clear()
        commands = list(self._unanswered.values())
        for game in self.sessions:
            self._subscribe(game)
        for topic in self._watched:
            self._watch(topic)
        for command in commands:
            self._send(command)

    def closed(self) -> None:
        """The socket is gone: nothing is sent before the next one."""
        self._open = False
        self._frames.clear()

    def outgoing(self) -> list[str]:
        """The frames to send now, each given once."""
        frames, self._frames = self._frames, []
        return frames

    def new_id(self) -> str:
        """An id that no request of this conversation has had."""
        self._serial += 1
        return f"{self._prefix}-{self._serial}"

    def ask(self, request: ClientMessage) -> None:
        """Send a request, on as many sockets as it takes until it is answered."""
        self._unanswered[request.id] = request
        self._send(request)

    def forget(self, id: str) -> None:
        """Wait no longer for an answer to the request of this id."""
        self._unanswered.pop(id, None)

    def again(self, id: str) -> None:
        """Send a delayed request again."""
        if id in self._delayed and id in self._unanswered:
            self._delayed.discard(id)
            self._send(self._unanswered[id])

    def follow(self, game: str) -> None:
        """Hear everything about a game."""
        if game not in self.sessions:
            self.sessions[game] = UNKNOWN
            self._subscribe(game)

    def unfollow(self, game: str) -> None:
        """Hear nothing more about a game."""
        if self.sessions.pop(game, None) is not None:
            self._send(wire.Unsubscribe(id=self.new_id(), game=game))

    def refresh(self, game: str) -> None:
        """Ask for a fresh view of a game that is followed."""
        if game in self.sessions:
            self._subscribe(game, fresh=True)

    def watch(self, watch: Watch) -> str:
        """Hear about a day, a race or a board; its topic. Asked again, the present state is told again."""
        topic = topic_of(watch) or ""
        self._watched[topic] = watch
        self._watch(topic)
        return topic

    def unwatch(self, topic: str) -> None:
        """Hear nothing more about a topic."""
        match self._watched.pop(topic, None):
            case wire.WatchDay(day=day):
                self._send(wire.UnwatchDay(id=self.new_id(), day=day))
            case wire.WatchRace(race=race):
                self._send(wire.UnwatchRace(id=self.new_id(), race=race))
            case wire.WatchBoard(board=board):
                self._send(wire.UnwatchBoard(id=self.new_id(), board=board))

    def receive(self, frame: str | bytes) -> list[Heard]:
        """Take in a frame of the server, and say what has come of it.

        A message of a kind that nobody knew when this was written counts as its version alone.

        Raises UnreadableMessage for anything else that does not keep to the contract.
        """
        message = read(frame)
        if message is None:
            return []
        heard: list[Heard] = []
        topic = topic_of(message)
        if topic is not None and topic.startswith("game/"):
            heard += self._follow_on(topic.removeprefix("game/"), topic, message)
        elif topic in self._watched:
            heard.append(Told(topic, message))
        id = getattr(message, "command", None) or getattr(message, "id", None)
        if isinstance(id, str):
            heard += self._answer(id, message)
        return heard

    def _follow_on(self, game: str, topic: str, message: ServerMessage) -> list[Heard]:
        before = self.sessions.get(game)
        if before is None:
            return []
        after = self.sessions[game] = receive(before, message, self._now())
        if after.lost and not before.lost:
            self.refresh(game)
        return [Told(topic, message)]

    def _answer(self, id: str, message: ServerMessage) -> list[Heard]:
        request = self._unanswered.get(id)
        if request is None:
            return []
        if isinstance(message, wire.Refused) and message.retry_after is not None:
            self._delayed.add(id)
            return [Delayed(id, message.retry_after)]
        del self._unanswered[id]
        topic = self._following.pop(id, None)
        if not isinstance(message, wire.Refused):
            return [Answered(id, message)]
        if message.code in _OUT_OF_STEP and isinstance(request, wire.Play | wire.TakeBack | wire.Resign):
            self.refresh(request.game)
        return [Refused(id, error_of(message), topic)]

    def _subscribe(self, game: str, fresh: bool = False) -> None:
        session = self.sessions[game]
        request = wire.Subscribe(id=self.new_id(), game=game)
        if not (fresh or session.lost or session.version == 0):
            request = structs.replace(request, since=session.version, sight=session.sight)
        self._ask_to_follow(f"game/{game}", request)

    def _watch(self, topic: str) -> None:
        self._ask_to_follow(topic, structs.replace(self._watched[topic], id=self.new_id()))

    def _ask_to_follow(self, topic: str, request: ClientMessage) -> None:
        self._following[request.id] = topic
        self.ask(request)

    def _send(self, message: ClientMessage) -> None:
        if self._open:
            self._frames.append(encode(message).decode())


_OUT_OF_STEP = frozenset({"stale_version", "conflict"})
"""Refusals that say that one knows too little of the game."""


class _Envelope(msgspec.Struct):
    """Of a message of a kind nobody knows, what all messages about a game have."""

    type: str
    game: str | None = None
    version: int | None = None


_KNOWN = frozenset(snake_case(kind.__name__) for kind in ServerMessage.__args__)


def read(frame: str | bytes) -> ServerMessage | None:
    """A frame of the server; None for a kind of message that is not known and says nothing of a game's version.

    Raises UnreadableMessage.
    """
    try:
        return decode_server_message(frame)
    except UnreadableMessage:
        try:
            envelope = msgspec.json.decode(frame, type=_Envelope)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            envelope = None
        if envelope is None or envelope.type in _KNOWN:
            raise
        if envelope.game is None or envelope.version is None:
            return None
        return wire.Advanced(game=envelope.game, version=envelope.version)
