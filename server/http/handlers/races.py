"""HTTP: races and ghosts."""

from aiohttp import web

from cadogan.engine import UnknownGame, game
from cadogan.server.competitions.races.race_state import RaceState
from cadogan.server.core.errors import NotFound
from cadogan.server.http.app_keys import DEAL_LIMIT, HISTORIES, LIVE_RACES, RACE_COMMANDS, RACE_LIMIT, RACES
from cadogan.server.http.history_response import charge_of, send_history
from cadogan.server.http.requests import (
    asker,
    client_address,
    current_player,
    id_to_create,
    json_response,
    read_body,
    require_player,
)
from cadogan.wire import races as bodies
from cadogan.wire.races import JoinRace, NewRace, Rematch


async def open_race(request: web.Request) -> web.Response:
    """A new race, with the asker in its first place."""
    player = await require_player(request)
    wanted = await read_body(request, NewRace)
    try:
        game(wanted.rules)
    except UnknownGame:
        raise NotFound("There are no rules with this name.") from None
    request.app[DEAL_LIMIT].take(asker(request, player))
    request.app[RACE_LIMIT].take(client_address(request))
    race_id = id_to_create(request, player)
    return await _shown(request, await request.app[RACE_COMMANDS].open(player.id, wanted, race_id=race_id))


async def list_races(request: web.Request) -> web.Response:
    """The open races, the latest first."""
    listed = await request.app[RACE_COMMANDS].listed()
    return json_response(bodies.Races(races=await request.app[LIVE_RACES].show_all(listed)))


async def show_race(request: web.Request) -> web.Response:
    """A race."""
    return await _shown(request, await request.app[RACES].get(request.match_info["id"]))


async def join_race(request: web.Request) -> web.Response:
    """A race with the asker in it."""
    player = await require_player(request)
    wanted = await read_body(request, JoinRace)
    request.app[DEAL_LIMIT].take(asker(request, player))
    races = request.app[RACE_COMMANDS]
    return await _shown(request, await races.join(request.match_info["id"], player.id, wanted.nonce, wanted.token))


async def leave_race(request: web.Request) -> web.Response:
    """A race without the asker."""
    player = await require_player(request)
    return await _shown(request, await request.app[RACE_COMMANDS].leave(request.match_info["id"], player.id))


async def start_race(request: web.Request) -> web.Response:
    """A race that is about to start."""
    player = await require_player(request)
    return await _shown(request, await request.app[RACE_COMMANDS].start(request.match_info["id"], player.id))


async def open_rematch(request: web.Request) -> web.Response:
    """The next race of the same people, with the asker in it."""
    player = await require_player(request)
    wanted = await read_body(request, Rematch)
    request.app[DEAL_LIMIT].take(asker(request, player))
    request.app[RACE_LIMIT].take(client_address(request))
    races = request.app[RACE_COMMANDS]
    return await _shown(request, await races.rematch(request.match_info["id"], player.id, wanted.nonce))


async def show_pace(request: web.Request) -> web.StreamResponse:
    """How a finished run went."""
    player, charge = await current_player(request), await charge_of(request)
    pace = await request.app[HISTORIES].pace(player.id if player else None, request.match_info["id"], charge)
    return await send_history(request, pace)


async def _shown(request: web.Request, race: RaceState) -> web.Response:
    player = await current_player(request)
    return json_response(await request.app[LIVE_RACES].show(race, player.id if player else None))
