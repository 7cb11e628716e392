"""HTTP handlers: evenings."""

from aiohttp import web
from msgspec import json

from cadogan.server.core.errors import NotFound, SpoilerEmbargo
from cadogan.server.core.qr import draw_qr
from cadogan.server.core.scoring.table import write_table, write_team_table
from cadogan.server.core.web.requests import (
    asker,
    charge_creation,
    client_address,
    current_player,
    id_to_create,
    json_response,
    read_body,
    require_player,
    server_of,
    server_origin,
    tagged_response,
    text_parameter,
)
from cadogan.server.subjects.evenings.entry import require_entry
from cadogan.server.subjects.evenings.evening_list import code_of
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.server.subjects.evenings.evenings import Scored
from cadogan.server.subjects.evenings.leading.objections import raise_objection
from cadogan.server.subjects.evenings.teams import assign_team, require_team
from cadogan.wire import evenings as wire


async def list_evenings(request: web.Request) -> web.Response:
    """Answer with the evenings that are on, to come and over."""
    player = await current_player(request)
    return json_response(await server_of(request).evening_views.list(player))


async def make_evening(request: web.Request) -> web.Response:
    """Make an evening, and answer with it."""
    server, player = server_of(request), await require_player(request)
    wanted = await read_body(request, wire.NewEvening)
    server.limits.deal.take(asker(request, player))
    charge_creation(request, server.limits.race)
    return await _shown(request, await server.evening_leading.make(player, wanted, id_to_create(request, player)))


async def find_evening(request: web.Request) -> web.Response:
    """Answer with the evening that has this short code. Raises NotFound, and RateLimited after many wrong codes."""
    server = server_of(request)
    wrong = server.limits.sign_in.bucket(client_address(request))
    wrong.take(0)
    id = await server.evening_views.find(request.match_info["code"])
    if id is None:
        wrong.charge_later(1)
        raise NotFound("There is no evening with this code.")
    return await _shown(request, await server.evenings.get(id))


async def show_evening(request: web.Request) -> web.Response:
    """Answer with an evening; entrants are left out if the tag in the query shows that they have not changed."""
    server, player = server_of(request), await current_player(request)
    known = text_parameter(request, "show_evening", "entrants")
    state = await server.evenings.get(request.match_info["id"])
    return json_response(await server.evening_views.show(state, player, known))


async def change_evening(request: web.Request) -> web.Response:
    """Change an evening, and answer with it."""
    player = await require_player(request)
    wanted = await read_body(request, wire.ChangeEvening)
    leading = server_of(request).evening_leading
    return await _shown(request, await leading.change(request.match_info["id"], player, wanted))


async def enter_evening(request: web.Request) -> web.Response:
    """Let the current player enter an evening, and answer with it."""
    server, player = server_of(request), await require_player(request)
    wanted = await read_body(request, wire.EnterEvening)
    id = request.match_info["id"]
    state = await server.evenings.get(id)
    await server.evening_views.require_admission(state, player)
    if wanted.team is not None:
        require_team(state, wanted.team)
    if player.guest and wanted.name is not None:
        if not state.is_in(player.id):
            require_entry(state, player)
        await server.guest_names.keep(state, player.id, wanted.name)
    if wanted.team is not None and player.id in state.entrants:
        await assign_team(server, id, player, player.id, wanted.team)
        return await _shown(request, await server.evenings.enter(id, player))
    return await _shown(request, await server.evenings.enter(id, player, wanted.team))


async def assign_evening_team(request: web.Request) -> web.Response:
    """Put an entrant into a team as the leader, and answer with the evening."""
    server, player = server_of(request), await require_player(request)
    wanted = await read_body(request, wire.AssignTeam)
    id, entrant = request.match_info["id"], request.match_info["player"]
    return await _shown(request, await assign_team(server, id, player, entrant, wanted.team))


async def leave_evening(request: web.Request) -> web.Response:
    """Let the current player leave an evening, and answer with it."""
    server, player, id = server_of(request), await require_player(request), request.match_info["id"]
    state = await server.evenings.leave(id, player)
    if state.match is not None:
        await server.matches.close_round(id)
        state = await server.evenings.get(id)
    return await _shown(request, state)


async def open_evening_deal(request: web.Request) -> web.Response:
    """Deal the open round to the current player, or find the run that was dealt."""
    server, player = server_of(request), await require_player(request)
    server.limits.deal.take(player.id)  # not by address: a whole room opens the deal in the same second
    id = request.match_info["id"]
    await server.evening_views.require_admission(await server.evenings.get(id), player)
    state, opened, game = await server.evenings.open_deal(id, player)
    body = wire.EveningGame(evening=state.id, round=opened.round, game=game, closes_at=opened.closes_at)
    return json_response(body)


async def show_evening_standing(request: web.Request) -> web.Response:
    """Answer with the standing of an evening, or with 304 to who has it."""
    server = server_of(request)
    shared = await server.evening_views.standing(await server.evenings.get(request.match_info["id"]))
    return tagged_response(request, shared.body, shared.tag)


async def show_evening_round(request: web.Request) -> web.Response:
    """Answer with the runs of a round that has closed. Raises NotFound or SpoilerEmbargo."""
    server = server_of(request)
    state, number = await server.evenings.get(request.match_info["id"]), request.match_info["round"]
    if not (number.isascii() and number.isdigit()) or len(number) > 3 or state.round(int(number)) is None:
        raise NotFound("There is no such round.")
    if state.closed < int(number):
        raise SpoilerEmbargo("The runs are shown when the round has closed.")
    if not state.shows_runs(int(number)):
        raise SpoilerEmbargo("This is available when the evening has ended.")
    return json_response(await server.evening_views.round_runs(state, int(number)))


async def download_evening(request: web.Request) -> web.Response:
    """Answer with the scoring input of an evening. Raises NotFound, or SpoilerEmbargo before its end."""
    scored = await _score_ended(request)
    return web.Response(body=json.encode(scored.form, order="sorted"), content_type="application/json")


async def show_table(request: web.Request) -> web.Response:
    """Answer with the standing that holds now as a table for spreadsheets. Raises as `download_evening`."""
    state, _, answer = await _score_ended(request)
    names = await server_of(request).evening_views.names_of(state)
    return _table_response(write_table(answer, names), f"evening-{state.id}.csv")


async def show_team_table(request: web.Request) -> web.Response:
    """Answer with the standing of the teams as a table for spreadsheets. Raises as `download_evening`."""
    state, _, answer = await _score_ended(request)
    return _table_response(write_team_table(answer, state.team_names), f"evening-{state.id}-teams.csv")


async def evening_record(request: web.Request) -> web.Response:
    """Answer with the record of an evening that is over. Raises NotFound or SpoilerEmbargo."""
    evenings = server_of(request).evenings
    record = await evenings.record(await evenings.get(request.match_info["id"]))
    if record is None:
        raise SpoilerEmbargo("The record is available when the evening is over.")
    return json_response(record)


async def show_code(request: web.Request) -> web.Response:
    """Answer with the QR code of the address at which one enters an evening, as a picture."""
    state = await server_of(request).evenings.get(request.match_info["id"])
    picture = draw_qr(f"{server_origin(request)}/e/{code_of(state.code_id)}")
    headers = {"Cache-Control": "private, max-age=3600"}
    return web.Response(text=picture, content_type="image/svg+xml", headers=headers)


async def object_to_evening(request: web.Request) -> web.Response:
    """Object to a run or a round as the current player, and answer with the evening."""
    server, player = server_of(request), await require_player(request)
    wanted = await read_body(request, wire.NewObjection)
    id, objection = request.match_info["id"], id_to_create(request, player)
    return await _shown(request, await raise_objection(server.evenings, id, player, wanted, objection))


async def rule_evening(request: web.Request) -> web.Response:
    """Carry out a decision of the leader, and answer with the evening."""
    player = await require_player(request)
    wanted = await read_body(request, wire.Ruling)
    leading = server_of(request).evening_leading
    return await _shown(request, await leading.rule(request.match_info["id"], player, wanted))


async def _score_ended(request: web.Request) -> Scored:
    """Return an evening that has ended, with its standing as it is now. Raises NotFound or SpoilerEmbargo."""
    evenings = server_of(request).evenings
    state = await evenings.get(request.match_info["id"])
    if state.ended_at is None or state.is_frozen:
        raise SpoilerEmbargo("This is available when the evening has ended.")
    scored = await evenings.scored(state)
    return scored._replace(answer=scored.answer.get("corrected", scored.answer))


def _table_response(table: str, name: str) -> web.Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return web.Response(text=table, content_type="text/csv", headers=headers)


async def _shown(request: web.Request, state: EveningState) -> web.Response:
    return json_response(await server_of(request).evening_views.show(state, await current_player(request)))
