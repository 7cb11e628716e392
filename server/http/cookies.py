"""The cookies of browsers: the session, and the device marks of the players who have signed in in this browser.

Over TLS their names begin with `__Host-`. A browser takes such a cookie from this very host only, over TLS only, so no
page of a neighbouring name can replace it.
"""

from aiohttp import web

from server.http.app_keys import SETTINGS
from server.players.accounts import SESSION_LIFETIME_SECONDS

SESSION_COOKIE = "cadogan_session"
DEVICE_COOKIE = "cadogan_device"
_TLS_PREFIX = "__Host-"


def is_over_tls(request: web.Request) -> bool:
    """Whether the browser reached the server over TLS: by the setting, or by the configured origin of this host."""
    settings = request.app[SETTINGS]
    return settings.secure_cookies or f"https://{request.host.lower().removesuffix(':443')}" in settings.origin


def read_cookie(request: web.Request, name: str) -> str | None:
    """Return the value of a cookie; None without one."""
    return request.cookies.get(_full_name(request, name)) or None


def has_session_cookie(request: web.Request) -> bool:
    """Whether the request has a cookie of a session, of either name: only browsers send one."""
    return SESSION_COOKIE in request.cookies or _TLS_PREFIX + SESSION_COOKIE in request.cookies


def set_cookie(request: web.Request, response: web.Response, name: str, value: str) -> None:
    """Send the browser a cookie that no script can read."""
    response.set_cookie(
        _full_name(request, name),
        value,
        max_age=SESSION_LIFETIME_SECONDS,
        path="/",
        httponly=True,
        samesite="Lax",
        secure=is_over_tls(request),
    )


def delete_session_cookie(request: web.Request, response: web.Response) -> None:
    """Have the browser forget the session."""
    response.del_cookie(
        _full_name(request, SESSION_COOKIE), path="/", secure=is_over_tls(request), httponly=True, samesite="Lax"
    )


def _full_name(request: web.Request, name: str) -> str:
    return _TLS_PREFIX + name if is_over_tls(request) else name
