"""HTTP: races and ghosts."""

from aiohttp import web

from clients.wire.races import JoinRace, NewRace, Races, Rematch
from engine import UnknownGame, game
from server.competitions.races.race_state import RaceState
from server.core.errors import NotFound
from server.http.app_keys import DEAL_LIMIT, SERVICE
from server.http.requests import answer, asker, read_body, signed_in


async def open_race(request: web.Request) -> web.Response:
    """A new race, with the asker in its first place."""
    player = await signed_in(request)
    wanted = await read_body(request, NewRace)
    try:
        game(wanted.rules)
    except UnknownGame:
        raise NotFound("There are no such rules.") from None
    request.app[DEAL_LIMIT].take(player.id)
    return await _shown(request, await request.app[SERVICE].races.open(player.id, wanted))


async def list_races(request: web.Request) -> web.Response:
    """The open races, the latest first."""
    service = request.app[SERVICE]
    return answer(Races(races=await service.race_views.show_all(await service.races.listed())))


async def show_race(request: web.Request) -> web.Response:
    """A race."""
    return await _shown(request, await request.app[SERVICE].race_keeper.get(request.match_info["id"]))


async def join_race(request: web.Request) -> web.Response:
    """A race with the asker in it."""
    player = await signed_in(request)
    wanted = await read_body(request, JoinRace)
    request.app[DEAL_LIMIT].take(player.id)
    races = request.app[SERVICE].races
    return await _shown(request, await races.join(request.match_info["id"], player.id, wanted.nonce, wanted.token))


async def leave_race(request: web.Request) -> web.Response:
    """A race without the asker."""
    player = await signed_in(request)
    return await _shown(request, await request.app[SERVICE].races.leave(request.match_info["id"], player.id))


async def start_race(request: web.Request) -> web.Response:
    """A race that is about to start."""
    player = await signed_in(request)
    return await _shown(request, await request.app[SERVICE].races.start(request.match_info["id"], player.id))


async def open_rematch(request: web.Request) -> web.Response:
    """The next race of the same people, with the asker in it."""
    player = await signed_in(request)
    wanted = await read_body(request, Rematch)
    request.app[DEAL_LIMIT].take(player.id)
    races = request.app[SERVICE].races
    return await _shown(request, await races.rematch(request.match_info["id"], player.id, wanted.nonce))


async def show_pace(request: web.Request) -> web.Response:
    """How a finished run went."""
    player = await asker(request)
    watching = request.app[SERVICE].watching
    return answer(await watching.pace(player.id if player else None, request.match_info["id"]))


async def _shown(request: web.Request, match: RaceState) -> web.Response:
    player = await asker(request)
    return answer(await request.app[SERVICE].race_views.show(match, player.id if player else None))
