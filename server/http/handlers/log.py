"""HTTP: the log as a whole."""

from aiohttp import web

from clients.wire.bodies import LogRoot
from server.http.app_keys import ROOTS
from server.http.requests import answer


async def show_root(request: web.Request) -> web.Response:
    """The root of today, or in its first minute of yesterday."""
    return answer(LogRoot(**(await request.app[ROOTS].latest())._asdict()))
