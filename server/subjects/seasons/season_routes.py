"""HTTP handlers: the seasons of the server and of groups."""

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

from aiohttp import web

from cadogan.server.core import dates
from cadogan.server.core.errors import NotFound
from cadogan.server.core.eventlog.season_events import SeasonState, closes_at
from cadogan.server.core.web.requests import (
    current_player,
    json_response,
    read_body,
    require_player,
    server_of,
)
from cadogan.server.subjects.seasons.stored_seasons import group_and_week
from cadogan.wire import seasons as wire
from cadogan.wire.values import Player

MAX_LISTED = 100


async def list_seasons(request: web.Request) -> web.Response:
    """Answer with the settings and the seasons, the latest first."""
    return json_response(await _list(request))


async def show_season(request: web.Request) -> web.Response:
    """Answer with a season and its divisions, that of the current player first. Raises NotFound."""
    return await _shown(request, await _season(request))


async def change_seasons(request: web.Request) -> web.Response:
    """Change the settings of the seasons to come as a host; open the first one if they were switched on."""
    seasons, wanted = server_of(request).seasons, await read_body(request, wire.SeasonSettings)
    await seasons.stored.change((await require_player(request)).id, wanted)
    await seasons.run_due()
    return json_response(await _list(request))


async def list_group_seasons(request: web.Request) -> web.Response:
    """Answer with the settings and the seasons of a group, as one of its members. Raises NotFound."""
    group = request.match_info["id"]
    await server_of(request).groups.group((await require_player(request)).id, group)
    return json_response(await _list(request, group))


async def change_group_seasons(request: web.Request) -> web.Response:
    """Change the settings of the seasons of a group, as its owner. Raises NotFound and Forbidden."""
    server, player, group = server_of(request), await require_player(request), request.match_info["id"]
    wanted = await read_body(request, wire.SeasonSettings)
    await server.groups.require_owner(player.id, group)
    await server.seasons.stored.change(player.id, wanted, group)
    await server.seasons.run_due_of(group)
    return json_response(await _list(request, group))


async def leave_season(request: web.Request) -> web.Response:
    """Let the current player leave a season, and answer with it. Raises NotFound or Conflict."""
    player, state = await require_player(request), await _season(request)
    return await _shown(request, await server_of(request).seasons.leave(state.id, player.id))


async def _season(request: web.Request) -> SeasonState:
    """Return the season named in a request. Raises NotFound; seasons of a group are visible to its members only."""
    server, reader = server_of(request), await current_player(request)
    state = await server.seasons.stored.get(request.match_info["id"])
    group, _ = group_and_week(state.id)
    if group is not None and (reader is None or reader.id not in await server.groups.members_of(group)):
        raise NotFound("There is no such season.")
    return state


async def _list(request: web.Request, group: str | None = None) -> wire.SeasonList:
    stored = server_of(request).seasons.stored
    ids = (await stored.ids(group))[-MAX_LISTED:]
    found = [_listed(await stored.get(id)) for id in reversed(ids)]
    return wire.SeasonList(settings=(await stored.chosen(group)).settings, seasons=found)


def _listed(state: SeasonState) -> wire.ListedSeason:
    weeks = [*state.opened.weeks]
    begins, ends = dates.week_begins(weeks[0]), dates.week_begins(weeks[-1]) + dates.MILLISECONDS_PER_WEEK
    is_closed = state.closed is not None
    return wire.ListedSeason(id=state.id, weeks=weeks, begins_at=begins, ends_at=ends, closed=is_closed)


async def _shown(request: web.Request, state: SeasonState) -> web.Response:
    server, reader = server_of(request), await current_player(request)
    table = await server.seasons.table(state)
    known = await server.players.players(state.members)
    own = _division_of(reader, table)
    moves: dict[str, wire.SeasonMove] = dict.fromkeys(table["promoted"], "up")
    moves |= dict.fromkeys(table["relegated"], "down")
    divisions = [_division(one, moves, state.left, known) for one in table["divisions"]]
    settings, listed = state.opened.settings, _listed(state)
    return json_response(
        wire.Season(
            id=state.id,
            weeks=listed.weeks,
            begins_at=listed.begins_at,
            ends_at=listed.ends_at,
            closes_at=closes_at(listed.weeks[-1]),
            closed=listed.closed,
            least_sessions=settings.least_sessions,
            demotion=settings.demotion,
            divisions=sorted(divisions, key=lambda one: one.division != own),
            own=own,
            digest=state.closed.digest if state.closed else None,
        )
    )


def _division_of(player: Player | None, table: Mapping[str, Any]) -> int | None:
    """Return the number of a player's division, or None."""
    pairs = {row["player"]: one["division"] for one in table["divisions"] for row in one["rows"]}
    return pairs.get(player.id) if player else None


def _division(
    one: Mapping[str, Any], moves: Mapping[str, wire.SeasonMove], left: Collection[str], known: dict[str, Player]
) -> wire.SeasonDivision:
    rows = [
        wire.SeasonRow(
            place=row["place"],
            player=known[row["player"]],
            score=_hundredths(row["score"]),
            weeks=[_hundredths(week) for week in row["weeks"]],
            sessions=row["sessions"],
            active=row["active"],
            moves=moves.get(row["player"]),
            left=row["player"] in left,
        )
        for row in one["rows"]
    ]
    return wire.SeasonDivision(division=one["division"], rows=rows)


def _hundredths(share: str) -> int:
    """Return a share, which is written as a fraction, in hundredths of a per cent, rounded half up."""
    return int(Fraction(share) * 10_000 + Fraction(1, 2))
