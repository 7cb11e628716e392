"""Middleware of every request: its id, log line and metrics, the format of refusals, and the headers."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator
from email.utils import formatdate
from functools import lru_cache
from types import coroutine
from typing import Any, TypeVar, cast

import structlog
from aiohttp import ClientConnectionResetError, web

from cadogan.server.core import ids, logs
from cadogan.server.core.errors import (
    BadMessage,
    Internal,
    NotFound,
    RateLimited,
    RefusalError,
    TooLarge,
    Unauthorized,
    WrongMethod,
)
from cadogan.server.core.eventlog.background_tasks import as_unavailable
from cadogan.server.core.logs import client_address_now
from cadogan.server.core.rate_limits import answer_cost
from cadogan.server.core.shares import Share, use_share
from cadogan.server.core.web.requests import (
    CREATIONS,
    MAX_BODY_BYTES,
    REQUEST_ID,
    TURN,
    bearer_token,
    check_coding,
    check_idempotency_key,
    check_scope,
    client_address,
    current_player,
    is_over_tls,
    json_response,
    server_of,
)
from cadogan.server.http.request_checks import (
    FOR_MACHINES,
    HEAD_REFUSAL,
    check_host,
    check_role,
    check_write_origin,
    head_bytes,
)
from cadogan.wire.endpoint import API
from cadogan.wire.endpoints import ENDPOINTS

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Result = TypeVar("Result")


log = structlog.stdlib.get_logger("cadogan.http")

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "Server": "cadogan",
    "X-Content-Type-Options": "nosniff",
}
_CARD_PATH = re.compile(r"/embed/(?:today|evening/[^/]+|board/[^/]+)")
"""The only pages that other sites may show in a frame."""
CARD_HEADERS = {
    **HEADERS,
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors *",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
_AFTER_INVITATION = re.compile(
    r"(?is)(?<=/join/).+|(?<=/join%2f).+|(?<=/feeds/groups/).+|(?<=/feeds%2fgroups%2f).+|(?<=[?;&]).+"
)
_LOOKS_SECRET = re.compile(r"(?=.*[A-Z])[A-Za-z0-9_-]{20,}")
"""Matches a part of a path as long as a group's token with capitals, unlike any id or file of the pages."""
_ENDPOINTS = {(endpoint.method, endpoint.path): endpoint for endpoint in ENDPOINTS}
MAX_LOGGED_PATH = 200
LIMITED_PATHS = ("/api/", "/ws/")
"""Requests to these paths are refused above the limit of their address; pages and files are delayed instead."""
CLIENT_LEFT = 499
"""The status, in the log and the metrics, of a request whose client has disconnected; it is not an HTTP status."""
REQUEST_MILLISECONDS = 0.2
"""The cost of routing a request and sending its answer, in milliseconds of the event loop."""
REFUSAL_SECONDS = 0.1
"""Minimum seconds until a request above the limit is refused."""


@web.middleware
async def observe(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Assign an id to the request, log it and count it. The log has its path, but never its query, headers or body."""
    server = server_of(request)
    request[REQUEST_ID] = ids.new_id()
    address, limits = client_address(request), server.limits
    client_address_now.set(address)
    use_share(Share(address, limits.store_turns, limits.store))
    started = time.perf_counter()
    logged_before = structlog.contextvars.bind_contextvars(request_id=request[REQUEST_ID])
    spent = limits.time.bucket(address).charge_later
    spent(REQUEST_MILLISECONDS)
    try:
        response = await measured(cast(Coroutine[Any, Any, web.StreamResponse], handler(request)), spent)
        took = time.perf_counter() - started
        write = log.debug if request.path in FOR_MACHINES else log.info
        server.request_log.write(
            write,
            address,
            method=request.method,
            path=_loggable_path(request),
            status=response.status,
            milliseconds=round(took * 1000, 1),
        )
    finally:
        structlog.contextvars.reset_contextvars(**logged_before)
    _charge_bytes(request, response)
    metrics = server.metrics
    metrics.requests.labels(request.method, _route(request), response.status).inc()
    if isinstance(response, web.Response):  # the duration of a socket or a stream is not a response time
        metrics.request_seconds.observe(took)
    return response


@coroutine
def measured(steps: Coroutine[Any, Any, Result], spent: Callable[[float], None]) -> Generator[Any, Any, Result]:
    """Run a coroutine and return its result; after each of its steps call `spent` with its milliseconds of CPU time.

    A step runs between two awaits and blocks all other tasks. Threads, other processes such as the database, and the
    time in which the machine runs other programs are not included.
    """
    resume: Callable[[Any], Any] = steps.send
    value: Any = None
    while True:
        started = time.thread_time()
        try:
            awaited = resume(value)
        except StopIteration as end:
            result: Result = end.value
            return result
        finally:
            spent((time.thread_time() - started) * 1000)
        try:
            value = yield awaited
            resume = steps.send
        except BaseException as error:
            resume, value = steps.throw, error


def _charge_bytes(request: web.Request, response: web.StreamResponse) -> None:
    """Charge the bytes of the request and of its answer; for pages and files the request only."""
    size = head_bytes(request) + request.content.total_bytes
    is_limited = request.path.startswith(LIMITED_PATHS)
    if is_limited and request.method != "HEAD":
        size += response.content_length or 0
    limits = server_of(request).limits
    (limits.address if is_limited else limits.file).bucket(client_address(request)).charge_later(answer_cost(size))


def _loggable_path(request: web.Request) -> str:
    """Return the path without the token of an invitation or the key of feeds, even if the rest of it is mistyped.

    A long path is truncated, so that it cannot fill the disk.
    """
    path = _AFTER_INVITATION.sub(logs.REMOVED, request.path)
    path = "/".join([logs.REMOVED if _LOOKS_SECRET.fullmatch(part) else part for part in path.split("/")])
    return path if len(path) <= MAX_LOGGED_PATH else f"{path[:MAX_LOGGED_PATH]}..."


def _route(request: web.Request) -> str:
    resource = request.match_info.route.resource
    return resource.canonical if resource is not None else "none"


@web.middleware
async def refuse(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer every refusal and every failure in one format.

    Refuses requests to other host names, writes from pages of other sites, invalid tokens, missing scopes and missing
    roles. A request with a valid token in a header may come from any page: browsers never add one by themselves.
    """
    server = server_of(request)
    try:
        async with server.limits.turns.of(client_address(request)) as turn:
            if request.transport is None:
                return web.Response(status=CLIENT_LEFT)
            request[TURN] = turn
            await _take_token(request)
            if HEAD_REFUSAL in request:
                raise request[HEAD_REFUSAL]
            check_host(request)
            if "\0" in request.path:  # no resource has such a name, and PostgreSQL rejects the character
                raise web.HTTPNotFound
            if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
                return _preflight(request)
            endpoint = _ENDPOINTS.get((_read_as_get(request.method), _route(request)))
            if bearer_token(request) is not None and _needs_valid_token(request):
                await current_player(request)
                check_scope(request, endpoint.needed_scope if endpoint else "read")
            else:
                check_write_origin(request)
            check_idempotency_key(request)
            check_coding(request)
            if endpoint is not None:
                await check_role(request, endpoint)
            return await handler(request)
    except RefusalError as refusal:
        return refusal_response(request, refusal)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        response = refusal_response(request, _as_refusal(error))
        if "Allow" in error.headers:
            response.headers["Allow"] = error.headers["Allow"]
        return response
    except ClientConnectionResetError:
        return web.Response(status=CLIENT_LEFT)  # nobody reads it, and it is not a fault of the database
    except Exception as error:
        if (away := as_unavailable(error)) is not None:
            server.outages.log(error)
            for bucket in request.get(CREATIONS, ()):
                bucket.charge_later(-1)
            return refusal_response(request, away)
        log.exception("failure", method=request.method, path=_loggable_path(request))
        return refusal_response(
            request, Internal("The server failed; its log says more under {id}.", id=request[REQUEST_ID])
        )


async def _take_token(request: web.Request) -> None:
    """Take a token of the request's address. Without one a file is delayed; others are refused after a pause.

    A waiting request keeps its turn, so that the number of concurrent refusals and files is limited.
    """
    server = server_of(request)
    address = client_address(request)
    buckets = (server.limits.time.bucket(address), server.limits.store.bucket(address))
    if request.path.startswith(LIMITED_PATHS):
        try:
            server.limits.address.take(address)
            for bucket in buckets:
                bucket.take(0)
        except RateLimited as limited:
            await asyncio.sleep(max(REFUSAL_SECONDS, limited.retry_after or 0))
            raise
        return
    file_bucket = server.limits.file.bucket(address)
    wait = max(file_bucket.seconds_to_wait(), *(bucket.seconds_to_wait(0) for bucket in buckets))
    file_bucket.charge_later(1)
    await asyncio.sleep(wait)


def refusal_response(request: web.Request, refusal: RefusalError) -> web.Response:
    """Return the response for a refusal, and count it."""
    server = server_of(request)
    server.metrics.refusals.labels(refusal.code).inc()
    server.refusal_log.write(refusal)
    response = json_response(refusal.body())
    response.set_status(refusal.status)
    if isinstance(refusal, Unauthorized) and refusal.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if refusal.retry_after is not None:
        response.headers["Retry-After"] = str(max(1, round(refusal.retry_after)))
    return response


def _as_refusal(error: web.HTTPException) -> RefusalError:
    match error.status:
        case 404:
            return NotFound("There is nothing at this address.")
        case 405:
            return WrongMethod("This address does not know that method.")
        case 413:
            return TooLarge("A body holds at most {count} bytes.", count=MAX_BODY_BYTES)
        case _:
            return BadMessage("The request cannot be read.")


def _needs_valid_token(request: web.Request) -> bool:
    """Return whether a token in the request must be valid: always, except where a session begins."""
    begins = request.method == "POST" and request.path in (f"{API}/session", f"{API}/session/guest")
    return request.path.startswith(("/api/", "/ws/")) and not begins


def _read_as_get(method: str) -> str:
    return "GET" if method == "HEAD" else method


def _preflight(request: web.Request) -> web.Response:
    """Answer a CORS preflight: all sites are allowed, without cookies. Raises HTTPNotFound outside the API."""
    if not request.path.startswith("/api/"):
        raise web.HTTPNotFound
    headers = {
        "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, DELETE",
        "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID",
        "Access-Control-Max-Age": "86400",
    }
    return web.Response(status=204, headers=headers)


async def end_turn(request: web.Request, _: web.StreamResponse) -> None:
    """End the turn of a request when its answer begins: sending depends on the reader, or a socket opens."""
    if TURN in request:
        request[TURN].give_back()


@lru_cache(maxsize=2)
def _http_date(seconds: int) -> str:
    return formatdate(seconds, usegmt=True)


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add the headers that every response has, before it is sent. `Date` has the clock by which days begin and end.

    Responses below `/api` are never cached. Pages of every site may read answers to requests without cookies. Browsers
    block access to other answers, because there is no `Access-Control-Allow-Credentials`.

    A WebSocket response gets none of them: it is not a page, and they would stay in memory while the socket is open.
    """
    if isinstance(response, web.WebSocketResponse):
        return
    response.headers["Date"] = _http_date(server_of(request).now() // 1000)
    response.headers.update(CARD_HEADERS if _CARD_PATH.fullmatch(request.path) else HEADERS)
    if is_over_tls(request):
        response.headers["Strict-Transport-Security"] = "max-age=31536000"
    if REQUEST_ID in request:
        response.headers["X-Request-Id"] = request[REQUEST_ID]
    if request.path.startswith("/api/"):
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Expose-Headers"] = "Content-Disposition, ETag, Retry-After, X-Request-Id"
