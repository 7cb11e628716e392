"""HTTP handlers: duplicate matches. Everything else about a match is done as in every evening (`evening_routes`)."""

from aiohttp import web

from cadogan.server.core.web.requests import (
    asker,
    charge_creation,
    id_to_create,
    json_response,
    read_body,
    require_player,
    server_of,
)
from cadogan.wire.matches import NewMatch


async def list_matches(request: web.Request) -> web.Response:
    """Answer with the matches of the current player, and those that wait for anybody."""
    player = await require_player(request)
    return json_response(await server_of(request).matches.list(player))


async def make_match(request: web.Request) -> web.Response:
    """Challenge a player, or join a waiting one; answer with the match."""
    server, player = server_of(request), await require_player(request)
    wanted = await read_body(request, NewMatch)
    server.limits.deal.take(asker(request, player))
    charge_creation(request, server.limits.race)
    state = await server.matches.make(player, wanted, id_to_create(request, player))
    return json_response(await server.evening_views.show(state, player))
