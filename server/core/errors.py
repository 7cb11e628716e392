"""The errors with which the server refuses a request: those of the wire contract, and HTTP-only subclasses."""

from cadogan.engine import TranslatableText
from cadogan.wire import values as wire
from cadogan.wire.refusals import *  # noqa: F403
from cadogan.wire.refusals import BadMessage, Unauthorized


def make_wire_text(said: TranslatableText) -> wire.Said:
    """Return a sentence in its wire form, with text and values separate."""
    values = {
        name: make_wire_text(value) if isinstance(value, TranslatableText) else value
        for name, value in said.values.items()
    }
    return wire.Said(text=said.text, values=values)


class WrongMethod(BadMessage, status=405):
    """The address exists, but not with this method."""


class NotAcceptable(BadMessage, status=406):
    """The client accepts no format that this address offers."""


class TooLarge(BadMessage, status=413):
    """The body is larger than the limit."""


class HeadTooLarge(BadMessage, status=431):
    """The query or the headers are larger than the limit."""


class NotJson(BadMessage, status=415):
    """The body is not declared to be JSON, or it is compressed."""


class UnknownHost(BadMessage, status=421):
    """The request was sent to a host name that is not one of this server's."""


class InvalidToken(Unauthorized):
    """The token in the header `Authorization` is invalid: it has expired, or never existed."""


class MissingScope(Unauthorized, status=403):
    """The request came with a personal token that lacks the required scope."""


class ForeignOrigin(Unauthorized, status=403):
    """A page of another site sent the request."""
