"""HTTP handlers: the form of a player, and the list of ratings."""

from aiohttp import web

from cadogan.server.core import ids
from cadogan.server.core.errors import NotFound
from cadogan.server.core.scoring.ratings import ALL
from cadogan.server.core.web.requests import (
    current_player,
    int_parameter,
    json_response,
    server_of,
    text_parameter,
)
from cadogan.server.subjects.ratings.form_queries import list_rows
from cadogan.wire.ratings import RatingList


async def show_form(request: web.Request) -> web.Response:
    """Answer with the evenings and ratings of a player. It is public, as the player's profile is."""
    server = server_of(request)
    wanted = request.match_info["id"]
    if not ids.is_valid(wanted) or await server.profiles.created_at(wanted) is None:
        raise NotFound("There is no such player.")
    reader = await current_player(request)
    groups = [group.id for group in await server.groups.groups_of(reader.id)] if reader else []
    return json_response(await server.form.of_player(await server.players.player(wanted), groups))


async def list_ratings(request: web.Request) -> web.Response:
    """Answer with the players of a pool, the best first. Raises BadMessage."""
    server = server_of(request)
    pool = text_parameter(request, "list_ratings", "pool") or ALL
    bots = bool(int_parameter(request, "list_ratings", "bots"))
    rows = await server.form.table(pool, bots=bots)
    known = await server.players.players(row.player for row in rows)
    return json_response(RatingList(pool=pool, bots=bots, players=list_rows(rows, known)))  # type: ignore[arg-type]
