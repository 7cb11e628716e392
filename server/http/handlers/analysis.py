"""HTTP: the analysis of finished games, ways to win, two games compared, and playing on from a position."""

import re

from aiohttp import web

from cadogan.server.core.errors import NotFound
from cadogan.server.games.game_messages import game_card
from cadogan.server.http.app_keys import ANALYSES, CONTINUATIONS, DEAL_LIMIT
from cadogan.server.http.history_response import charge_of
from cadogan.server.http.requests import asker, id_to_create, json_response, read_body, require_player
from cadogan.wire.analysis import PlayOn
from cadogan.wire.bodies import Game

_VERSION = re.compile("[1-9][0-9]{0,8}", re.ASCII)


async def show_analysis(request: web.Request) -> web.Response:
    """The analysis of a game as far as it is."""
    return json_response(await request.app[ANALYSES].show(request.match_info["id"], await charge_of(request)))


async def analyse_game(request: web.Request) -> web.Response:
    """The analysis of a game, asked for now unless it was before."""
    player, charge = await require_player(request), await charge_of(request)
    return json_response(await request.app[ANALYSES].ask(player.id, request.match_info["id"], charge))


async def show_way(request: web.Request) -> web.Response:
    """A way to win from a position."""
    version = request.match_info["version"]
    if not _VERSION.fullmatch(version):
        raise NotFound("This game has no such version.")
    charge = await charge_of(request)
    return json_response(await request.app[ANALYSES].way(request.match_info["id"], int(version), charge))


async def compare_games(request: web.Request) -> web.Response:
    """Two runs of one deal."""
    charge, games = await charge_of(request), request.match_info
    return json_response(await request.app[ANALYSES].compare(games["id"], games["other"], charge))


async def play_on(request: web.Request) -> web.Response:
    """A new game at a position of a finished one."""
    player, charge = await require_player(request), await charge_of(request)
    wanted = await read_body(request, PlayOn)
    request.app[DEAL_LIMIT].take(asker(request, player))
    begun = await request.app[CONTINUATIONS].begin(
        player.id, request.match_info["id"], wanted.version, charge, id_to_create(request, player)
    )
    return json_response(Game(game=game_card(begun, player)))
