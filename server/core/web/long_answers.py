"""Long responses: whole games in chunks, and viewers over a socket or a stream.

Responses with a whole game: charged to the client, streamed in chunks, and answered 304 if the ETag matches.

A slow reader does not block others: the server keeps one copy of the bytes for all readers.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager, suppress
from functools import partial

from aiohttp import ETag, web

from cadogan.server.core.games.history_bodies import Charge, History
from cadogan.server.core.live.connection import ANONYMOUS, Transport, Viewer
from cadogan.server.core.rate_limits import TokenBucket
from cadogan.server.core.web.requests import (
    REQUEST_ID,
    asker,
    client_address,
    current_player,
    current_session,
    has_copy,
    server_of,
)
from cadogan.wire.values import Player

SEND_TIMEOUT_SECONDS = 60.0
"""Seconds within which a reader must receive the whole answer, or it is disconnected."""
Parts = AsyncGenerator[bytes, None]
"""A response that is generated part by part while it is sent."""
PUBLIC = "public, max-age=86400"
"""Cache-Control for public, immutable answers: cached for a day."""
PRIVATE = "private, no-cache"
"""Cache-Control for answers that are private or may change: browsers cache them but revalidate each time."""


def reader_of(request: web.Request, player: Player | None) -> TokenBucket:
    """Return the rate-limit bucket to charge when the server reads events for this player or address."""
    return server_of(request).limits.history.bucket(asker(request, player))


async def charge_of(request: web.Request) -> Charge:
    """Return the function that charges this request for events read by the server."""
    return partial(server_of(request).limits.history.take, asker(request, await current_player(request)))


async def send_history(
    request: web.Request, history: History, headers: Mapping[str, str] | None = None
) -> web.StreamResponse:
    """Stream a history, or answer 304 if the ETag matches. Raises TooMany for too many concurrent readings."""
    caching = {"Cache-Control": PUBLIC if history.is_for_all else PRIVATE, **(headers or {})}
    if has_copy(request, history.etag):
        unchanged = web.Response(status=304, headers=caching)
        unchanged.etag = ETag(history.etag, is_weak=True)
        return unchanged
    response = web.StreamResponse(headers=caching)
    response.content_type = "application/json"
    response.content_length = history.size
    response.etag = ETag(history.etag, is_weak=True)
    reader = asker(request, await current_player(request))
    with server_of(request).limits.histories_at_once.counted(reader), suppress(ConnectionError):
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
    """Send an answer of unknown length part by part, with one part in memory at a time.

    The reader has `SEND_TIMEOUT_SECONDS` for each part. An error before the first part is answered as usual; a later
    error aborts the response, so that the reader sees that it is incomplete.
    """
    async with aclosing(parts):
        part = await anext(parts, None)
        response = web.StreamResponse(headers={"Content-Type": content_type, **(headers or {})})
        try:
            await response.prepare(request)
            while part is not None:
                with suppress(ConnectionError):  # the next write, or the end, detects the disconnection
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


@contextmanager
def viewer_of(
    request: web.Request, player: Player | None, transport: Transport, drained: Callable[[], Awaitable[None]]
) -> Iterator[Viewer]:
    """Yield a viewer that writes to this transport; at the end all its subscriptions end.

    `drained` returns when the transport is writable again.
    """
    server = server_of(request)
    sessions, session = server.sessions, current_session(request)
    viewer = Viewer(
        player.id if player else ANONYMOUS,
        transport,
        request.protocol,
        drained=drained,
        refresh=server.refresh,
        on_slow=server.metrics.dropped_queues.inc,
        name=player.name if player and not player.guest else None,
        connection=request.get(REQUEST_ID, ""),
        reader=reader_of(request, player),
        address=server.limits.push.bucket(client_address(request)),
    )
    sessions.add(session, viewer)
    try:
        yield viewer
    finally:
        server.hub.remove(viewer)
        sessions.remove(session, viewer)
