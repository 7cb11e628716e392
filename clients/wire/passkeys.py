"""The HTTP bodies of passkeys (WebAuthn). Binary values are in base64url, without padding."""

from typing import Annotated

from msgspec import Meta

from cadogan.wire.values import Moment, PlayerName, Value

Base64Url = Annotated[str, Meta(min_length=1, max_length=16384, pattern=r"^[A-Za-z0-9_-]+\Z")]
PasskeyName = Annotated[
    str, Meta(min_length=1, max_length=40, pattern=r"^[^\x00-\x1f\x7f]*\Z", description="What the player calls it.")
]


class PasskeyChallenge(Value, frozen=True, kw_only=True):
    """A challenge for a passkey to sign, valid once and for five minutes. `site` is the name of this server."""

    challenge: Base64Url
    site: str


class NewPasskeyChallenge(PasskeyChallenge, frozen=True, kw_only=True):
    """A challenge for a new passkey. `user` is the account's user handle; `known` are its credential ids."""

    user: Base64Url
    known: list[Base64Url]


class NewPasskey(Value, frozen=True, kw_only=True):
    """A new passkey, as in the browser's `AuthenticatorAttestationResponse`, and its name."""

    name: PasskeyName
    credential: Base64Url
    client_data: Base64Url
    attestation: Base64Url


class NewPasskeyAccount(NewPasskey, frozen=True, kw_only=True):
    """Create an account whose player signs in with a passkey. `player` is the name of the account."""

    player: PlayerName
    invitation: Annotated[str, Meta(max_length=100)] | None = None


class PasskeyAnswer(Value, frozen=True, kw_only=True):
    """A challenge signed by a passkey, as in the browser's `AuthenticatorAssertionResponse`."""

    credential: Base64Url
    client_data: Base64Url
    authenticator_data: Base64Url
    signature: Base64Url


class Passkey(Value, frozen=True, kw_only=True):
    """A passkey of the player."""

    id: str
    name: str
    created_at: Moment
    used_at: Moment | None = None


class Passkeys(Value, frozen=True, kw_only=True):
    """The passkeys of the player, the latest first."""

    passkeys: list[Passkey]
