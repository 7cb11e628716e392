"""The description of an HTTP endpoint: its address, its request and response, and the codes of its refusals."""

from dataclasses import dataclass
from typing import Literal, get_args

from msgspec import Struct

from cadogan.wire.message import Message
from cadogan.wire.values import RefusalCode

API = "/api/v1"
"""What the path of every endpoint begins with."""
DAY_PATTERN = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
Scope = Literal["read", "play", "session"]
"""What a personal token must be allowed for an endpoint; `session` means that no personal token is."""
Role = Literal["player", "moderator", "host"]
"""Who somebody is on a server, each with all that the ones before may do. Whoever is signed in is a player."""
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True)
class Query:
    """An integer parameter in the query of an address, from 0 to `largest`."""

    name: str
    default: int
    largest: int
    meaning: str


@dataclass(frozen=True)
class TextQuery:
    """An optional text parameter in the query of an address.

    The whole text must match `pattern`. `format` is a format of JSON Schema, for what a pattern cannot say.
    """

    name: str
    pattern: str
    example: str
    meaning: str
    format: str | None = None


@dataclass(frozen=True)
class Endpoint:
    """One method of one path.

    `refusals` are the codes besides `COMMON_REFUSALS`. With status 200 it answers with exactly one of these: a body of
    the type `response`, a `document` that is not a body of the contract, a `stream` of messages of
    these types, or `lines` of JSON, each a body of this type.
    """

    method: str
    path: str
    name: str
    """The name of its handler, of the operation in the OpenAPI document, and of the SDK's method."""
    summary: str
    request: type[Struct] | None = None
    response: type[Struct] | None = None
    refusals: tuple[RefusalCode, ...] = ()
    queries: tuple[Query | TextQuery, ...] = ()
    role: Role | None = None
    """The least role that may ask; None if nobody needs to be signed in."""
    confirmed: bool = False
    """Whether the asker must have confirmed in the last minutes that it is they (`show_ways_to_confirm`)."""
    scope: Scope | None = None
    document: str | None = None
    stream: tuple[type[Message], ...] = ()
    lines: type[Struct] | None = None
    has_etag: bool = False
    """Whether the answer has an ETag, and is 304 to who has it already."""

    @property
    def signed_in(self) -> bool:
        """Whether somebody must be signed in to ask."""
        return self.role is not None

    @property
    def is_for_house(self) -> bool:
        """Whether only moderators or hosts may ask."""
        return self.role not in (None, "player")

    @property
    def needed_scope(self) -> Scope:
        """What a personal token needs here: if nothing is said, `read` for GET, and a session for the rest.

        What only moderators or hosts may ask always needs a session.
        """
        return self.scope or ("read" if self.method == "GET" and not self.is_for_house else "session")

    @property
    def codes(self) -> tuple[RefusalCode, ...]:
        """The codes of all refusals that this endpoint may answer with."""
        of_role: tuple[RefusalCode, ...] = ("forbidden",) if self.is_for_house else ()
        of_password: tuple[RefusalCode, ...] = ("confirmation_needed",) if self.confirmed else ()
        return (*self.refusals, *of_role, *of_password, *COMMON_REFUSALS)

    @property
    def parameters(self) -> list[str]:
        """The names of the parameters in the path: ``["id"]`` for ``/games/{id}``."""
        return [part[1:-1] for part in self.path.split("/") if part.startswith("{")]


COMMON_REFUSALS: tuple[RefusalCode, ...] = (
    "bad_message",
    "unauthorized",
    "suspended",
    "rate_limited",
    "unavailable",
    "internal",
)
"""Refusals of every endpoint: the request is unreadable, or not allowed from its page; the account may not be used just
now; the client is too fast; the database does not answer; the server has failed."""
