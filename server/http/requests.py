"""Reading HTTP requests and answering them: bodies, numbers in the query, who asks, and from where."""

import asyncio
import re

from aiohttp import web
from msgspec import Struct

from clients.wire.codec import Body, UnreadableMessage, decode_body, encode
from clients.wire.endpoint import Query, TextQuery
from clients.wire.endpoints import ENDPOINTS
from clients.wire.values import Player
from server.core.errors import BadMessage, NotJson, Unauthorized
from server.http.app_keys import ACCOUNTS, PLAYER, SETTINGS
from server.players.accounts import session_id

COOKIE = "cadogan_session"
LARGEST_BODY = 64 * 1024
BODY_PATIENCE = 30.0
"""Seconds in which a body has to come."""
_QUERIES = {(one.name, query.name): query for one in ENDPOINTS for query in one.queries}


async def read_body(request: web.Request, kind: type[Body]) -> Body:
    """The request's body. Raises NotJson, BadMessage, or aiohttp's own refusal of a body beyond the limit."""
    if request.content_type != "application/json":
        raise NotJson("Send JSON, with Content-Type: application/json.")
    try:
        async with asyncio.timeout(BODY_PATIENCE):
            body = await request.read()
        return decode_body(kind, body)
    except TimeoutError:
        raise BadMessage("The body did not come within {count} seconds.", count=round(BODY_PATIENCE)) from None
    except (web.RequestPayloadError, ConnectionError):
        raise BadMessage("The body is not coded as its Content-Encoding says, or breaks off.") from None
    except UnreadableMessage as error:
        raise BadMessage("The body cannot be read: {why}.", why=str(error)) from None


def answer(body: Struct) -> web.Response:
    """The body as JSON."""
    return web.Response(body=encode(body), content_type="application/json")


def number(request: web.Request, endpoint: str, name: str) -> int:
    """A whole number from the address's query, or its default, as the endpoint has it. Raises BadMessage."""
    query = _QUERIES[endpoint, name]
    assert isinstance(query, Query)
    text = request.query.get(name)
    if text is None:
        return query.default
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= query.largest):
        raise BadMessage("The query's {name} is a whole number from 0 to {largest}.", name=name, largest=query.largest)
    return int(text)


def words(request: web.Request, endpoint: str, name: str) -> str | None:
    """A text in the address's query, as the endpoint has it; None where there is none. Raises BadMessage."""
    query = _QUERIES[endpoint, name]
    assert isinstance(query, TextQuery)
    text = request.query.get(name)
    if text is not None and not re.fullmatch(query.pattern, text):
        raise BadMessage("The query's {name} is something like {example}.", name=name, example=query.example)
    return text


def token_of(request: web.Request) -> str | None:
    """The session's token that came with the request: a program's bearer token, else a browser's cookie."""
    scheme, _, bearer = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer" and bearer.strip():
        return bearer.strip()
    return request.cookies.get(COOKIE) or None


def session_asking(request: web.Request) -> str | None:
    """What the session of who asks is called; None for nobody who is signed in, as `asker` has found."""
    token = token_of(request)
    return None if token is None or PLAYER not in request else session_id(token)


async def asker(request: web.Request) -> Player | None:
    """Who asks; None for nobody who is signed in."""
    player = request.get(PLAYER)
    token = token_of(request)
    if player is None and token is not None:
        player = await request.app[ACCOUNTS].authenticate(token)
        if player is not None:
            request[PLAYER] = player
    return player


async def signed_in(request: web.Request) -> Player:
    """Who asks. Raises Unauthorized for nobody."""
    player = await asker(request)
    if player is None:
        raise Unauthorized("Sign in first, or begin as a guest.")
    return player


def address(request: web.Request) -> str:
    """The network address of who asks: the peer's, or with proxies before the server what they say."""
    proxies = request.app[SETTINGS].proxies
    passed = [part.strip() for header in request.headers.getall("X-Forwarded-For", []) for part in header.split(",")]
    if proxies and len(passed) >= proxies:
        return passed[-proxies]
    return request.remote or ""
