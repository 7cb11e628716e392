"""The description of an HTTP endpoint: its address, its request and response, and the codes of its refusals."""

from dataclasses import dataclass
from typing import Literal, get_args

from msgspec import Struct

from cadogan.wire.message import Message
from cadogan.wire.values import RefusalCode

API = "/api/v1"
"""The prefix of every endpoint's path."""
DAY_PATTERN = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
Scope = Literal["read", "play", "analyse", "session"]
"""The scope that a personal token needs for an endpoint; `session` means that personal tokens are not accepted."""
Role = Literal["player", "moderator", "host"]
"""A role on a server, which includes the permissions of the roles before it. Every signed-in user is a player."""
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True)
class Query:
    """An integer query parameter, from 0 to `largest`."""

    name: str
    default: int
    largest: int
    meaning: str


@dataclass(frozen=True)
class TextQuery:
    """An optional text query parameter.

    The whole text must match `pattern`. `format` is a format of JSON Schema, for rules that a pattern cannot express.
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
    """The lowest role that may send the request; None if no sign-in is needed."""
    confirmed: bool = False
    """Whether the user must have confirmed their identity in the last minutes (`show_ways_to_confirm`)."""
    scope: Scope | None = None
    document: str | None = None
    stream: tuple[type[Message], ...] = ()
    lines: type[Struct] | None = None
    has_etag: bool = False
    """Whether the answer has an ETag, and is 304 if the request's ETag matches."""

    @property
    def signed_in(self) -> bool:
        """Whether the request needs a sign-in."""
        return self.role is not None

    @property
    def is_for_staff(self) -> bool:
        """Whether only moderators or hosts may send the request."""
        return self.role not in (None, "player")

    @property
    def needed_scope(self) -> Scope:
        """The scope that a personal token needs. The default is `read` for GET, and `session` for other methods.

        Endpoints for moderators or hosts always need a session.
        """
        return self.scope or ("read" if self.method == "GET" and not self.is_for_staff else "session")

    @property
    def codes(self) -> tuple[RefusalCode, ...]:
        """The codes of all refusals that this endpoint may answer with."""
        of_role: tuple[RefusalCode, ...] = ("forbidden",) if self.is_for_staff else ()
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
"""Refusals of every endpoint: the request is unreadable, or not allowed from its origin; the account is suspended; the
client is too fast; the database does not answer; the server has a bug."""
