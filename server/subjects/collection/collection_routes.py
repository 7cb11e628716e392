"""HTTP handler: the collection of a player."""

from aiohttp import web

from cadogan.server.core import dates, ids
from cadogan.server.core.errors import NotFound
from cadogan.server.core.web.requests import current_player, json_response, server_of
from cadogan.wire.collection import Collection


async def show_collection(request: web.Request) -> web.Response:
    """Answer with the collection of a player. It is public, like the player's profile."""
    server = server_of(request)
    wanted = request.match_info["id"]
    if not ids.is_valid(wanted) or await server.profiles.created_at(wanted) is None:
        raise NotFound("There is no such player.")
    asker = await current_player(request)
    withheld = await server.access.withheld_runs(asker.id if asker else None, wanted)
    return json_response(
        Collection(
            player=await server.players.player(wanted),
            month=server.shields.month,
            games=await server.collections.games(wanted, withheld),
            shields=await server.shields.of(wanted),
            held=await server.shields.held_by(wanted),
            badges=await server.collections.badges(wanted, dates.day_of(server.now()), withheld),
        )
    )
