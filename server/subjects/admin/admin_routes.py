"""Handlers: what hosts and moderators do, the profile and the schedule of the server."""

from collections.abc import Sequence
from typing import Any

from aiohttp import web

from cadogan.server.core import dates
from cadogan.server.core.errors import NotFound
from cadogan.server.core.web.requests import (
    client_address,
    id_to_create,
    int_parameter,
    json_response,
    read_body,
    require_player,
    server_of,
    text_parameter,
)
from cadogan.server.subjects.admin.admin_log import RecordedAct
from cadogan.server.subjects.admin.branding import style_sheet
from cadogan.server.subjects.admin.stored_settings import as_deals
from cadogan.server.subjects.daily.days import DailyChallenge
from cadogan.server.subjects.leaderboards.disqualified_runs import shown_strike
from cadogan.wire import admin as wire
from cadogan.wire import schedule as schedule_wire
from cadogan.wire.account import Session
from cadogan.wire.branding import NewCrest, SiteColours, SiteProfile
from cadogan.wire.values import Player


async def become_host(request: web.Request) -> web.Response:
    """Make the current player the first host."""
    server = server_of(request)
    player = await require_player(request)
    wanted = await read_body(request, wire.BecomeHost)
    server.limits.sign_in.take(client_address(request))
    await server.admin.roles.claim(player.id, wanted.code)
    return json_response(Session(player=player, role="host"))


async def find_players(request: web.Request) -> web.Response:
    """Answer with the players whose names start with a prefix."""
    name = text_parameter(request, "find_players", "name") or ""
    offset, limit = (int_parameter(request, "find_players", key) for key in ("offset", "limit"))
    return json_response(await server_of(request).admin.players.find(name, offset, limit))


async def change_role(request: web.Request) -> web.Response:
    """Change the role of a player."""
    server = server_of(request)
    wanted = await read_body(request, wire.ChangeRole)
    by, player = await _parties(request)
    await server.admin.roles.change(by, player, wanted.role, wanted)
    return json_response(await server.admin.players.player(player))


async def rename_player(request: web.Request) -> web.Response:
    """Give a player another name."""
    server = server_of(request)
    wanted = await read_body(request, wire.Rename)
    by, player = await _parties(request)
    await server.admin.moderation.rename(by, player, wanted.name, wanted)
    return json_response(await server.admin.players.player(player))


async def mute_player(request: web.Request) -> web.Response:
    """Mute a player for some time, or end the mute."""
    server = server_of(request)
    wanted = await read_body(request, wire.Mute)
    by, player = await _parties(request)
    await server.admin.moderation.mute(by, player, wanted.until, wanted)
    return json_response(await server.admin.players.player(player))


async def suspend_player(request: web.Request) -> web.Response:
    """Suspend a player, or end the suspension."""
    wanted = await read_body(request, wire.Suspend)
    by, player = await _parties(request)
    return await _end_connections(
        request, await server_of(request).admin.moderation.suspend(by, player, wanted.until, wanted)
    )


async def ban_player(request: web.Request) -> web.Response:
    """Ban a player, or end the ban."""
    wanted = await read_body(request, wire.Ban)
    by, player = await _parties(request)
    return await _end_connections(
        request, await server_of(request).admin.moderation.ban(by, player, wanted.banned, wanted)
    )


async def sign_out_player(request: web.Request) -> web.Response:
    """End every session of a player."""
    why = await read_body(request, wire.Why)
    by, player = await _parties(request)
    return await _end_connections(request, await server_of(request).admin.moderation.sign_out(by, player, why))


async def reset_access(request: web.Request) -> web.Response:
    """Answer with a link for setting a player's new password."""
    why = await read_body(request, wire.Why)
    by, player = await _parties(request)
    made = await server_of(request).admin.moderation.reset_access(by, player, why)
    return json_response(wire.OneTimeLink(path=f"/access/{made.code}", expires_at=made.expires_at))


async def show_run(request: web.Request) -> web.Response:
    """Answer with the outline and the result of a run."""
    return json_response(await shown_run(request, request.match_info["id"]))


async def strike_run(request: web.Request) -> web.Response:
    """Disqualify a run, or restore it."""
    wanted = await read_body(request, wire.Strike)
    by, game = await _parties(request)
    server = server_of(request)
    await server.evening_leading.require_impartial(await server.outlines.get(game), by)
    await server.admin.strikes.strike(by, game, wanted.struck, wanted)
    return await show_run(request)


async def show_entry(request: web.Request) -> web.Response:
    """Answer with the admission rules."""
    return json_response(await server_of(request).admin.entry.settings())


async def change_entry(request: web.Request) -> web.Response:
    """Change the admission rules."""
    wanted = await read_body(request, wire.Entry)
    await server_of(request).admin.entry.change((await require_player(request)).id, wanted)
    return await show_entry(request)


async def list_invitations(request: web.Request) -> web.Response:
    """Answer with the active invitations."""
    return json_response(wire.Invitations(invitations=await server_of(request).admin.entry.invitations()))


async def invite(request: web.Request) -> web.Response:
    """Create an invitation."""
    player = await require_player(request)
    wanted = await read_body(request, wire.NewInvitation)
    return json_response(await server_of(request).admin.entry.invite(player.id, wanted, id_to_create(request, player)))


async def end_invitation(request: web.Request) -> web.Response:
    """Revoke an invitation."""
    player = await require_player(request)
    await server_of(request).admin.entry.end_invitation(player.id, request.match_info["id"])
    return await list_invitations(request)


async def shown_run(request: web.Request, game_id: str) -> wire.RunForStaff:
    """Return a run as shown to hosts and moderators. Raises NotFound."""
    server = server_of(request)
    game = await server.outlines.get(game_id)
    dealt, finished = game.dealt, game.finished
    disqualified = (await server.disqualified_runs.among([game.id])).get(game.id)
    return wire.RunForStaff(
        game=game.id,
        player=await server.players.player(game.player),
        rules=dealt.game,
        mode=game.competition.mode(dealt),
        ranked=game.ranked,
        status=game.status,
        started_at=game.dealt_at,
        day=dealt.day,
        slot=dealt.slot,
        race=dealt.race,
        competition=dealt.competition,
        about=dealt.about,
        score=finished.score if finished else None,
        moves=finished.moves if finished else None,
        milliseconds=finished.milliseconds if finished else None,
        struck=shown_strike(disqualified) if disqualified else None,
    )


async def _parties(request: web.Request) -> tuple[str, str]:
    """Return the ids of the current player, and of the player or run in the path."""
    return (await require_player(request)).id, request.match_info["id"]


async def _end_connections(request: web.Request, ended: Sequence[str]) -> web.Response:
    """Close the connections of these sessions, and answer with the player in the path."""
    server = server_of(request)
    for session in ended:
        server.sessions.end_session(session)
    return json_response(await server.admin.players.player(request.match_info["id"]))


async def show_house_log(request: web.Request) -> web.Response:
    """Answer with a page of the log of hosts and moderators."""
    server = server_of(request)
    before, limit = (int_parameter(request, "show_house_log", key) for key in ("before", "limit"))
    recorded = await server.admin.log.latest(before, limit + 1)
    named = {player for one in recorded for player in (one.act.by, one.act.player) if player}
    known = await server.players.players(named)
    return json_response(
        wire.StaffLog(acts=[shown_act(one, known) for one in recorded[:limit]], more=len(recorded) > limit)
    )


def shown_act(recorded: RecordedAct, known: dict[str, Player]) -> wire.StaffAct:
    """Return an act in its wire form; `known` are the players that it mentions, by id."""
    act = recorded.act
    fields: dict[str, Any] = {name: getattr(act, name) for name in _SHOWN_FIELDS}
    by, player = (known[one] if one else None for one in (act.by, act.player))
    return wire.StaffAct(version=recorded.version, at=recorded.at, by=by, player=player, note=recorded.note, **fields)


_SHOWN_FIELDS = (
    "act",
    "code",
    "role",
    "until",
    "accounts",
    "guests",
    "uses",
    "changed",
    "game",
    "archive",
    "games",
    "reason",
)
"""The fields of an event that are shown unchanged."""
_IMMUTABLE_CACHING = {"Cache-Control": "public, max-age=31536000, immutable"}


async def show_profile(request: web.Request) -> web.Response:
    """Answer with the profile."""
    return json_response((await server_of(request).admin.profile.current()).shown)


async def change_profile(request: web.Request) -> web.Response:
    """Change the profile."""
    wanted = await read_body(request, SiteProfile)
    await server_of(request).admin.profile.change((await require_player(request)).id, wanted)
    return await show_profile(request)


async def change_crest(request: web.Request) -> web.Response:
    """Change the crest, a picture."""
    wanted = await read_body(request, NewCrest)
    await server_of(request).admin.profile.change_crest((await require_player(request)).id, wanted.image)
    return await show_profile(request)


async def show_crest(request: web.Request) -> web.Response:
    """Answer with the crest. Raises NotFound for the URL of another picture."""
    profile, digest = server_of(request).admin.profile, request.match_info["digest"]
    crest = (await profile.current()).crest
    if crest is None or crest.digest != digest:
        crest = (await profile.current(reload=True)).crest  # another node has changed it
    if crest is None or crest.digest != digest:
        raise NotFound("There is nothing at this address.")
    return web.Response(body=crest.image, content_type=crest.media_type, headers=_IMMUTABLE_CACHING)


async def show_style_sheet(request: web.Request) -> web.Response:
    """Answer with a style sheet of the colours in the path."""
    bar, accent, accent_dark = (f"#{request.match_info[name]}" for name in ("bar", "accent", "dark"))
    sheet = style_sheet(SiteColours(bar=bar, accent=accent, accent_dark=accent_dark))
    return web.Response(text=sheet.text, content_type="text/css", headers=_IMMUTABLE_CACHING)


DAYS_SHOWN = 21
"""Today and the days after it: a week that is announced, and two that are not."""


async def show_schedule(request: web.Request) -> web.Response:
    """Answer with the current schedule."""
    return json_response(await _shown(request, await server_of(request).schedule.chosen()))


async def change_schedule(request: web.Request) -> web.Response:
    """Change the schedule, or answer with a preview of the change."""
    wanted = await read_body(request, schedule_wire.ChangeSchedule)
    schedule = server_of(request).schedule
    schedule.check(wanted)
    shown = await _shown(
        request, schedule_wire.Schedule(deals=wanted.deals, grace=wanted.grace)
    )  # announces due days first
    if not wanted.preview:
        await schedule.change((await require_player(request)).id, wanted)
    return json_response(shown)


async def _shown(request: web.Request, chosen: schedule_wire.Schedule) -> schedule_wire.ShownSchedule:
    server = server_of(request)
    now, usual = server.now(), server.settings.daily_grace
    schedule = server.schedule.as_schedule(chosen)
    grace = usual if schedule.grace is None else schedule.grace // 1000
    known = {daily.day: daily for daily in await server.challenges.list_days(now)}
    days = []
    for ahead in range(DAYS_SHOWN):
        day = dates.add_days(dates.day_of(now), ahead)
        if day in known:
            days.append(_announced(known[day]))
        else:
            deals = [
                schedule_wire.PlannedDeal(level=slot.level, rules=slot.game) for slot in schedule.calendar.card(day)
            ]
            days.append(schedule_wire.PlannedDay(day=day, announced=False, deals=deals, grace=grace))
    return schedule_wire.ShownSchedule(chosen=chosen, deals=as_deals(schedule.calendar), grace=grace, days=days)


def _announced(daily: DailyChallenge) -> schedule_wire.PlannedDay:
    deals = [schedule_wire.PlannedDeal(level=one.level, rules=one.game) for one in daily.announced]
    grace = (daily.span.closes_at - daily.span.ends_at) // 1000
    return schedule_wire.PlannedDay(day=daily.day, announced=True, deals=deals, grace=grace)
