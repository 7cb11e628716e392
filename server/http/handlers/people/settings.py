"""HTTP handlers: the settings of the current player."""

from aiohttp import web

from cadogan.server.http.app_keys import DEAL_LIMIT, PLAYER_SETTINGS
from cadogan.server.http.requests import asker, json_response, read_body, require_player
from cadogan.wire.settings import KeptSettings, Settings


async def show_settings(request: web.Request) -> web.Response:
    """Answer with what the current player chose."""
    player = await require_player(request)
    return json_response(KeptSettings(settings=await request.app[PLAYER_SETTINGS].load(player.id)))


async def keep_settings(request: web.Request) -> web.Response:
    """Store what the current player chose, in place of what was stored before."""
    player = await require_player(request)
    chosen = await read_body(request, Settings)
    request.app[DEAL_LIMIT].take(asker(request, player))
    await request.app[PLAYER_SETTINGS].save(player.id, chosen)
    return json_response(KeptSettings(settings=chosen))
