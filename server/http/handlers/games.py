"""HTTP: deals, games, replays, records and the list of what is being played."""

from aiohttp import web

from clients.wire.bodies import Game, LiveGames, NewDeal, NewGame, SealedDeal
from clients.wire.values import Player
from engine import UnknownGame, game
from server.core.errors import NotFound
from server.games.game_messages import card
from server.http.app_keys import DEAL_LIMIT, SERVICE
from server.http.requests import answer, asker, read_body, signed_in


async def seal_deal(request: web.Request) -> web.Response:
    """A sealed deal and its commitment, before the player's nonce is known."""
    player = await signed_in(request)
    wanted = await read_body(request, NewDeal)
    try:
        rules = game(wanted.rules)
    except UnknownGame:
        raise NotFound("There are no such rules.") from None
    request.app[DEAL_LIMIT].take(player.id)
    deal = await request.app[SERVICE].seal(rules.slug)
    return answer(SealedDeal(deal=deal.id, commitment=deal.commitment, rules=deal.game))


async def begin_game(request: web.Request) -> web.Response:
    """A game with a sealed deal and the player's nonce."""
    player = await signed_in(request)
    wanted = await read_body(request, NewGame)
    sitting = await request.app[SERVICE].begin(player.id, wanted.deal, wanted.nonce)
    return answer(Game(game=card(sitting, player)))


async def list_live_games(request: web.Request) -> web.Response:
    """The games being played, by how far they are."""
    return answer(LiveGames(games=await request.app[SERVICE].watching.live()))


async def show_game(request: web.Request) -> web.Response:
    """A game, as far as the asker's standing goes."""
    player = await asker(request)
    return answer(await request.app[SERVICE].watching.view(_id(player), request.match_info["id"]))


async def replay_game(request: web.Request) -> web.Response:
    """A game move by move."""
    player = await asker(request)
    return answer(await request.app[SERVICE].watching.replay(_id(player), request.match_info["id"]))


async def download_record(request: web.Request) -> web.Response:
    """The record of a game that is over, as a file."""
    player = await asker(request)
    record = await request.app[SERVICE].watching.record(_id(player), request.match_info["id"])
    response = answer(record)
    response.headers["Content-Disposition"] = f'attachment; filename="cadogan-{record.game}.json"'
    return response


def _id(player: Player | None) -> str | None:
    return player.id if player else None
