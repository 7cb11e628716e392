"""HTTP: how one likes the page."""

from aiohttp import web

from clients.wire.settings import KeptSettings, Settings
from server.http.app_keys import DEAL_LIMIT, PLAYER_SETTINGS
from server.http.requests import answer, read_body, signed_in


async def show_settings(request: web.Request) -> web.Response:
    """What the asker has chosen."""
    player = await signed_in(request)
    return answer(KeptSettings(settings=await request.app[PLAYER_SETTINGS].load(player.id)))


async def keep_settings(request: web.Request) -> web.Response:
    """Keep what the asker has chosen, in place of what was kept before."""
    player = await signed_in(request)
    chosen = await read_body(request, Settings)
    request.app[DEAL_LIMIT].take(player.id)
    await request.app[PLAYER_SETTINGS].save(player.id, chosen)
    return answer(KeptSettings(settings=chosen))
