"""HTTP handlers: the deals of an arena, and the sheet of one of its players."""

from aiohttp import web

from cadogan.server.core.errors import NotFound
from cadogan.server.core.web.requests import current_player, json_response, server_of
from cadogan.server.subjects.evenings.evening_state import EveningState


async def show_arena_deals(request: web.Request) -> web.Response:
    """Answer with the deals of an arena and their commitments. Raises NotFound."""
    state, player = await _arena(request), await current_player(request)
    return json_response(await server_of(request).evening_views.arena_deals(state, player))


async def show_arena_sheet(request: web.Request) -> web.Response:
    """Answer with the runs of a player in an arena that are over. Raises NotFound."""
    state = await _arena(request)
    return json_response(await server_of(request).evening_views.arena_sheet(state, request.match_info["player"]))


async def _arena(request: web.Request) -> EveningState:
    state = await server_of(request).evenings.get(request.match_info["id"])
    if not state.is_arena:
        raise NotFound("There is nothing at this address.")
    return state
