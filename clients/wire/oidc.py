"""The HTTP bodies of sign-in with the organisation's provider (OpenID Connect)."""

from typing import Annotated, Literal

from msgspec import Meta

from cadogan.wire.values import Player, PlayerName, Value


class OidcProvider(Value, frozen=True, kw_only=True):
    """The provider for sign-in. `name` is the host's name for it; it is missing if there is no provider.

    `linked` is whether the requesting player's account is linked with an identity there.
    """

    name: str | None = None
    linked: bool = False


class OidcAddress(Value, frozen=True, kw_only=True):
    """The provider's URL to sign in at. It redirects the browser back to `/account/provider`."""

    address: str


class OidcAnswer(Value, frozen=True, kw_only=True):
    """The parameters of the provider's redirect back to this server."""

    code: Annotated[str, Meta(min_length=1, max_length=4096)]
    state: Annotated[str, Meta(min_length=1, max_length=100)]


class OidcOutcome(Value, frozen=True, kw_only=True):
    """The result of a sign-in with the provider.

    It is a session; a linked account; `confirmed`, as if the password had been entered again; or `new`, if no account
    is linked and a name must be chosen.
    """

    outcome: Literal["signed_in", "linked", "confirmed", "new"]
    player: Player | None = None
    token: str | None = None


class NewOidcAccount(Value, frozen=True, kw_only=True):
    """Create an account after a sign-in with the provider. `player` is the name of the account."""

    player: PlayerName
    invitation: Annotated[str, Meta(max_length=100)] | None = None
