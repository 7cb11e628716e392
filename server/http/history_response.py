"""Answers that hold a whole game: charged to who asks, sent in chunks, and not sent again to who has them.

A reader takes the bytes at its own speed, and holds up nobody: the server keeps one copy for all readers.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, suppress
from functools import partial

from aiohttp import ETag, web

from cadogan.server.core.rate_limits import TokenBucket
from cadogan.server.http.app_keys import HISTORIES_AT_ONCE, HISTORY_LIMIT
from cadogan.server.http.requests import asker, current_player
from cadogan.server.play.histories import History
from cadogan.server.play.history_bodies import Charge
from cadogan.wire.values import Player

SEND_TIMEOUT_SECONDS = 60.0
"""Seconds within which a reader has to take the whole answer; it is disconnected then."""
Parts = AsyncGenerator[bytes, None]
"""An answer that is made part by part, while it is sent."""
PUBLIC = "public, max-age=86400"
"""For what everybody may have, and what never changes: it may be kept for a day."""
PRIVATE = "private, no-cache"
"""For what not everybody may have, or what may change: a browser keeps it, and asks each time before it shows it."""


def reader_of(request: web.Request, player: Player | None) -> TokenBucket:
    """Return the bucket that pays for events which this player, or somebody at this address, has the server read."""
    return request.app[HISTORY_LIMIT].bucket(asker(request, player))


async def charge_of(request: web.Request) -> Charge:
    """Return what charges this request for events that it has the server read."""
    return partial(request.app[HISTORY_LIMIT].take, asker(request, await current_player(request)))


async def send_history(
    request: web.Request, history: History, headers: Mapping[str, str] | None = None
) -> web.StreamResponse:
    """Send a history in chunks, or say that the asker has it. Raises TooMany for one who reads too many at once."""
    caching = {"Cache-Control": PUBLIC if history.is_for_all else PRIVATE, **(headers or {})}
    etag = ETag(history.etag)
    if any(known.value in (etag.value, "*") for known in request.if_none_match or ()):
        unchanged = web.Response(status=304, headers=caching)
        unchanged.etag = etag
        return unchanged
    response = web.StreamResponse(headers=caching)
    response.content_type = "application/json"
    response.content_length = history.size
    response.etag = etag
    reader = asker(request, await current_player(request))
    with request.app[HISTORIES_AT_ONCE].one(reader), suppress(ConnectionError):
        await response.prepare(request)
        if request.method != "HEAD":
            await _send(request, response, history)
    return response


async def _send(request: web.Request, response: web.StreamResponse, history: History) -> None:
    try:
        async with asyncio.timeout(SEND_TIMEOUT_SECONDS):
            for chunk in history.chunks:
                await response.write(chunk)
            await response.write_eof()
    except TimeoutError:
        _break_off(request)


async def send_parts(
    request: web.Request, content_type: str, parts: Parts, headers: Mapping[str, str] | None = None
) -> web.StreamResponse:
    """Send an answer of unknown length part by part, of which one is in memory.

    The reader has `SEND_TIMEOUT_SECONDS` for each part. What fails before the first part is refused as usual; what
    fails later breaks the answer off, so that the reader sees that something is missing.
    """
    async with aclosing(parts):
        part = await anext(parts, None)
        response = web.StreamResponse(headers={"Content-Type": content_type, **(headers or {})})
        try:
            await response.prepare(request)
            while part is not None:
                with suppress(ConnectionError):  # the next write, or the end, finds the reader gone
                    await _write(request, response, part)
                part = None if _is_gone(request) else await anext(parts, None)
        except BaseException:
            _break_off(request)
            raise
    with suppress(ConnectionError):
        await response.write_eof()
    return response


async def _write(request: web.Request, response: web.StreamResponse, part: bytes) -> None:
    try:
        async with asyncio.timeout(SEND_TIMEOUT_SECONDS):
            await response.write(part)
    except TimeoutError:
        _break_off(request)


def _is_gone(request: web.Request) -> bool:
    return request.transport is None or request.transport.is_closing()


def _break_off(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()
