"""Reading and writing what goes over the wire.

WireError
└── UnreadableMessage   not JSON, no message of the contract, or a value out of bounds
"""

from functools import cache
from typing import Any, TypeVar

import msgspec

from clients.wire.messages import ClientMessage, Message, ServerMessage

LARGEST_FRAME = 8192
"""Bytes in the longest frame that a client may send."""
FELL_BEHIND = 4001
"""The close code for a player who reads too slowly."""
SIGNED_OUT = 4002
"""The close code for a socket whose session has ended."""
CLOSE_CODES = {
    1001: "the server stops: connect again in a while",
    1002: "no WebSocket frame",
    1007: "a text that is no UTF-8",
    1009: f"a frame of more than {LARGEST_FRAME} bytes",
    FELL_BEHIND: "the client has fallen behind: connect again, and subscribe with `since`",
    SIGNED_OUT: "the session that the socket was opened with has ended",
}
"""Why the server closes a socket."""

Body = TypeVar("Body", bound=msgspec.Struct)

_encoder = msgspec.json.Encoder()
_client_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_server_decoder: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)


class WireError(Exception):
    """Something that does not keep to the wire contract."""


class UnreadableMessage(WireError):
    """What was received is no message; the text says where it goes wrong. `id` is the sender's, where it has one."""

    def __init__(self, reason: str, id: str | None = None) -> None:
        super().__init__(reason)
        self.id = id


class _Identified(msgspec.Struct):
    id: str | None = None


_identified_decoder = msgspec.json.Decoder(_Identified)


def encode(value: Message | msgspec.Struct) -> bytes:
    """A message or body as JSON, in UTF-8."""
    return _encoder.encode(value)


def decode_client_message(frame: str | bytes) -> ClientMessage:
    """Read what a client sent.

    >>> decode_client_message('{"type":"ping","id":"1"}')
    Ping(id='1')

    Raises UnreadableMessage.
    """
    try:
        message: ClientMessage = _decoded(_client_decoder, frame)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise UnreadableMessage(str(error), _id_of(frame)) from None
    return message


def decode_server_message(frame: str | bytes) -> ServerMessage:
    """Read what the server sent. Raises UnreadableMessage."""
    try:
        return _server_decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise UnreadableMessage(str(error), _id_of(frame)) from None


def decode_body(kind: type[Body], body: bytes) -> Body:
    """Read an HTTP body. Raises UnreadableMessage."""
    try:
        read: Body = _decoded(_body_decoder(kind), body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise UnreadableMessage(str(error)) from None
    return read


def _decoded(decoder: msgspec.json.Decoder[Any], text: str | bytes) -> Any:
    try:
        return decoder.decode(text)
    except msgspec.ValidationError:
        return msgspec.convert(_whole(msgspec.json.decode(text)), decoder.type)


def _whole(value: Any) -> Any:
    """Numbers that are whole as whole numbers, however they are written: JSON does not tell 2.0 from 2."""
    match value:
        case float() if value.is_integer():
            return int(value)
        case dict():
            return {key: _whole(one) for key, one in value.items()}
        case list():
            return [_whole(one) for one in value]
        case _:
            return value


@cache
def _body_decoder(kind: type[msgspec.Struct]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def _id_of(frame: str | bytes) -> str | None:
    """The id of a message that is unreadable otherwise, so that its sender can be answered."""
    try:
        found = _identified_decoder.decode(frame).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return found[:64] if found else None
