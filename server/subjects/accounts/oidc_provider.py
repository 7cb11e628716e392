"""The identity provider of an organisation: an OpenID Connect server.

Sign-in uses the authorization code flow with PKCE. The values that connect its steps are derived from one secret in a
cookie of the browser: the `state` in the URLs, the `nonce` in the ID token, and the PKCE verifier. Nothing of the
provider is cached, so that its new keys apply at once.
"""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote, urlencode, urlsplit

import aiohttp
import msgspec
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from msgspec import Struct

from cadogan.server.core.addresses import is_this_machine, url_host
from cadogan.server.core.errors import BadCredentials, Unavailable

TIMEOUT_SECONDS = 10.0
MAX_ANSWER_BYTES = 256 * 1024
LEEWAY_SECONDS = 60
"""Seconds by which the provider's clock may differ."""
ALGORITHMS = ("RS256", "ES256")
"""The accepted signature algorithms of ID tokens."""
_KEY_TYPES = ("RSA", "EC")


Answer = TypeVar("Answer", bound=Struct)


class Subject(NamedTuple):
    """A person's identity: the provider's permanent id of the person (`sub`), and the provider's URL (`iss`)."""

    issuer: str
    subject: str


class _Discovery(Struct):
    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)


class _Tokens(Struct):
    id_token: str


class _Keys(Struct):
    keys: list[dict[str, Any]]


def read_address(text: str) -> str:
    """Parse the URL of a provider. Raises ValueError unless it begins with https:// or is on this machine.

    >>> read_address("https://login.example")
    'https://login.example'
    """
    address = urlsplit(text.strip())
    is_local = is_this_machine(url_host(address.hostname or ""))
    is_safe = address.scheme == "https" or (address.scheme == "http" and is_local)
    if not is_safe or not address.hostname or address.username is not None or address.fragment:
        raise ValueError("is not the address of a provider: write it like https://login.example")
    return text.strip()


def derive(secret: str, label: str) -> str:
    """Derive a text of 43 characters from a secret with a one-way function. `label` is its purpose."""
    return _base64url(hmac.digest(secret.encode(), label.encode(), "sha256"))


class OidcProvider:
    """A provider, configured by the settings of a server. `now` returns the time in milliseconds since 1970."""

    def __init__(self, issuer: str, client_id: str, client_secret: str, now: Callable[[], int]) -> None:
        self.issuer = issuer
        self._client_id = client_id
        self._client_secret = client_secret
        self._now = now

    @classmethod
    def if_set(
        cls, issuer: str | None, client_id: str | None, client_secret: str | None, now: Callable[[], int]
    ) -> "OidcProvider | None":
        """Return the provider, or None unless all settings are set."""
        return cls(issuer, client_id, client_secret, now) if issuer and client_id and client_secret else None

    async def address(self, secret: str, redirect: str, reauthenticate: bool = False) -> str:
        """Return the provider's URL to sign in at, which redirects back to `redirect`.

        With `reauthenticate`, the provider authenticates the person again, even if they are signed in there. Raises
        Unavailable.
        """
        async with _open_session() as session:
            found = await self._discover(session)
        query = {
            "response_type": "code",
            "scope": "openid",
            "client_id": self._client_id,
            "redirect_uri": redirect,
            "state": derive(secret, "state"),
            "nonce": derive(secret, "nonce"),
            "code_challenge": _base64url(sha256(derive(secret, "verifier").encode()).digest()),
            "code_challenge_method": "S256",
        }
        if reauthenticate:
            query |= {"prompt": "login", "max_age": "0"}
        separator = "&" if urlsplit(found.authorization_endpoint).query else "?"
        return f"{found.authorization_endpoint}{separator}{urlencode(query)}"

    async def check(self) -> None:
        """Read the provider's metadata, as before a sign-in. Raises Unavailable."""
        async with _open_session() as session:
            await self._discover(session)

    async def subject(self, code: str, secret: str, redirect: str, since: int | None = None) -> Subject:
        """Exchange the code that the provider has sent, and return the identity that has signed in.

        With `since`, in milliseconds since 1970, the person must have authenticated at the provider after this time.
        Raises BadCredentials and Unavailable.
        """
        async with _open_session() as session:
            found = await self._discover(session)
            token = await self._redeem(session, found, code, secret, redirect)
            keys = await _ask(session, found.jwks_uri, _Keys)
        claims = self._read(token, keys, derive(secret, "nonce"))
        if since is not None and not self._is_recent_enough(claims.get("auth_time"), since):
            raise BadCredentials("The provider did not ask you to sign in again: sign out there, and begin once more.")
        return Subject(self.issuer, claims["sub"])

    async def _discover(self, session: aiohttp.ClientSession) -> _Discovery:
        address = f"{self.issuer.rstrip('/')}/.well-known/openid-configuration"
        found = await _ask(session, address, _Discovery)
        if found.issuer != self.issuer:
            raise _unusable()
        return found

    async def _redeem(
        self, session: aiohttp.ClientSession, found: _Discovery, code: str, secret: str, redirect: str
    ) -> str:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect,
            "code_verifier": derive(secret, "verifier"),
        }
        headers = {}
        if "client_secret_basic" in found.token_endpoint_auth_methods_supported:
            headers["Authorization"] = aiohttp.encode_basic_auth(
                quote(self._client_id, safe=""), quote(self._client_secret, safe="")
            )
        else:
            form |= {"client_id": self._client_id, "client_secret": self._client_secret}
        return (await _ask(session, found.token_endpoint, _Tokens, form, headers)).id_token

    def _is_recent_enough(self, proved_at: object, since: int) -> bool:
        if isinstance(proved_at, bool) or not isinstance(proved_at, int | float):
            return False
        return since // 1000 - LEEWAY_SECONDS <= proved_at <= self._now() // 1000 + LEEWAY_SECONDS

    def _read(self, token: str, keys: _Keys, nonce: str) -> dict[str, Any]:
        """Return the claims of an ID token. Raises BadCredentials unless it is valid."""
        known = [key for key in keys.keys if key.get("kty") in _KEY_TYPES and key.get("use", "sig") == "sig"]
        rules = jwt.JWTClaimsRegistry(
            now=self._now() // 1000,
            leeway=LEEWAY_SECONDS,
            iss={"essential": True, "value": self.issuer},
            aud={"essential": True, "value": self._client_id},
            sub={"essential": True},
            exp={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        try:
            claims = jwt.decode(token, KeySet.import_key_set({"keys": known}), algorithms=ALGORITHMS).claims
            rules.validate(claims)
        except (JoseError, ValueError, TypeError) as error:
            raise refusal() from error
        audience, party, subject = claims["aud"], claims.get("azp"), claims["sub"]
        is_shared = isinstance(audience, list) and len(audience) > 1
        if (party is not None or is_shared) and party != self._client_id:
            raise refusal()
        if not isinstance(subject, str) or not 1 <= len(subject) <= 255:
            raise refusal()
        return claims


def refusal() -> BadCredentials:
    """Return the error for an invalid sign-in."""
    return BadCredentials("This sign-in is not right, or came too late: begin it again.")


def _unusable() -> Unavailable:
    return Unavailable("The provider of your sign-in does not answer as it should: try again later.")


def _open_session() -> aiohttp.ClientSession:
    timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
    return aiohttp.ClientSession(timeout=timeout, cookie_jar=aiohttp.DummyCookieJar())


async def _ask(
    session: aiohttp.ClientSession,
    address: str,
    kind: type[Answer],
    form: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """Send a GET to the provider, or with a form a POST. Raises Unavailable, and BadCredentials for a rejected form."""
    try:
        method = "GET" if form is None else "POST"
        asked = session.request(method, read_address(address), data=form, headers=headers, allow_redirects=False)
        async with asked as answer:
            if form is not None and answer.status == 400:
                raise refusal()
            if answer.status != 200:
                raise _unusable()
            return msgspec.json.decode(await _read_body(answer), type=kind)
    except (aiohttp.ClientError, TimeoutError, ValueError) as error:
        raise _unusable() from error


async def _read_body(answer: aiohttp.ClientResponse) -> bytes:
    body = bytearray()
    async for part in answer.content.iter_any():
        body += part
        if len(body) > MAX_ANSWER_BYTES:
            raise ValueError("too long")
    return bytes(body)


def _base64url(digest: bytes) -> str:
    return urlsafe_b64encode(digest).decode().rstrip("=")
