"""Whether a request comes from this server's own pages: a defence against requests forged by other sites (CSRF).

A browser sends the site from which a request comes, in `Origin` or `Sec-Fetch-Site`; requests from other sites' pages
are refused. Programs send neither of the two. They are allowed as long as they send no cookie, which only browsers do.
"""

from collections.abc import Collection

from aiohttp import web

from cadogan.server.core.addresses import Origin
from cadogan.server.core.errors import ForeignOrigin
from cadogan.server.http.app_keys import server_of
from cadogan.server.http.cookies import has_session_cookie

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
