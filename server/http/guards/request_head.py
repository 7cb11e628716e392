"""Limits of the head of a request, checked before routing: a path of 8,000 slashes takes 20 ms to route."""

from collections.abc import Awaitable, Callable

from aiohttp import hdrs, web

from cadogan.server.core.errors import HeadTooLarge, NotFound, RefusalError

MAX_PATH_PARTS = 16
MAX_PATH = 1024
"""Characters of a path, as it is sent. The longest one of this server holds a name of 24 letters, each percent-encoded
in twelve characters."""
MAX_QUERY_PARTS = 32
MAX_HEAD_BYTES = 24 * 1024
"""Bytes of all headers together; one has at most 8,190."""
HEAD_REFUSAL = web.RequestKey("head_refusal", RefusalError)
"""The refusal of a request with a head above a limit."""
NOWHERE = "/api/none"
"""The path to which such a request is routed."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def bounding_heads(handle: Handler) -> Handler:
    """Return a handler that replaces a head above a limit with a minimal one and sets `HEAD_REFUSAL`."""

    def handle_bounded(request: web.Request) -> Awaitable[web.StreamResponse]:
        refusal = _refusal_for(request)
        if refusal is None:
            return handle(request)
        used = [(name, request.headers.getall(name)[-1]) for name in _USED_HEADERS if name in request.headers]
        plain = request.clone(rel_url=NOWHERE, headers=used)
        plain[HEAD_REFUSAL] = refusal
        return handle(plain)

    return handle_bounded


_USED_HEADERS = (hdrs.HOST, hdrs.X_FORWARDED_FOR)


def head_bytes(request: web.Request) -> int:
    """Return the size of the path, the query and the headers in bytes."""
    return len(request.raw_path) + sum(len(name) + len(value) for name, value in request.raw_headers)


def _refusal_for(request: web.Request) -> RefusalError | None:
    path, _, query = request.raw_path.partition("?")
    if len(path) > MAX_PATH or path.count("/") > MAX_PATH_PARTS:
        return NotFound("There is nothing at this address.")
    if query.count("&") >= MAX_QUERY_PARTS:
        return HeadTooLarge("A query has at most {count} parts.", count=MAX_QUERY_PARTS)
    if head_bytes(request) > MAX_HEAD_BYTES:
        return HeadTooLarge("The headers of a request have at most {count} bytes together.", count=MAX_HEAD_BYTES)
    return None
