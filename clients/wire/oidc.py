"""The HTTP bodies of signing in by the organisation's provider (OpenID Connect)."""

from typing import Annotated, Literal

from msgspec import Meta

from cadogan.wire.values import Player, PlayerName, Value


class OidcProvider(Value, frozen=True, kw_only=True):
    """The provider that signs people in: `name` is what the host calls it by, none if there is no provider.

    `linked` is whether the account of the player who asks is linked with somebody there.
    """

    name: str | None = None
    linked: bool = False


class OidcAddress(Value, frozen=True, kw_only=True):
    """Where one signs in. The provider leads back to `/account/provider`, in the browser that asked."""

    address: str


class OidcAnswer(Value, frozen=True, kw_only=True):
    """What the provider has put into the address that it leads back to."""

    code: Annotated[str, Meta(min_length=1, max_length=4096)]
    state: Annotated[str, Meta(min_length=1, max_length=100)]


class OidcOutcome(Value, frozen=True, kw_only=True):
    """What has come of a sign-in: a session; a linked account; `confirmed`: this session is as if the password had been
    entered again; or `new`: nobody here is linked, so choose a name.
    """

    outcome: Literal["signed_in", "linked", "confirmed", "new"]
    player: Player | None = None
    token: str | None = None


class NewOidcAccount(Value, frozen=True, kw_only=True):
    """Create an account for who has just signed in by the provider. `player` is the name of the account."""

    player: PlayerName
    invitation: Annotated[str, Meta(max_length=100)] | None = None
