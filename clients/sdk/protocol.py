"""The client side of the socket protocol, without I/O: pass it the server's frames, and send the frames it returns.

A driver owns the socket (`reconnecting_socket` is one). It calls `connection_made` when a socket opens and
`connection_lost` when it closes, passes every received frame to `receive_frame`, and sends every frame of
`frames_to_send`, in order. The protocol remembers its subscriptions and its unanswered requests. On a new socket it
subscribes again from the last known version and sends unanswered requests again under the same id, so that no request
is lost and none is carried out twice.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec
from msgspec import structs

from cadogan.sdk.errors import BY_CODE, AnyRefusal, RefusalError, error_from_refusal
from cadogan.sdk.session import UNKNOWN, Session, apply_message
from cadogan.wire import boards
from cadogan.wire import messages as wire
from cadogan.wire.analysis import Analysis, AnalysisChanged, AskIfWinnable, UnwatchAnalysis, WatchAnalysis, Winnability
from cadogan.wire.chat import Talk, UnwatchTalk, WatchTalk
from cadogan.wire.codec import UnreadableMessage, decode_server_message, encode
from cadogan.wire.message import snake_case
from cadogan.wire.messages import ClientMessage, ServerMessage


@dataclass(frozen=True)
class Answered:
    """The request with this id was carried out; `message` answers it."""

    id: str
    message: ServerMessage


@dataclass(frozen=True)
class Refused:
    """The request with this id was refused. `topic` is set if the request was to subscribe to that topic."""

    id: str
    error: RefusalError
    topic: str | None = None


@dataclass(frozen=True)
class Delayed:
    """The request with this id must be sent again (`resend_request`) after this many seconds.

    `error` is the refusal with this delay, for a driver that cannot wait so long.
    """

    id: str
    seconds: float
    error: RefusalError = field(compare=False)


@dataclass(frozen=True)
class TopicMessage:
    """A message about a subscribed topic. If it is about a game, the game's session includes it already."""

    topic: str
    message: ServerMessage


Event = Answered | Refused | Delayed | TopicMessage
"""What a received frame means for the driver."""

Watch = wire.WatchDay | wire.WatchRace | boards.WatchBoard | WatchAnalysis | WatchTalk
"""A request to watch something else than a game in play. Its id does not matter: each one sent gets a new id."""


def message_topic(message: object) -> str | None:
    """Return the topic of a message; None if it has no topic that can be watched.

    That is `game/…`, `analysis/…`, `day/…`, `race/…`, `board/…` or `talk/…`.

    >>> message_topic(wire.WatchDay(id="1", day="2026-11-20"))
    'day/2026-11-20'
    """
    match message:
        case WatchAnalysis(game=game) | AnalysisChanged(analysis=Analysis(game=game)):
            return f"analysis/{game}"
        case WatchTalk(group=group) | Talk(group=group):
            return f"talk/{group}"
    for kind in ("board", "day", "race", "game"):
        about = getattr(message, kind, None)
        if about is not None:
            return f"{kind}/{about if isinstance(about, str) else about.id}"
    return None


class ClientProtocol:
    """The state of one client's side of the protocol, across sockets.

    `prefix` begins the id of every request; `now` returns the time in milliseconds.
    """

    def __init__(self, prefix: str, now: Callable[[], int]) -> None:
        self.sessions: dict[str, Session] = {}
        """The session of each subscribed game, by the game's id."""
        self._prefix = prefix
        self._now = now
        self._last_number = 0
        self._connected = False
        self._frames: list[str] = []
        self._unanswered: dict[str, ClientMessage] = {}
        self._delayed: set[str] = set()
        self._subscribing: dict[str, str] = {}
        """The topic of each unanswered subscription, by the id of its request."""
        self._watches: dict[str, Watch] = {}

    @property
    def unanswered(self) -> list[ClientMessage]:
        """The requests that are not answered yet, oldest first."""
        return list(self._unanswered.values())

    def connection_made(self) -> None:
        """Start on a new socket: subscribe again to every topic, then send every unanswered request again."""
        self._connected = True
        self._frames.clear()
        self._delayed.clear()
        for id in self._subscribing:
            self._unanswered.pop(id, None)
        self._subscribing.clear()
        requests = list(self._unanswered.values())
        for game in self.sessions:
            self._subscribe(game)
        for topic in self._watches:
            self._watch(topic)
        for request in requests:
            self._send(request)

    def connection_lost(self) -> None:
        """Stop sending until the next `connection_made`."""
        self._connected = False
        self._frames.clear()

    def frames_to_send(self) -> list[str]:
        """Return the frames to send now, in order. Each frame is returned once."""
        frames, self._frames = self._frames, []
        return frames

    def new_id(self) -> str:
        """Return a request id that this client has not used yet."""
        self._last_number += 1
        return f"{self._prefix}-{self._last_number}"

    def send_request(self, request: ClientMessage) -> None:
        """Send a request, on every new socket again until it is answered."""
        self._unanswered[request.id] = request
        self._send(request)

    def cancel_request(self, id: str) -> None:
        """Stop waiting for the answer to the request with this id, and do not send it again."""
        self._unanswered.pop(id, None)

    def resend_request(self, id: str) -> None:
        """Send a `Delayed` request again. Does nothing if it was answered, cancelled or sent again meanwhile."""
        if id in self._delayed and id in self._unanswered:
            self._delayed.discard(id)
            self._send(self._unanswered[id])

    def subscribe(self, game: str) -> None:
        """Subscribe to a game, by its id. Its state is in `sessions` from then on."""
        if game not in self.sessions:
            self.sessions[game] = UNKNOWN
            self._subscribe(game)

    def unsubscribe(self, game: str) -> None:
        """End the subscription to a game, by its id."""
        if self.sessions.pop(game, None) is not None:
            self._send(wire.Unsubscribe(id=self.new_id(), game=game))

    def request_view(self, game: str) -> None:
        """Request a fresh view of a subscribed game."""
        if game in self.sessions:
            self._subscribe(game, full_view=True)

    def watch(self, watch: Watch) -> str:
        """Watch a day, race, board or analysis. Returns its topic. Watching again requests the present state again."""
        topic = message_topic(watch) or ""
        self._watches[topic] = watch
        self._watch(topic)
        return topic

    def unwatch(self, topic: str) -> None:
        """Stop watching a topic that `watch` returned."""
        match self._watches.pop(topic, None):
            case wire.WatchDay(day=day):
                self._send(wire.UnwatchDay(id=self.new_id(), day=day))
            case wire.WatchRace(race=race):
                self._send(wire.UnwatchRace(id=self.new_id(), race=race))
            case boards.WatchBoard(board=board):
                self._send(boards.UnwatchBoard(id=self.new_id(), board=board))
            case WatchAnalysis(game=game):
                self._send(UnwatchAnalysis(id=self.new_id(), game=game))
            case WatchTalk(group=group):
                self._send(UnwatchTalk(id=self.new_id(), group=group))

    def receive_frame(self, frame: str | bytes) -> list[Event]:
        """Process a frame of the server, and return the events that follow from it.

        A message of an unknown type is ignored, except for the game's version that it carries: a newer server may send
        types that this client does not know. A refusal with an unknown code is a refusal like any other.

        Raises UnreadableMessage for every other frame that breaks the contract.
        """
        message = decode_frame(frame)
        if message is None:
            return []
        if isinstance(message, AnyRefusal):
            return self._process_answer(message.id or "", message)
        events: list[Event] = []
        topic = message_topic(message)
        if topic is not None and topic.startswith("game/"):
            events += self._update_session(topic.removeprefix("game/"), topic, message)
        elif topic in self._watches:
            events.append(TopicMessage(topic, message))
        for id in self._answered_ids(message):
            events += self._process_answer(id, message)
        return events

    def _answered_ids(self, message: ServerMessage) -> list[str]:
        """Return the ids of the requests that this message answers.

        `ask_if_winnable` is answered by the verdict, with or without the request's id.
        """
        if isinstance(message, Winnability):
            asked = [one for one in self._unanswered.values() if isinstance(one, AskIfWinnable)]
            about = message.game, message.version
            return [one.id for one in asked if message.verdict is not None and (one.game, one.version) == about]
        id = getattr(message, "command", None) or getattr(message, "id", None)
        return [id] if isinstance(id, str) else []

    def _update_session(self, game: str, topic: str, message: ServerMessage) -> list[Event]:
        before = self.sessions.get(game)
        if before is None:
            return []
        after = self.sessions[game] = apply_message(before, message, self._now())
        if after.lost and not before.lost:
            self.request_view(game)
        return [TopicMessage(topic, message)]

    def _process_answer(self, id: str, message: ServerMessage | AnyRefusal) -> list[Event]:
        request = self._unanswered.get(id)
        if request is None:
            return []
        if isinstance(message, wire.Refused | AnyRefusal) and message.retry_after is not None:
            self._delayed.add(id)
            return [Delayed(id, message.retry_after, error_from_refusal(message))]
        del self._unanswered[id]
        topic = self._subscribing.pop(id, None)
        if not isinstance(message, wire.Refused | AnyRefusal):
            return [Answered(id, message)]
        if message.code in _STALE_CODES and isinstance(
            request, wire.Play | wire.TakeBack | wire.Resign | wire.AskForHint | AskIfWinnable
        ):
            self.request_view(request.game)
        return [Refused(id, error_from_refusal(message), topic)]

    def _subscribe(self, game: str, full_view: bool = False) -> None:
        session = self.sessions[game]
        request = wire.Subscribe(id=self.new_id(), game=game)
        if not (full_view or session.lost or session.version == 0):
            request = structs.replace(request, since=session.version, sight=session.sight)
        self._send_subscription(f"game/{game}", request)

    def _watch(self, topic: str) -> None:
        self._send_subscription(topic, structs.replace(self._watches[topic], id=self.new_id()))

    def _send_subscription(self, topic: str, request: ClientMessage) -> None:
        self._subscribing[request.id] = topic
        self.send_request(request)

    def _send(self, message: ClientMessage) -> None:
        if self._connected:
            self._frames.append(encode(message).decode())


_STALE_CODES = frozenset({"stale_version", "conflict"})
"""The refusals that mean that this client's state of the game is outdated."""


class _Envelope(msgspec.Struct):
    """The keys to read in a message of an unknown type: those of a game, or of a refusal."""

    type: str
    game: str | None = None
    version: int | None = None
    code: str | None = None


_REFUSED = snake_case(wire.Refused.__name__)
_KNOWN_TYPES = frozenset(snake_case(kind.__name__) for kind in ServerMessage.__args__)


def decode_frame(frame: str | bytes) -> ServerMessage | AnyRefusal | None:
    """Decode a frame of the server.

    A message of an unknown type that carries a game's version becomes `Advanced`; any other message of an unknown type
    becomes None. A refusal with an unknown code becomes `AnyRefusal`. Raises UnreadableMessage for everything else that
    is not a message of the contract.
    """
    try:
        return decode_server_message(frame)
    except UnreadableMessage:
        try:
            envelope = msgspec.json.decode(frame, type=_Envelope)
            if envelope.type == _REFUSED and envelope.code is not None and envelope.code not in BY_CODE:
                return msgspec.json.decode(frame, type=AnyRefusal)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            envelope = None
        if envelope is None or envelope.type in _KNOWN_TYPES:
            raise
        if envelope.game is None or envelope.version is None:
            return None
        return wire.Advanced(game=envelope.game, version=envelope.version)
