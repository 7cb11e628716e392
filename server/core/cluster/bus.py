"""The bus by which the nodes of one server wake each other up, and the lines that are sent for it over a network.

A wake-up says *this name has reached this version*. It never says what happened: the receiving node reads the log. A
wake-up may therefore be lost, duplicated or late; then a spectator sees a move later, and no move is lost. A bus that
may have lost wake-ups reports it (`BusListener.on_gap`), and the node compares what it follows with the log
(`cadogan.server.subjects.wake_ups`).

A node can also publish presence: a short text about a name that soon expires, such as how many people watch a game
there. A presence text may be lost too, and is published again later. If several texts for one name wait to be sent,
only the last one is sent.

A wake-up belongs to topics: the name itself, the day of a run, and `ENDED_TOPIC` when a game is over, when a day
changes, or when a player's access level may rise (the name is then the day's stream or the player's). A bus delivers
either everything or only the topics to which the node has subscribed. A presence text belongs only to the topic of its
name.

Names and topics have the form `NAME_PATTERN`. A bus sends nothing under any other name: it drops and counts it.

The lines that nodes send each other over a network: each is one JSON array without line breaks.

["wake","k3v7q2m5x4c6z2ab",12]      this name has reached this version
["presence","k3v7q2m5x4c6z2ab","…"] a presence text about this name
["gap"]                             wake-ups of any topic may have been lost

UnsendableLine    the line cannot be encoded, or is too long
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Annotated, Protocol, TypeAlias

from msgspec import DecodeError, Meta, Struct, json

from cadogan.server.core.eventlog.streams import GAMES

ENDED_TOPIC = "ended"
"""The topic of games that are over, of days that change, and of players whose own game is over."""
DAY_PREFIX = "day/"
"""The topic of a day is this prefix and the day (`day_topic`)."""
PLAYER_PREFIX = "player/"
"""The name of a player in wake-ups is this prefix and the player's id."""
SESSION_PREFIX = "session/"
"""The name of a session in wake-ups is this prefix and the session's id."""
DISQUALIFICATION_PREFIX = "struck/"
"""The name of a run that was disqualified or restored is this prefix and the game's id."""
TALK_PREFIX = "talk/"
"""The name of a group's chat is this prefix and the group's id; its version is the last serial number."""
SIGNS_PREFIX = "signs/"
"""The name of the reactions at a game or a race is this prefix, `game/` or `race/`, and the id."""
SESSIONS_TOPIC = "sessions"
"""The topic of sessions that have ended."""
NAME_PATTERN = r"[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*"
"""The form of a name or a topic: an id, or words separated by slashes. It has no special characters of any bus."""
MAX_NAME_LENGTH = 128
"""Characters in the longest name or topic."""
MAX_PRESENCE_BYTES = 4_000
"""Bytes in the longest presence text."""
WakeUpHandler: TypeAlias = Callable[[str, int], None]
"""Called with an id, and the version that another node has written. It must not block."""
WakeUpHandlers: TypeAlias = Mapping[str, WakeUpHandler]
"""Handlers of wake-ups, by the prefix of their names (`split_name`)."""


def day_topic(day: str) -> str:
    """Return the topic of all runs of a day.

    >>> day_topic("2026-11-20")
    'day/2026-11-20'
    """
    return DAY_PREFIX + day


def is_name(text: str) -> bool:
    r"""Return whether a text has the form of a name or a topic.

    >>> is_name("match/k3v7q2m5x4c6z2ab"), is_name("a b"), is_name("a\n")
    (True, False, False)
    """
    return len(text) <= MAX_NAME_LENGTH and re.fullmatch(NAME_PATTERN, text) is not None


def split_name(name: str) -> tuple[str, str]:
    """Return the prefix and the id in the name of a wake-up. Only the name of a game has no prefix: it is the id.

    >>> split_name("match/k3v7q2m5x4c6z2ab"), split_name("k3v7q2m5x4c6z2ab")
    (('match/', 'k3v7q2m5x4c6z2ab'), ('game/', 'k3v7q2m5x4c6z2ab'))
    """
    kind, slash, identity = name.partition("/")
    return (kind + slash, identity) if slash else (GAMES, name)


class BusListener(Protocol):
    """A node that receives from the bus. No method may block or raise."""

    def on_wake_up(self, name: str, version: int) -> None:
        """React to another node's wake-up: `name` has reached `version`.

        The name is the id of a game, the stream of a race or a day, or a player, session, run or group with its prefix.
        """

    def on_presence(self, name: str, text: str) -> None:
        """React to a presence text that another node has published for this name."""

    def on_gap(self, topics: Collection[str] | None) -> None:
        """React to a gap: wake-ups of these topics may have been lost, or of any topic if None."""


class Bus(Protocol):
    """The interface of a bus."""

    def publish_wake_up(self, name: str, version: int, topics: Collection[str] = (), *, sender: object) -> None:
        """Wake up the other nodes, after the commit. Never blocks and never raises.

        `topics` are the topics of the wake-up besides `name`; `sender` is the listener that does not receive it.
        """

    def publish_presence(self, name: str, text: str, *, sender: object) -> None:
        """Publish one line about a name, of at most `MAX_PRESENCE_BYTES`. Never blocks and never raises.

        `sender` is the listener that does not receive it.
        """

    def subscribe(self, topic: str) -> None:
        """Receive this topic from now on. Until the subscription is active, the bus reports the topic as a gap."""

    def unsubscribe(self, topic: str) -> None:
        """Stop receiving this topic; the bus may still deliver it for a while."""

    def add_listener(self, listener: BusListener) -> None:
        """Call this listener for everything that other nodes publish."""

    def remove_listener(self, listener: object) -> None:
        """Stop calling this listener."""

    def start(self) -> None:
        """Start working, in the running event loop. Returns at once, even if the bus cannot be reached."""

    async def close(self) -> None:
        """Send queued messages, if that is possible at once, and disconnect."""


class LocalBus:
    """The bus for nodes in one process. With a single node it does nothing."""

    def __init__(self) -> None:
        self._listeners: dict[object, BusListener] = {}

    def publish_wake_up(self, name: str, version: int, topics: Collection[str] = (), *, sender: object) -> None:
        for listener in self._listeners.values():
            if listener is not sender:
                listener.on_wake_up(name, version)

    def publish_presence(self, name: str, text: str, *, sender: object) -> None:
        for listener in self._listeners.values():
            if listener is not sender:
                listener.on_presence(name, text)

    def subscribe(self, topic: str) -> None:
        """Do nothing: every listener receives everything."""

    def unsubscribe(self, topic: str) -> None:
        """Do nothing: every listener receives everything."""

    def add_listener(self, listener: BusListener) -> None:
        self._listeners[listener] = listener

    def remove_listener(self, listener: object) -> None:
        self._listeners.pop(listener, None)

    def start(self) -> None:
        """Do nothing: there is no connection."""

    async def close(self) -> None:
        """Do nothing: there is no queue."""


MAX_LINE_BYTES = 7_900
"""Bytes in the longest line; a notification of PostgreSQL holds fewer than 8,000."""
Name = Annotated[str, Meta(pattern=rf"^(?:{NAME_PATTERN})\Z", max_length=MAX_NAME_LENGTH)]


class Line(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """One line."""


class WakeUpLine(Line, array_like=True, frozen=True, forbid_unknown_fields=True, tag="wake"):
    """A wake-up."""

    name: Name
    version: Annotated[int, Meta(ge=0)]


class PresenceLine(Line, array_like=True, frozen=True, forbid_unknown_fields=True, tag="presence"):
    """A presence text."""

    name: Name
    text: Annotated[str, Meta(max_length=MAX_PRESENCE_BYTES)]


class GapLine(Line, array_like=True, frozen=True, forbid_unknown_fields=True, tag="gap"):
    """A gap for all topics."""


AnyLine = WakeUpLine | PresenceLine | GapLine
Lines = Mapping[str, Collection[str]]
"""The lines to send, each with the topics to which it belongs."""
_encode = json.Encoder().encode
_decode: json.Decoder[AnyLine] = json.Decoder(AnyLine)


class UnsendableLine(ValueError):
    """A line that cannot be sent; the message says why."""


def encode_line(line: AnyLine) -> str:
    r"""Return the line as text without a line break or a control character.

    >>> encode_line(PresenceLine("game", "a\nb\0"))
    '["presence","game","a\\nb\\u0000"]'

    Raises UnsendableLine.
    """
    try:
        encoded = _encode(line)
        _decode.decode(encoded)
    except (DecodeError, UnicodeError) as error:
        raise UnsendableLine(str(error)) from None
    if len(encoded) > MAX_LINE_BYTES:
        raise UnsendableLine(f"{len(encoded)} bytes are too long")
    return encoded.decode()


def decode_lines(text: str) -> list[AnyLine | None]:
    """Return the lines of a notification; None is a line that cannot be read.

    >>> decode_lines('["gap"]\\ngame 7\\n["wake","game",7]')
    [GapLine(), None, WakeUpLine(name='game', version=7)]
    """
    return [_decoded(line) for line in text.split("\n")]


def _decoded(line: str) -> AnyLine | None:
    try:
        return _decode.decode(line)
    except (DecodeError, UnicodeError):
        return None


def pack_lines(lines: Iterable[str], max_bytes: int) -> list[str]:
    """Join lines into notifications of at most `max_bytes` each. A line that is longer is a notification of its own.

    >>> pack_lines(["a 3", "b 12", "c 1"], 8)
    ['a 3\\nb 12', 'c 1']
    """
    packed: list[list[str]] = []
    left = 0
    for line in lines:
        size = len(line.encode()) + 1
        if not packed or size > left:
            packed.append([])
            left = max_bytes + 1
        packed[-1].append(line)
        left -= size
    return ["\n".join(some) for some in packed]


def group_by_topic(lines: Lines) -> dict[str, list[str]]:
    """Return the lines that belong to each topic.

    >>> group_by_topic({"a 3": ("a", "ended"), "b 7": ("b", "ended")})
    {'a': ['a 3'], 'ended': ['a 3', 'b 7'], 'b': ['b 7']}
    """
    grouped: dict[str, list[str]] = {}
    for line, topics in lines.items():
        for topic in topics:
            grouped.setdefault(topic, []).append(line)
    return grouped
