"""Whether a request comes from our own pages. A browser says where from; other sites' pages get nothing done here.

Programs send neither `Origin` nor `Sec-Fetch-Site`; they are let in as long as they bring no cookie, a browser's thing.
"""

from collections.abc import Collection
from urllib.parse import urlsplit

from aiohttp import web

from server.core.errors import ForeignOrigin
from server.http.app_keys import SETTINGS
from server.http.requests import COOKIE

_READING = frozenset({"GET", "HEAD", "OPTIONS"})


def is_ours(origin: str, host: str, allowed: Collection[str]) -> bool:
    """Whether an `Origin` is one of those allowed, or when none is named, the host that was asked itself.

    >>> is_ours("https://patience.example", "patience.example", ())
    True
    >>> is_ours("https://evil.example", "patience.example", ())
    False
    """
    if allowed:
        return origin.lower() in allowed
    try:
        parts = urlsplit(origin.lower())
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc) and parts.netloc == host.lower()


def check_socket(request: web.Request) -> None:
    """Let a socket be opened by our own pages and by programs. Raises ForeignOrigin."""
    origin = request.headers.get("Origin")
    if origin is not None and not is_ours(origin, request.host, request.app[SETTINGS].origin):
        raise ForeignOrigin("This page may not open a socket here. Is CADOGAN_ORIGIN the address you typed?")


def check_change(request: web.Request) -> None:
    """Let only our own pages, and programs without cookies, change anything. Raises ForeignOrigin."""
    if request.method in _READING:
        return
    origin = request.headers.get("Origin")
    site = request.headers.get("Sec-Fetch-Site")
    if origin is not None:
        ours = is_ours(origin, request.host, request.app[SETTINGS].origin)
    elif site is not None:
        ours = site == "same-origin"
    else:
        ours = COOKIE not in request.cookies
    if not ours:
        raise ForeignOrigin("Only this server's own pages may do that. Is CADOGAN_ORIGIN the address you typed?")
