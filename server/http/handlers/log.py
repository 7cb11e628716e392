"""HTTP handlers: the log as a whole."""

from aiohttp import web

from cadogan.server.http.app_keys import ROOTS
from cadogan.server.http.requests import json_response
from cadogan.wire.bodies import LogRoot


async def show_root(request: web.Request) -> web.Response:
    """Answer with the Merkle root of today; in the first minute of the day with that of yesterday."""
    return json_response(LogRoot(**(await request.app[ROOTS].latest())._asdict()))
