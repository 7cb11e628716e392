"""Encode and decode messages and bodies.

WireError
└── UnreadableMessage   not JSON, not a message of the contract, or a value out of bounds
"""

from functools import cache
from typing import Any, TypeVar

import msgspec

from cadogan.wire.message import Message
from cadogan.wire.messages import ClientMessage, ServerMessage

MAX_CLIENT_FRAME_BYTES = 8192
"""The longest frame that a client may send."""
FELL_BEHIND = 4001
"""The code with which the server closes the socket of a client that reads too slowly."""
SIGNED_OUT = 4002
"""The code with which the server closes a socket whose session has ended."""
MAX_REASON = 200
"""The maximum length of an error text about an unreadable message, so that long values are not sent back."""
CLOSE_CODES = {
    1001: "the server stops: connect again later",
    1002: "the bytes are not a WebSocket frame, or the frame is not masked",
    1007: "a text is not UTF-8",
    1008: "the client has sent too many messages for too long",
    1009: f"a frame has more than {MAX_CLIENT_FRAME_BYTES} bytes",
    FELL_BEHIND: "the client reads too slowly: connect again, and subscribe with `since`",
    SIGNED_OUT: "the session of the socket has ended",
}
"""The codes with which the server closes a socket, and their reasons."""

Body = TypeVar("Body", bound=msgspec.Struct)

_encoder = msgspec.json.Encoder()
_client_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_server_decoder: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)


class WireError(Exception):
    """Something breaks the wire contract."""


class UnreadableMessage(WireError):
    """What was received is not a message. The text says where the error is; `id` is the message's id, if it has one."""

    def __init__(self, reason: str, id: str | None = None) -> None:
        super().__init__(reason if len(reason) <= MAX_REASON else f"{reason[:MAX_REASON]}...")
        self.id = id


class _Identified(msgspec.Struct):
    id: str | None = None


_identified_decoder = msgspec.json.Decoder(_Identified)


def encode(value: Message | msgspec.Struct) -> bytes:
    """Return a message or body as JSON, in UTF-8."""
    return _encoder.encode(value)


def decode_client_message(frame: str | bytes) -> ClientMessage:
    """Decode a frame that a client sent.

    >>> decode_client_message('{"type":"ping","id":"1"}')
    Ping(id='1')

    Raises UnreadableMessage.
    """
    try:
        message: ClientMessage = _decode(_client_decoder, frame)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise UnreadableMessage(str(error), _message_id(frame)) from None
    return message


def decode_server_message(frame: str | bytes) -> ServerMessage:
    """Decode a frame that the server sent. Raises UnreadableMessage."""
    try:
        return _server_decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise UnreadableMessage(str(error), _message_id(frame)) from None


def decode_body(kind: type[Body], body: bytes) -> Body:
    """Decode an HTTP body of this type. Raises UnreadableMessage."""
    try:
        read: Body = _decode(_body_decoder(kind), body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise UnreadableMessage(str(error)) from None
    return read


def _decode(decoder: msgspec.json.Decoder[Any], text: str | bytes) -> Any:
    try:
        return decoder.decode(text)
    except msgspec.ValidationError:
        if len(text) > MAX_TEXT_WITH_FLOATS:
            raise
        return msgspec.convert(_number_decoder.decode(text), decoder.type)


MAX_TEXT_WITH_FLOATS = MAX_CLIENT_FRAME_BYTES
"""The maximum bytes of a text in which integers may be written as floats. Longer texts are not parsed twice."""


def _read_number(digits: str) -> int | float:
    """Parse a number; a whole one becomes an int, because 2.0 and 2 are the same number in JSON."""
    number = float(digits)
    return int(number) if abs(number) < _LARGEST_EXACT and number.is_integer() else number


_LARGEST_EXACT = 2**53
"""Up to this number, every whole number has an exact float."""
_number_decoder = msgspec.json.Decoder(float_hook=_read_number)
"""Parses floats with Python's `float`, because msgspec takes 13 microseconds for 1e308."""


@cache
def _body_decoder(kind: type[msgspec.Struct]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def _message_id(frame: str | bytes) -> str | None:
    """Return the id of a message that is otherwise unreadable, so that the server can answer it."""
    try:
        found = _identified_decoder.decode(frame).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return found[:64] if found else None
