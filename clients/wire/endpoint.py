"""What an HTTP endpoint is: its address, what is sent, what is answered, and with which codes it is refused."""

from dataclasses import dataclass

from msgspec import Struct

from clients.wire.messages import Message
from clients.wire.values import RefusalCode


@dataclass(frozen=True)
class Query:
    """A whole number in an address's query, with its default and bounds."""

    name: str
    default: int
    largest: int
    meaning: str


@dataclass(frozen=True)
class TextQuery:
    """A text in an address's query, which may be left out: what it must look like, and an example.

    What no pattern can say has a `format` of JSON Schema.
    """

    name: str
    pattern: str
    example: str
    meaning: str
    format: str | None = None


@dataclass(frozen=True)
class Endpoint:
    """One method of one path.

    `refusals` are the codes that are its own; `EVERYWHERE` may be met at any. What it answers with 200 is a
    `response`, or where that is no body of the contract a `document`, or one of these messages after another in a
    `stream`.
    """

    method: str
    path: str
    name: str
    """Its handler's name, and the operation's in the document."""
    summary: str
    request: type[Struct] | None = None
    response: type[Struct] | None = None
    refusals: tuple[RefusalCode, ...] = ()
    queries: tuple[Query | TextQuery, ...] = ()
    signed_in: bool = False
    document: str | None = None
    stream: tuple[type[Message], ...] = ()

    @property
    def parameters(self) -> list[str]:
        """The names in the path: ``["id"]`` for ``/games/{id}``."""
        return [part[1:-1] for part in self.path.split("/") if part.startswith("{")]


EVERYWHERE: tuple[RefusalCode, ...] = ("bad_message", "unauthorized", "rate_limited", "unavailable", "internal")
"""Refusals that may be met at every endpoint: an unreadable request, a foreign page's, one too many, a database that
is away, our own fault."""
