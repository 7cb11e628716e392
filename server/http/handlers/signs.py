"""HTTP handlers: reactions (set phrases and pictures) at games and races."""

from aiohttp import web

from cadogan.server.http.app_keys import server_of
from cadogan.server.http.requests import json_response, read_body, require_player
from cadogan.wire.signs import GiveSign


async def show_game_signs(request: web.Request) -> web.Response:
    """Answer with the reactions at a game."""
    player = await require_player(request)
    return json_response(await server_of(request).signs.list_game_signs(player.id, request.match_info["id"]))


async def give_game_sign(request: web.Request) -> web.Response:
    """Post a reaction at a game."""
    player, wanted = await require_player(request), await read_body(request, GiveSign)
    return json_response(await server_of(request).signs.give_at_game(player.id, request.match_info["id"], wanted.sign))


async def show_race_signs(request: web.Request) -> web.Response:
    """Answer with the reactions at a race."""
    return json_response(await server_of(request).signs.list_race_signs(request.match_info["id"]))


async def give_race_sign(request: web.Request) -> web.Response:
    """Post a reaction at a race."""
    player, wanted = await require_player(request), await read_body(request, GiveSign)
    return json_response(await server_of(request).signs.give_at_race(player.id, request.match_info["id"], wanted.sign))
