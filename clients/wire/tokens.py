"""The HTTP bodies about personal tokens, with which programs and pages of other sites act for a player."""

from typing import Annotated, Literal

from msgspec import Meta

from cadogan.wire.values import Moment, Value

TokenScope = Annotated[
    Literal["read", "play", "analyse"],
    Meta(
        description="`read` may look at what the player may see; `play` may begin and play games and races too; "
        "`analyse` may analyse finished games for the server, and nothing else."
    ),
]
TokenName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=r"^[^\x00-\x1f\x7f]+\Z",
        description="What the token is for, for its owner.",
    ),
]
TokenScopes = Annotated[list[TokenScope], Meta(min_length=1, max_length=3)]


class NewToken(Value, frozen=True, kw_only=True):
    """Create a personal token that expires after some days. No token can change the account."""

    name: TokenName
    scopes: TokenScopes
    days: Annotated[int, Meta(ge=1, le=365)] = 90


class PersonalToken(Value, frozen=True, kw_only=True):
    """A personal token, without the token itself."""

    id: str
    name: TokenName
    scopes: TokenScopes
    created_at: Moment
    expires_at: Moment


class MadeToken(PersonalToken, frozen=True, kw_only=True):
    """A new personal token. The server stores only a hash of `token`, so it cannot be shown again."""

    token: str


class PersonalTokens(Value, frozen=True, kw_only=True):
    """The requesting player's valid personal tokens, the latest first."""

    tokens: list[PersonalToken]
