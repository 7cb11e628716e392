"""HTTP handlers: virtual evenings, which one plays later as if one had been there."""

from fractions import Fraction

from aiohttp import web
from msgspec import json

from cadogan.server.core.errors import NotFound
from cadogan.server.core.scoring.fields import shown
from cadogan.server.core.web.requests import json_response, require_player, server_of
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.server.subjects.evenings.virtual.virtual_state import VirtualState
from cadogan.wire import virtual_evenings as wire
from cadogan.wire.evenings import EveningGame


async def show_virtual_evening(request: web.Request) -> web.Response:
    """Answer with the virtual evening of the current player, or whether they may begin it."""
    player, server = await require_player(request), server_of(request)
    evening = await server.evenings.get(request.match_info["id"])
    return await _shown(request, evening, player.id, await server.virtual_evenings.find(evening.id, player.id))


async def begin_virtual_evening(request: web.Request) -> web.Response:
    """Begin a virtual evening as the current player, or answer with the unfinished one."""
    player, server = await require_player(request), server_of(request)
    evening = await server.evenings.get(request.match_info["id"])
    await server.evening_views.require_admission(evening, player)
    return await _shown(request, evening, player.id, await server.virtual_evenings.open(evening, player.id))


async def open_virtual_deal(request: web.Request) -> web.Response:
    """Deal the round that is open for the current player, or find the run that was dealt."""
    player, server = await require_player(request), server_of(request)
    server.limits.deal.take(player.id)
    evening = await server.evenings.get(request.match_info["id"])
    opened, game = await server.virtual_evenings.open_deal(evening, player.id)
    return json_response(EveningGame(evening=evening.id, round=opened.round, game=game, closes_at=opened.closes_at))


async def download_virtual_evening(request: web.Request) -> web.Response:
    """Answer with the scoring input of the virtual evening of the current player. Raises NotFound."""
    player, server = await require_player(request), server_of(request)
    state = await server.virtual_evenings.find(request.match_info["id"], player.id)
    if state is None or state.opened is None:
        raise NotFound("There is no such evening.")
    form = await server.virtual_evenings.make_form(state, [server.now() - state.opened.starts_at])
    return web.Response(body=json.encode(form, order="sorted"), content_type="application/json")


async def _shown(request: web.Request, evening: EveningState, player: str, state: VirtualState | None) -> web.Response:
    server = server_of(request)
    if state is None or state.opened is None or state.opened.player != player:
        why = await server.virtual_evenings.why_not(evening, player)
        return json_response(wire.VirtualEvening(evening=evening.id, at=server.now(), state="none", why=why))
    runs = await server.virtual_evenings.runs_of(state, state.rounds)
    place = await server.virtual_evenings.place(state)
    total = place["total"]
    return json_response(
        wire.VirtualEvening(
            evening=evening.id,
            at=server.now(),
            state="on" if state.goes_on else "finished",
            starts_at=state.opened.starts_at,
            rounds=[
                wire.VirtualRound(
                    round=one.round,
                    game=evening.rounds[one.round - 1].game,
                    level=evening.rounds[one.round - 1].level,
                    opens_at=one.opens_at,
                    closes_at=one.closes_at,
                    own=runs[one.round][0] if one.round in runs else None,
                )
                for one in state.rounds
            ],
            place=place["place"],
            of=place["of"] if total else None,
            total=total,
            shown=shown(Fraction(total), evening.settings.scoring) if total else None,
        )
    )
