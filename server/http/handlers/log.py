"""HTTP handlers: the log as a whole."""

from aiohttp import web

from cadogan.server.http.app_keys import server_of
from cadogan.server.http.requests import json_response
from cadogan.wire.bodies import LogRoot


async def show_root(request: web.Request) -> web.Response:
    """Answer with today's Merkle root; in the first minute of the day with yesterday's."""
    return json_response(LogRoot(**(await server_of(request).roots.latest())._asdict()))
