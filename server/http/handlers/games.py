"""HTTP: deals, games, replays, records and the list of what is being played."""

from aiohttp import web

from cadogan.engine import UnknownGame, game
from cadogan.server.core.errors import NotFound
from cadogan.server.games.game_messages import game_card
from cadogan.server.http.app_keys import CASUAL_GAMES, DEAL_LIMIT, HISTORIES, RESULTS, SPECTATING, UNFINISHED_GAMES
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
    """A sealed deal and its commitment, before the player's nonce is known."""
    player = await require_player(request)
    wanted = await read_body(request, NewDeal)
    try:
        rules = game(wanted.rules)
    except UnknownGame:
        raise NotFound("There are no rules with this name.") from None
    for counted in {asker(request, player), client_address(request)}:
        request.app[DEAL_LIMIT].take(counted)
    deal = await request.app[CASUAL_GAMES].seal(rules.slug, id_to_create(request, player))
    return json_response(SealedDeal(deal=deal.id, commitment=deal.commitment, rules=deal.game))


async def begin_game(request: web.Request) -> web.Response:
    """A game with a sealed deal and the player's nonce."""
    player = await require_player(request)
    wanted = await read_body(request, NewGame)
    begun = await request.app[CASUAL_GAMES].begin(player.id, wanted.deal, wanted.nonce)
    return json_response(Game(game=game_card(begun, player)))


async def list_live_games(request: web.Request) -> web.Response:
    """The games being played, by how far they are."""
    return json_response(LiveGames(games=await request.app[HISTORIES].live_games()))


async def list_unfinished_games(request: web.Request) -> web.Response:
    """The games that the player can go on with."""
    player = await require_player(request)
    found = await request.app[UNFINISHED_GAMES].of(player.id, reader_of(request, player))
    return json_response(UnfinishedGames(games=found))


async def show_game(request: web.Request) -> web.Response:
    """A game, as far as the asker's standing goes."""
    player = await current_player(request)
    reader = reader_of(request, player)
    return json_response(await request.app[SPECTATING].view(_id(player), request.match_info["id"], reader))


async def replay_game(request: web.Request) -> web.StreamResponse:
    """A game move by move."""
    player, charge = await current_player(request), await charge_of(request)
    replay = await request.app[HISTORIES].replay(_id(player), request.match_info["id"], charge)
    return await send_history(request, replay)


async def show_result(request: web.Request) -> web.Response:
    """How a finished game compares."""
    player = await current_player(request)
    return json_response(await request.app[RESULTS].get(_id(player), request.match_info["id"]))


async def show_attestation(request: web.Request) -> web.Response:
    """Who stands for a game's record."""
    return json_response(await request.app[HISTORIES].attestation(request.match_info["id"]))


async def download_record(request: web.Request) -> web.StreamResponse:
    """The record of a game that is over, as a file."""
    game_id = request.match_info["id"]
    record = await request.app[HISTORIES].record(game_id, await charge_of(request))
    return await send_history(
        request, record, {"Content-Disposition": f'attachment; filename="cadogan-{game_id}.json"'}
    )


def _id(player: Player | None) -> str | None:
    return player.id if player else None
