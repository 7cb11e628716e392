"""HTTP handlers: the settings of the current player."""

from aiohttp import web

from cadogan.server.http.app_keys import server_of
from cadogan.server.http.requests import asker, json_response, read_body, require_player
from cadogan.wire.settings import KeptSettings, Settings


async def show_settings(request: web.Request) -> web.Response:
    """Answer with the settings of the current player."""
    player = await require_player(request)
    return json_response(KeptSettings(settings=await server_of(request).player_settings.load(player.id)))


async def keep_settings(request: web.Request) -> web.Response:
    """Replace the settings of the current player."""
    server = server_of(request)
    player = await require_player(request)
    chosen = await read_body(request, Settings)
    server.limits.deal.take(asker(request, player))
    await server.player_settings.save(player.id, chosen)
    return json_response(KeptSettings(settings=chosen))
