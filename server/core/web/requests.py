"""Reading HTTP requests and answering them: the server, the body, cookies, and the player.

The cookies of browsers: the session, device marks of the players who have signed in here, and a sign-in under way.

Over TLS their names begin with `__Host-`. A browser accepts such a cookie only from this host and only over TLS, so no
page of a sibling domain can replace it. Older versions set cookies without the prefix: see `old_session_cookie`.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from aiohttp import web
from msgspec import Struct

from cadogan.server.core import ids
from cadogan.server.core.addresses import Origin, read_address, read_forwarded
from cadogan.server.core.errors import BadMessage, InvalidToken, MissingScope, NotJson, Unauthorized
from cadogan.server.core.people import SESSION_LIFETIME_SECONDS, is_like_a_token, session_id
from cadogan.server.core.rate_limits import AddressLimit, TokenBucket, Turn
from cadogan.wire.codec import Body, UnreadableMessage, decode_body, encode
from cadogan.wire.endpoint import Query, Scope, TextQuery
from cadogan.wire.endpoints import ENDPOINTS
from cadogan.wire.values import Player

if TYPE_CHECKING:
    from cadogan.server.app import Server  # builds what handlers need, from parts that have handlers

SERVER: "web.AppKey[Server]" = web.AppKey("server")
REQUEST_ID = web.RequestKey("request_id", str)
_ADDRESS = web.RequestKey("address", str)
TURN = web.RequestKey("turn", Turn)
"""The turn of the request. It ends when the answer begins to be sent."""
CREATIONS = web.RequestKey("creations", list[TokenBucket])
"""The buckets from which this request took a token for what it creates."""
PLAYER = web.RequestKey("player", Player)
"""The current player; unset if nobody is signed in or not looked up yet."""
PERSON = web.RequestKey("person", str)
"""The id of the person behind the player: for a bot its owner."""
SCOPES = web.RequestKey("scopes", frozenset[str])
"""What a personal token may do; a request without one has no scopes, and may do everything that its player may."""


def server_of(request: web.Request) -> "Server":
    """Return the server that a request was sent to."""
    return request.app[SERVER]


IDEMPOTENCY_KEY = "Idempotency-Key"
"""The header with the id of a POST, which makes retries safe."""
_IDEMPOTENCY_KEY = re.compile(r"[!-~]{1,128}")
MAX_BODY_BYTES = 64 * 1024
MAX_HEADERS = 64
"""Headers of a request; each has at most 8,190 bytes."""
LINGERING_SECONDS = 1.0
"""Seconds for which the rest of a refused body is read, so that the sender can read the refusal."""
BODY_TIMEOUT_SECONDS = 30.0
"""Timeout for receiving a whole body, in seconds."""
_QUERIES = {(one.name, query.name): query for one in ENDPOINTS for query in one.queries}


async def read_body(request: web.Request, kind: type[Body]) -> Body:
    """Read and decode the request's body.

    Raises NotJson, BadMessage, and aiohttp's own HTTPRequestEntityTooLarge beyond `MAX_BODY_BYTES`.
    """
    if request.content_type != "application/json":
        raise NotJson("Send JSON, with Content-Type: application/json.")
    body = await receive(request, request.read)
    try:
        return decode_body(kind, body)
    except UnreadableMessage as error:
        raise BadMessage("The body cannot be read: {why}.", why=str(error)) from None


async def receive(request: web.Request, read: Callable[[], Awaitable[bytes]]) -> bytes:
    """Return the request's body, which `read` reads. Raises BadMessage if it does not come in time, and as `read`."""
    try:
        request[TURN].give_back()  # a slow sender must not block other requests
        async with asyncio.timeout(BODY_TIMEOUT_SECONDS):
            body = await read()
        await request[TURN].take()
        return body
    except TimeoutError:
        raise BadMessage("The body did not come within {count} seconds.", count=round(BODY_TIMEOUT_SECONDS)) from None
    except (web.RequestPayloadError, ConnectionError):
        raise BadMessage("The body breaks off.") from None


def json_response(body: Struct) -> web.Response:
    """Return a response with this body as JSON."""
    return web.Response(body=encode(body), content_type="application/json")


def tagged_response(request: web.Request, body: bytes, tag: str) -> web.Response:
    """Return a response with these bytes of JSON, or 304 to who has them already; browsers ask each time."""
    headers = {"Cache-Control": "private, no-cache"}
    if has_copy(request, tag):
        response = web.Response(status=304, headers=headers)
    else:
        response = web.Response(body=body, content_type="application/json", headers=headers)
    response.etag = tag
    return response


def int_parameter(request: web.Request, endpoint: str, name: str) -> int:
    """Return a whole number from the query, or its default as declared for this endpoint. Raises BadMessage."""
    query = _QUERIES[endpoint, name]
    assert isinstance(query, Query)
    text = request.query.get(name)
    if text is None:
        return query.default
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= query.largest):
        raise BadMessage(
            "The query's {name} must be a whole number from 0 to {largest}.", name=name, largest=query.largest
        )
    return int(text)


def text_parameter(request: web.Request, endpoint: str, name: str) -> str | None:
    """Return a text from the query as declared for this endpoint; None if it is not given. Raises BadMessage."""
    query = _QUERIES[endpoint, name]
    assert isinstance(query, TextQuery)
    text = request.query.get(name)
    if text is not None and not re.fullmatch(query.pattern, text):
        raise BadMessage("The query's {name} must be something like {example}.", name=name, example=query.example)
    return text


def bearer_token(request: web.Request) -> str | None:
    """Return the token in the header `Authorization`, valid or not; None without such a header.

    `Basic` is for a proxy in front of the server, and is ignored.
    """
    header = request.headers.get("Authorization")
    if header is None or header.partition(" ")[0].lower() == "basic":
        return None
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def session_token(request: web.Request) -> str | None:
    """Return the session's token that came with the request: a program's bearer token, else a browser's cookie."""
    bearer = bearer_token(request)
    return bearer if bearer is not None else read_cookie(request, SESSION_COOKIE)


def check_idempotency_key(request: web.Request) -> None:
    """Raise BadMessage if a POST has a malformed `Idempotency-Key`."""
    key = request.headers.get(IDEMPOTENCY_KEY)
    if request.method == "POST" and key is not None and not _IDEMPOTENCY_KEY.fullmatch(key):
        raise BadMessage("An Idempotency-Key has 1 to 128 letters, digits and signs, and no spaces.")


def has_copy(request: web.Request, tag: str) -> bool:
    """Return whether the client has the content with this entity tag already, as `If-None-Match` says (RFC 9110).

    The header is searched, not split: thousands of tags fit into it.
    """
    known = request.headers.get("If-None-Match", "")
    return known.strip() == "*" or f'"{tag}"' in known


def check_coding(request: web.Request) -> None:
    """Raise NotJson if the body is compressed: 48 kB could expand to 50 MB, so none is decompressed."""
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise NotJson("Send the body as it is, without Content-Encoding.")


def id_to_create(request: web.Request, player: Player) -> str:
    """Return the id of the resource that this POST creates: equal for equal player and `Idempotency-Key`, else new.

    A repeated POST therefore finds the resource that the first one created, on any node.
    """
    key = request.headers.get(IDEMPOTENCY_KEY)
    if key is None:
        return ids.new_id()
    return ids.derive_id(key.encode(), request.method, request.path, player.id)


def current_session(request: web.Request) -> str | None:
    """Return the id of the session of the current player; None if nobody is signed in. Call `current_player` first."""
    token = session_token(request)
    return None if token is None or PLAYER not in request else session_id(token)


async def current_player(request: web.Request) -> Player | None:
    """Return the player who sent the request; None if nobody is signed in, or the session of a cookie has ended.

    Raises InvalidToken for a bearer token that is not valid: a program is never treated as anonymous. Raises Suspended
    if the account is suspended.
    """
    server = server_of(request)
    player = request.get(PLAYER)
    token = session_token(request)
    if player is None and token is not None and is_like_a_token(token):
        player = await server.sign_in.accounts.authenticate(token)
        if player is not None:
            server.sign_in.own_sessions.record_use(session_id(token), request.headers.get("User-Agent", ""))
        if player is None and bearer_token(request) is not None:
            personal = await server.sign_in.personal_tokens.authenticate(token)
            if personal is not None:
                player, request[SCOPES] = personal
        if player is not None:
            request[PLAYER] = player
            request[PERSON] = await server.persons.person_of(player.id)
            return player
        await server.sign_in.accounts.refuse_suspended(token)
    if player is None and bearer_token(request) is not None:
        raise InvalidToken("This token is not valid: it has ended, or it was not sent as Authorization: Bearer.")
    return player


def check_scope(request: web.Request, needed: Scope) -> None:
    """Raise MissingScope if the request came with a personal token without this scope."""
    scopes = request.get(SCOPES)
    if scopes is not None and needed not in scopes and not (needed == "read" and "play" in scopes):
        raise MissingScope("This needs a session, or a personal token with the scope {scope}.", scope=needed)


async def require_player(request: web.Request) -> Player:
    """Return the player who sent the request. Raises Unauthorized if nobody is signed in."""
    player = await current_player(request)
    if player is None:
        raise Unauthorized("Sign in first, or play as a guest.")
    return player


def server_origin(request: web.Request) -> str:
    """Return the origin of this server's URLs: the first configured one, else that of the request."""
    origins = server_of(request).settings.origin
    return origins[0] if origins else str(asked_origin(request))


def charge_creation(request: web.Request, limit: AddressLimit) -> None:
    """Take a token of the client's address for an account, a guest or a race. Raises RateLimited without one.

    It is given back if the database was unavailable: nothing was created, and clients try again.
    """
    bucket = limit.bucket(client_address(request))
    bucket.take()
    request.setdefault(CREATIONS, []).append(bucket)


def client_address(request: web.Request) -> str:
    """Return the client's network address, which is determined once."""
    if (known := request.get(_ADDRESS)) is None:
        known = request[_ADDRESS] = _find_client_address(request)
    return known


def _find_client_address(request: web.Request) -> str:
    """Return the client's network address: the peer's, or the one that the proxies before the server report.

    If the reported text is not an address (a client that bypasses the proxies can send any), the peer's is used.
    """
    if proxies := server_of(request).settings.proxies:
        headers = request.headers.getall("X-Forwarded-For", [])
        passed = [part for header in headers for part in header.split(",")]
        with suppress(ValueError, IndexError):
            return str(read_forwarded(passed[-proxies]))
    return _peer(request.remote or "")


@lru_cache(maxsize=4096)
def _peer(remote: str) -> str:
    with suppress(ValueError):
        return str(read_address(remote))
    return remote


def asker(request: web.Request, player: Player | None) -> str:
    """Return the key for rate limits: the id of the person behind a named player.

    All guests and anonymous clients of one network address share one key.
    """
    if player is None or player.guest:
        return client_address(request)
    person: str = request.get(PERSON, player.id)
    return person


SESSION_COOKIE = "cadogan_session"
DEVICE_COOKIE = "cadogan_device"
OIDC_COOKIE = "cadogan_oidc"
"""The secret of a sign-in by the provider, for a few minutes."""
_TLS_PREFIX = "__Host-"


def is_over_tls(request: web.Request) -> bool:
    """Whether the browser reached the server over TLS: by the setting, or by the configured origin of this host."""
    settings = server_of(request).settings
    return settings.secure_cookies or _is_configured_with_tls(request.host, settings.origin)


@lru_cache(maxsize=256)
def _is_configured_with_tls(host: str, origins: tuple[str, ...]) -> bool:
    with suppress(ValueError):
        return str(Origin.of("https", host)) in origins
    return False


def asked_origin(request: web.Request) -> Origin:
    """Return the origin of this server under which the browser sent the request."""
    return Origin.of("https" if is_over_tls(request) else request.scheme, request.host)


def read_cookie(request: web.Request, name: str) -> str | None:
    """Return the value of a cookie; None without one.

    Device marks cannot be forged, so those in a cookie without the prefix count too.
    """
    old = find_cookie(request, name) if name == DEVICE_COOKIE else None
    return find_cookie(request, _full_name(request, name)) or old or None


def find_cookie(request: web.Request, name: str) -> str | None:
    """Return the value of the cookie with exactly this name; None without one.

    Other cookies are skipped without parsing: aiohttp's `cookies` takes 20 milliseconds for 8 KB of them.
    """
    for pair in request.headers.get("Cookie", "").split(";"):
        key, _, value = pair.partition("=")
        if key.strip() == name:
            return value.strip().strip('"')
    return None


def old_session_cookie(request: web.Request) -> str | None:
    """Return the session in a cookie that was set over TLS before its name began with `__Host-`; None if there is none.

    A sibling domain may have set it, so it may only be used to give a guest a new session, which ends this one.
    """
    return find_cookie(request, SESSION_COOKIE) if is_over_tls(request) else None


def delete_old_session_cookie(request: web.Request, response: web.Response) -> None:
    """Delete the cookie without the prefix."""
    response.del_cookie(SESSION_COOKIE, path="/", secure=True, httponly=True, samesite="Lax")


def has_session_cookie(request: web.Request) -> bool:
    """Whether the request has a session cookie, of either name: only browsers send one."""
    return any(find_cookie(request, name) is not None for name in (SESSION_COOKIE, _TLS_PREFIX + SESSION_COOKIE))


def set_cookie(
    request: web.Request, response: web.Response, name: str, value: str, seconds: int = SESSION_LIFETIME_SECONDS
) -> None:
    """Send the browser a cookie that no script can read."""
    response.set_cookie(
        _full_name(request, name),
        value,
        max_age=seconds,
        path="/",
        httponly=True,
        samesite="Lax",
        secure=is_over_tls(request),
    )


def delete_session_cookie(request: web.Request, response: web.Response) -> None:
    """Delete the session."""
    delete_cookie(request, response, SESSION_COOKIE)


def delete_device_cookie(request: web.Request, response: web.Response) -> None:
    """Delete the device marks."""
    delete_cookie(request, response, DEVICE_COOKIE)


def delete_cookie(request: web.Request, response: web.Response, name: str) -> None:
    """Delete a cookie of this name."""
    response.del_cookie(_full_name(request, name), path="/", secure=is_over_tls(request), httponly=True, samesite="Lax")


def _full_name(request: web.Request, name: str) -> str:
    return _TLS_PREFIX + name if is_over_tls(request) else name
