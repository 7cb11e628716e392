"""Checks of every request: its head, the host name, its origin, and the role of the requesting player.

Checks that a request was sent to a host name of this server: a defence against DNS rebinding.

A page of another site can point its own name to this machine, and would then count as this server's own page. So the
`Host` of a request is only accepted if it is one of the configured origins, this machine's own name for itself
(`localhost`, `127.0.0.1`, `::1`), or the IP address at which the request arrived.

Whether a request comes from this server's own pages: a defence against requests forged by other sites (CSRF).

A browser sends the site from which a request comes, in `Origin` or `Sec-Fetch-Site`; requests from other sites' pages
are refused. Programs send neither of the two. They are allowed as long as they send no cookie, which only browsers do.
"""

from collections.abc import Awaitable, Callable, Collection
from functools import lru_cache

from aiohttp import hdrs, web

from cadogan.server.core.addresses import Origin, is_this_machine, read_address
from cadogan.server.core.errors import (
    ConfirmationNeeded,
    Forbidden,
    ForeignOrigin,
    HeadTooLarge,
    NotFound,
    RefusalError,
    UnknownHost,
)
from cadogan.server.core.web.requests import current_session, has_session_cookie, require_player, server_of
from cadogan.wire.endpoint import ROLES, Endpoint

FOR_MACHINES = frozenset({"/healthz", "/readyz", "/metrics"})
"""Paths without pages, which a proxy or Prometheus requests under its own name for this node."""
MAX_SHOWN_NAME = 80
"""Maximum characters of an unknown host name that are included in the refusal."""


def check_host(request: web.Request) -> None:
    """Allow requests to host names of this server, and to paths in `FOR_MACHINES`. Raises UnknownHost for others."""
    hosts = request.headers.getall("Host", [])
    if request.path in FOR_MACHINES:
        return
    names = hosts
    if (
        len(hosts) == 1 and request.host != hosts[0]
    ):  # "GET http://name/ HTTP/1.1", as sent to proxies: aiohttp accepts it
        names = [*hosts, request.url.authority]
    origins, address = server_of(request).settings.origin, _local_address(request)
    if len(hosts) != 1 or not all(is_own_host(name, origins, address) for name in names):
        raise UnknownHost(
            "This server is not known as {host}. If that is its name, its host has to write it into CADOGAN_ORIGIN.",
            host=",".join(names)[:MAX_SHOWN_NAME],
        )


@lru_cache(maxsize=256)
def is_own_host(host: str, origins: tuple[str, ...], local_address: str = "") -> bool:
    """Return whether this `Host` is a name of the server; `local_address` is the address that received the request.

    >>> is_own_host("localhost:8000", ()), is_own_host("evil.example", ()), is_own_host("10.0.0.7", (), "10.0.0.7")
    (True, False, True)
    >>> is_own_host("patience.example", ("https://patience.example",))
    True
    """
    try:
        name = Origin.of("http", host).host
    except ValueError:
        return False
    if is_this_machine(name) or any(Origin.read(origin).host == name for origin in origins):
        return True
    try:
        return bool(local_address) and read_address(name.strip("[]")) == read_address(local_address)
    except ValueError:
        return False


def _local_address(request: web.Request) -> str:
    name = request.transport.get_extra_info("sockname") if request.transport else None
    return name[0] if isinstance(name, tuple) else ""


_READ_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def is_own_origin(origin: str, host: str, allowed: Collection[str]) -> bool:
    """Return whether an `Origin` is one of this server's own.

    Those are the origins in `allowed`, or if it is empty, the `host` to which the request was sent.

    >>> is_own_origin("https://patience.example", "patience.example", ())
    True
    >>> is_own_origin("https://evil.example", "patience.example", ())
    False
    """
    try:
        found = Origin.read(origin)
        return str(found) in allowed if allowed else found == Origin.of(found.scheme, host)
    except ValueError:
        return False


def check_socket_origin(request: web.Request) -> None:
    """Allow this server's pages and programs to open a socket. Raises ForeignOrigin for pages of other sites."""
    origin = request.headers.get("Origin")
    if origin is not None and not is_own_origin(origin, request.host, server_of(request).settings.origin):
        raise ForeignOrigin("This page may not open a socket here. Is CADOGAN_ORIGIN the address you typed?")


def check_write_origin(request: web.Request) -> None:
    """Allow writes from this server's pages and from programs without cookies. Raises ForeignOrigin for others."""
    if request.method in _READ_METHODS:
        return
    origin = request.headers.get("Origin")
    site = request.headers.get("Sec-Fetch-Site")
    if origin is not None:
        allowed = is_own_origin(origin, request.host, server_of(request).settings.origin)
    elif site is not None:
        allowed = site == "same-origin"
    else:
        allowed = not has_session_cookie(request)
    if not allowed:
        raise ForeignOrigin("Only this server's own pages may do that. Is CADOGAN_ORIGIN the address you typed?")


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


async def check_role(request: web.Request, endpoint: Endpoint) -> None:
    """Check that the current player has the role that the endpoint needs, and a confirmed session if it needs that.

    Raises Unauthorized, Forbidden and ConfirmationNeeded.
    """
    if endpoint.role is None:
        return
    player = await require_player(request)
    if not endpoint.is_for_staff and not endpoint.confirmed:
        return
    standing = await server_of(request).admin.roles.standing(player.id, current_session(request))
    if ROLES.index(standing.role) < ROLES.index(endpoint.role):
        if endpoint.role == "host":
            raise Forbidden("Only hosts may do this.")
        raise Forbidden("Only moderators and hosts may do this.")
    if endpoint.confirmed and not standing.confirmed:
        raise ConfirmationNeeded("Confirm that it is you before this.")
