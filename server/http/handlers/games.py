"""HTTP handlers: deals, games, replays, records and the list of live games."""

from aiohttp import web

from cadogan.engine import UnknownGame, game
from cadogan.server.core.errors import NotFound
from cadogan.server.games.game_messages import game_card
from cadogan.server.http.app_keys import server_of
from cadogan.server.http.history_response import charge_of, reader_of, send_history
from cadogan.server.http.requests import (
    asker,
    client_address,
    current_player,
    id_to_create,
    json_response,
    read_body,
    require_player,
)
from cadogan.wire.bodies import Game, LiveGames, NewDeal, NewGame, SealedDeal, UnfinishedGames
from cadogan.wire.values import Player


async def seal_deal(request: web.Request) -> web.Response:
    """Answer with a new sealed deal and its commitment, before the player's nonce is known."""
    server = server_of(request)
    player = await require_player(request)
    wanted = await read_body(request, NewDeal)
    try:
        rules = game(wanted.rules)
    except UnknownGame:
        raise NotFound("There are no rules with this name.") from None
    for counted in {asker(request, player), client_address(request)}:
        server.limits.deal.take(counted)
    deal = await server.casual_games.seal(rules.slug, id_to_create(request, player))
    return json_response(SealedDeal(deal=deal.id, commitment=deal.commitment, rules=deal.game))


async def begin_game(request: web.Request) -> web.Response:
    """Start a game with a sealed deal and the player's nonce, and answer with it."""
    player = await require_player(request)
    wanted = await read_body(request, NewGame)
    begun = await server_of(request).casual_games.begin(player.id, wanted.deal, wanted.nonce)
    return json_response(Game(game=game_card(begun, player)))


async def list_live_games(request: web.Request) -> web.Response:
    """Answer with the live games and their progress."""
    return json_response(LiveGames(games=await server_of(request).histories.live_games()))


async def list_unfinished_games(request: web.Request) -> web.Response:
    """Answer with the games that the player can resume."""
    player = await require_player(request)
    found = await server_of(request).unfinished_games.of(player.id, reader_of(request, player))
    return json_response(UnfinishedGames(games=found))


async def show_game(request: web.Request) -> web.Response:
    """Answer with a game, at the current player's access level."""
    player = await current_player(request)
    reader = reader_of(request, player)
    return json_response(await server_of(request).spectating.view(_id(player), request.match_info["id"], reader))


async def replay_game(request: web.Request) -> web.StreamResponse:
    """Answer with the replay of a game."""
    player, charge = await current_player(request), await charge_of(request)
    replay = await server_of(request).histories.replay(_id(player), request.match_info["id"], charge)
    return await send_history(request, replay)


async def show_result(request: web.Request) -> web.Response:
    """Answer with the result of a finished game."""
    player = await current_player(request)
    return json_response(await server_of(request).results.get(_id(player), request.match_info["id"]))


async def show_attestation(request: web.Request) -> web.Response:
    """Answer with who attests the record of a game."""
    return json_response(await server_of(request).histories.attestation(request.match_info["id"]))


async def download_record(request: web.Request) -> web.StreamResponse:
    """Answer with the record of a finished game, as a file."""
    game_id = request.match_info["id"]
    record = await server_of(request).histories.record(game_id, await charge_of(request))
    return await send_history(
        request, record, {"Content-Disposition": f'attachment; filename="cadogan-{game_id}.json"'}
    )


def _id(player: Player | None) -> str | None:
    return player.id if player else None
