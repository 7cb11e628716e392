"""HTTP handlers: the analysis of finished games, winning lines, comparing two games, continuing from a position."""

import re

from aiohttp import web

from cadogan.server.core.errors import NotFound
from cadogan.server.games.game_messages import game_card
from cadogan.server.http.app_keys import server_of
from cadogan.server.http.history_response import charge_of
from cadogan.server.http.requests import asker, id_to_create, json_response, read_body, require_player
from cadogan.wire.analysis import PlayOn
from cadogan.wire.bodies import Game

_VERSION = re.compile("[1-9][0-9]{0,8}", re.ASCII)


async def show_analysis(request: web.Request) -> web.Response:
    """Answer with the analysis of a game, complete or partial."""
    return json_response(await server_of(request).analyses.show(request.match_info["id"], await charge_of(request)))


async def analyse_game(request: web.Request) -> web.Response:
    """Request the analysis of a game if nobody did yet, and answer with it."""
    player, charge = await require_player(request), await charge_of(request)
    return json_response(await server_of(request).analyses.ask(player.id, request.match_info["id"], charge))


async def show_way(request: web.Request) -> web.Response:
    """Answer with a winning line from a position."""
    version = request.match_info["version"]
    if not _VERSION.fullmatch(version):
        raise NotFound("This game has no such version.")
    charge = await charge_of(request)
    return json_response(await server_of(request).analyses.way(request.match_info["id"], int(version), charge))


async def compare_games(request: web.Request) -> web.Response:
    """Answer with a comparison of two runs of one deal."""
    charge, games = await charge_of(request), request.match_info
    return json_response(await server_of(request).analyses.compare(games["id"], games["other"], charge))


async def play_on(request: web.Request) -> web.Response:
    """Start a new game at a position of a finished one, and answer with it."""
    server = server_of(request)
    player, charge = await require_player(request), await charge_of(request)
    wanted = await read_body(request, PlayOn)
    server.limits.deal.take(asker(request, player))
    begun = await server.continuations.begin(
        player.id, request.match_info["id"], wanted.version, charge, id_to_create(request, player)
    )
    return json_response(Game(game=game_card(begun, player)))
