"""The typed keys of aiohttp's application and requests: the application has one, the server with all its parts."""

from typing import TYPE_CHECKING

from aiohttp import web

from cadogan.server.core.turns import Turn
from cadogan.wire.values import Player

if TYPE_CHECKING:
    from cadogan.server.app import Server  # builds what handlers need, from parts that have handlers

SERVER: "web.AppKey[Server]" = web.AppKey("server")

REQUEST_ID = web.RequestKey("request_id", str)
TURN = web.RequestKey("turn", Turn)
"""The turn of the request. It ends when the answer begins to be sent."""
PLAYER = web.RequestKey("player", Player)
"""The current player; unset if nobody is signed in or not looked up yet."""
PERSON = web.RequestKey("person", str)
"""The id of the person behind the player: for a bot its owner."""
SCOPES = web.RequestKey("scopes", frozenset[str])
"""What a personal token may do; a request without one has no scopes, and may do everything that its player may."""


def server_of(request: web.Request) -> "Server":
    """Return the server that a request was sent to."""
    return request.app[SERVER]
