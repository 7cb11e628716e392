"""The lines that nodes send each other over a network: each is one JSON array without line breaks.

["wake","k3v7q2m5x4c6z2ab",12]      this name has reached this version
["presence","k3v7q2m5x4c6z2ab","…"] a presence text about this name
["gap"]                             wake-ups of any topic may have been lost

UnsendableLine    the line cannot be encoded, or is too long
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated

from msgspec import DecodeError, Meta, Struct, json

from cadogan.server.cluster.bus import MAX_NAME_LENGTH, MAX_PRESENCE_BYTES, NAME_PATTERN

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
    """Return the lines of a notification; None stands for a line that cannot be read.

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
