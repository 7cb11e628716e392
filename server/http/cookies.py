"""The cookies of browsers: the session, device marks of the players who have signed in here, and a sign-in under way.

Over TLS their names begin with `__Host-`. A browser accepts such a cookie only from this host and only over TLS, so no
page of a sibling domain can replace it. Older versions set cookies without the prefix: see `old_session_cookie`.
"""

from contextlib import suppress

from aiohttp import web

from cadogan.server.core.addresses import Origin
from cadogan.server.http.app_keys import server_of
from cadogan.server.players.sign_in.sessions import SESSION_LIFETIME_SECONDS

SESSION_COOKIE = "cadogan_session"
DEVICE_COOKIE = "cadogan_device"
OIDC_COOKIE = "cadogan_oidc"
"""The secret of a sign-in by the provider, for a few minutes."""
_TLS_PREFIX = "__Host-"


def is_over_tls(request: web.Request) -> bool:
    """Whether the browser reached the server over TLS: by the setting, or by the configured origin of this host."""
    settings = server_of(request).settings
    if settings.secure_cookies:
        return True
    with suppress(ValueError):
        return str(Origin.of("https", request.host)) in settings.origin
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
