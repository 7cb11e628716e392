"""An OpenID Connect provider: a real HTTP server in this process, with its own key.

It checks what a provider must check: the client, the redirect address, single use of codes, and PKCE. A test sets who
signs in, and what is wrong with the ID token.
"""

import secrets
from base64 import b64decode, urlsafe_b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from typing import Any
from urllib.parse import unquote, urlencode

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey
from msgspec import json

CLIENT, SECRET = "cadogan", "a secret/with:signs"
Key = RSAKey | ECKey


@cache
def first_key() -> RSAKey:
    """Return the key of every provider; creating one takes as long as many a test."""
    return RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})


@dataclass
class OidcProvider:
    """The provider. `subject` signs in next; `claims` override the signed claims, and None omits one.

    `signed_in_at` is when the subject signed in, in seconds since 1970; `asked` is the last authorization request.
    """

    now: Callable[[], int] = lambda: 0
    url: str = ""
    subject: str = "ada"
    claims: dict[str, Any] = field(default_factory=dict)
    discovery: dict[str, Any] = field(default_factory=dict)
    key: Key = field(default_factory=first_key)
    signing: Key | None = None
    unsigned: bool = False
    status: int = 200
    padding: int = 0
    methods: tuple[str, ...] = ("client_secret_basic",)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    signed_in_at: int | None = None
    asked: dict[str, str] = field(default_factory=dict)

    @property
    def issuer(self) -> str:
        """Its address."""
        return self.url

    async def discover(self, _: web.Request) -> web.Response:
        """Respond with the discovery document."""
        found = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "token_endpoint_auth_methods_supported": list(self.methods),
            "padding": " " * self.padding,
        }
        return web.json_response({**found, **self.discovery}, status=self.status)

    async def authorize(self, request: web.Request) -> web.Response:
        """Sign the subject in, and redirect back with a code."""
        asked = dict(request.query)
        assert asked["response_type"] == "code"
        assert asked["client_id"] == CLIENT
        assert asked["code_challenge_method"] == "S256"
        assert "openid" in asked["scope"].split()
        code = secrets.token_urlsafe(16)
        if self.signed_in_at is None or asked.get("prompt") == "login":
            self.signed_in_at = self.now() // 1000
        self.asked = asked
        self.codes[code] = {**asked, "subject": self.subject}
        address = f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"
        return web.Response(status=302, headers={"Location": address})

    async def redeem(self, request: web.Request) -> web.Response:
        """Exchange a code for an ID token."""
        form = {name: str(value) for name, value in (await request.post()).items()}
        if "client_secret_basic" in self.methods:
            name, _, secret = b64decode(request.headers["Authorization"].removeprefix("Basic ")).decode().partition(":")
            client = (unquote(name), unquote(secret))
        else:
            client = (form["client_id"], form["client_secret"])
        if client != (CLIENT, SECRET):
            return web.json_response({"error": "invalid_client"}, status=401)
        asked = self.codes.pop(form["code"], None)
        verifier = urlsafe_b64encode(sha256(form["code_verifier"].encode()).digest()).decode().rstrip("=")
        if (
            asked is None
            or form["grant_type"] != "authorization_code"
            or asked["redirect_uri"] != form["redirect_uri"]
            or asked["code_challenge"] != verifier
        ):
            return web.json_response({"error": "invalid_grant"}, status=400)
        return web.json_response({"token_type": "Bearer", "access_token": "x", "id_token": self._sign(asked)})

    async def show_keys(self, _: web.Request) -> web.Response:
        """Respond with the public key, and with a key that is not for signatures."""
        other = RSAKey.generate_key(2048, {"kid": "other", "use": "enc"})
        return web.json_response({"keys": [other.as_dict(private=False), self.key.as_dict(private=False)]})

    def _sign(self, asked: dict[str, str]) -> str:
        now = self.now() // 1000
        claims = {
            "iss": self.issuer,
            "sub": asked["subject"],
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
            "auth_time": self.signed_in_at if "max_age" in asked else None,
            **self.claims,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        if self.unsigned:
            parts = (urlsafe_b64encode(json.encode(part)).decode().rstrip("=") for part in ({"alg": "none"}, claims))
            return f"{'.'.join(parts)}."
        key = self.signing or self.key
        algorithm = "RS256" if isinstance(key, RSAKey) else "ES256"
        return jwt.encode({"alg": algorithm, "kid": self.key.kid}, claims, key)


@pytest.fixture
async def oidc_provider() -> AsyncIterator[OidcProvider]:
    """Yield a running provider."""
    async with open_provider() as made:
        yield made


@asynccontextmanager
async def open_provider() -> AsyncIterator[OidcProvider]:
    """Run a provider in the current event loop."""
    made = OidcProvider()
    app = web.Application()
    app.router.add_get("/.well-known/openid-configuration", made.discover)
    app.router.add_get("/authorize", made.authorize)
    app.router.add_post("/token", made.redeem)
    app.router.add_get("/keys", made.show_keys)
    async with TestServer(app) as server:
        made.url = str(server.make_url("")).rstrip("/")
        yield made
