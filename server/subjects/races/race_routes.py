"""HTTP handlers: races and ghosts."""

from aiohttp import web

from cadogan.engine import UnknownGame, game
from cadogan.server.core.errors import NotFound, SpoilerEmbargo
from cadogan.server.core.web.long_answers import charge_of, send_history
from cadogan.server.core.web.requests import (
    asker,
    charge_creation,
    current_player,
    id_to_create,
    json_response,
    read_body,
    require_player,
    server_of,
)
from cadogan.server.subjects.races.race_state import RaceState
from cadogan.server.subjects.races.repository import read_race_record
from cadogan.wire import races as bodies
from cadogan.wire.races import JoinRace, NewRace, Rematch


async def open_race(request: web.Request) -> web.Response:
    """Open a race with the current player in it, and answer with it."""
    server = server_of(request)
    player = await require_player(request)
    wanted = await read_body(request, NewRace)
    try:
        game(wanted.rules)
    except UnknownGame:
        raise NotFound("There are no rules with this name.") from None
    server.limits.deal.take(asker(request, player))
    charge_creation(request, server.limits.race)
    race_id = id_to_create(request, player)
    return await _shown(request, await server.race_commands.open(player.id, wanted, race_id=race_id))


async def list_races(request: web.Request) -> web.Response:
    """Answer with the open races, latest first."""
    server = server_of(request)
    listed = await server.race_commands.listed()
    return json_response(bodies.Races(races=await server.live_races.show_all(listed)))


async def show_race(request: web.Request) -> web.Response:
    """Answer with a race."""
    return await _shown(request, await server_of(request).races.get(request.match_info["id"]))


async def race_record(request: web.Request) -> web.Response:
    """Answer with the record of a race that is over. Raises NotFound or SpoilerEmbargo."""
    server = server_of(request)
    race = await server.races.get(request.match_info["id"])
    record = await read_race_record(server.store, server.transparency, race.id)
    if record is None:
        raise SpoilerEmbargo("The record is available when the race is over.")
    return json_response(record)


async def join_race(request: web.Request) -> web.Response:
    """Add the current player to a race, and answer with it."""
    server = server_of(request)
    player = await require_player(request)
    wanted = await read_body(request, JoinRace)
    server.limits.deal.take(asker(request, player))
    races = server.race_commands
    return await _shown(request, await races.join(request.match_info["id"], player.id, wanted.nonce, wanted.token))


async def leave_race(request: web.Request) -> web.Response:
    """Remove the current player from a race, and answer with it."""
    player = await require_player(request)
    return await _shown(request, await server_of(request).race_commands.leave(request.match_info["id"], player.id))


async def start_race(request: web.Request) -> web.Response:
    """Start the countdown of a race, and answer with it."""
    player = await require_player(request)
    return await _shown(request, await server_of(request).race_commands.start(request.match_info["id"], player.id))


async def open_rematch(request: web.Request) -> web.Response:
    """Open or join the rematch of a race, and answer with it."""
    server = server_of(request)
    player = await require_player(request)
    wanted = await read_body(request, Rematch)
    server.limits.deal.take(asker(request, player))
    charge_creation(request, server.limits.race)
    races = server.race_commands
    return await _shown(request, await races.rematch(request.match_info["id"], player.id, wanted.nonce))


async def show_pace(request: web.Request) -> web.StreamResponse:
    """Answer with the pace of a finished run."""
    player, charge = await current_player(request), await charge_of(request)
    pace = await server_of(request).histories.pace(player.id if player else None, request.match_info["id"], charge)
    return await send_history(request, pace)


async def _shown(request: web.Request, race: RaceState) -> web.Response:
    player = await current_player(request)
    return json_response(await server_of(request).live_races.show(race, player.id if player else None))
