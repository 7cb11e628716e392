"""HTTP handlers: reports about players, and their handling by hosts and moderators."""

from collections.abc import Sequence
from typing import Any

import msgspec
from aiohttp import web

from cadogan.server.house.fair_play.reports import Report
from cadogan.server.http.app_keys import server_of
from cadogan.server.http.handlers.house.findings import shown_copies, shown_paces
from cadogan.server.http.handlers.house.house import shown_act, shown_run
from cadogan.server.http.requests import int_parameter, json_response, read_body, require_player
from cadogan.wire import reports as wire
from cadogan.wire.findings import RunPace

SHOWN_ACTS = 10
"""Maximum number of earlier acts about a player that are shown with a report."""
_ENDPOINT = "list_reports"


async def my_reports(request: web.Request) -> web.Response:
    """Answer with the current player's reports."""
    server = server_of(request)
    player = await require_player(request)
    found = await server.house.reports.own(player.id)
    known = await server.players.players(one.player for one in found)
    listed = [
        {
            "player": known[one.player],
            "game": one.game or None,
            "quoted": one.quoted or None,
            "reason": one.reason,
            "text": one.text,
            "at": one.reported_at,
            "settled_at": one.settled_at,
            "outcome": one.outcome,
        }
        for one in found
    ]
    return json_response(wire.MyReports(reports=msgspec.convert(listed, list[wire.MyReport])))


async def report_run(request: web.Request) -> web.Response:
    """Report a run."""
    player, wanted = await require_player(request), await read_body(request, wire.NewReport)
    await server_of(request).house.reports.report_run(player.id, request.match_info["id"], wanted)
    return await my_reports(request)


async def report_player(request: web.Request) -> web.Response:
    """Report a player."""
    player, wanted = await require_player(request), await read_body(request, wire.NewReport)
    await server_of(request).house.reports.report_player(player.id, request.match_info["id"], wanted)
    return await my_reports(request)


async def report_message(request: web.Request) -> web.Response:
    """Report a message."""
    player, wanted = await require_player(request), await read_body(request, wire.NewReport)
    await server_of(request).house.reports.report_message(player.id, request.match_info["id"], wanted)
    return await my_reports(request)


async def list_reports(request: web.Request) -> web.Response:
    """Answer with a page of the reports, each with its evidence."""
    offset, limit = (int_parameter(request, _ENDPOINT, key) for key in ("offset", "limit"))
    reports = server_of(request).house.reports
    listing = reports.settled if int_parameter(request, _ENDPOINT, "settled") else reports.waiting
    found = await listing(offset, limit + 1)
    shown = await _with_evidence(request, found[:limit])
    return json_response(wire.HouseReports(reports=shown, more=len(found) > limit))


async def settle_report(request: web.Request) -> web.Response:
    """Settle a report."""
    server = server_of(request)
    player, wanted = await require_player(request), await read_body(request, wire.Settle)
    id = request.match_info["id"]
    await server.house.reports.settle(player.id, id, wanted)
    (settled,) = await _with_evidence(request, [await server.house.reports.get(id)])
    return json_response(settled)


async def _run_evidence(request: web.Request, game: str) -> dict[str, Any]:
    """Return a run without its cards, its pace once it is over, and findings about it once its day has closed."""
    server = server_of(request)
    run = await shown_run(request, game)
    if run.score is None:
        return {"run": run}
    pace = await server.house.played_runs.pace(game)
    stored = await server.house.findings.find_stored(run.day) if run.day else None
    about = stored.about(game) if stored else None  # None if the day is open or not examined yet
    return {
        "run": run,
        "pace": RunPace(median=round(pace.median), spread=round(pace.spread, 3), waits=pace.waits) if pace else None,
        "copies": await shown_copies(request, about.copies) if about else None,
        "paces": await shown_paces(request, about.paces) if about else None,
    }


async def _with_evidence(request: web.Request, found: Sequence[Report]) -> list[wire.HouseReport]:
    server = server_of(request)
    counts = await server.house.reports.count_reporters(found)
    groups = await server.house.reports.groups_of(found)
    listed = []
    for one in found:
        acts = await server.house.log.about(one.player, SHOWN_ACTS)
        named = {one.reporter, one.player, *(act.act.by for act in acts if act.act.by)}
        known = await server.players.players(named)
        message = wire.ReportedMessage(id=one.message, text=one.quoted, group=groups.get(one.message))
        evidence = await _run_evidence(request, one.game) if one.game else {}
        shown = wire.HouseReport(
            id=one.id,
            by=known[one.reporter],
            about=await server.house.players.player(one.player),
            **evidence,
            message=message if one.message else None,
            reason=msgspec.convert(one.reason, wire.ReportReason),
            text=one.text,
            at=one.reported_at,
            others=counts[one.player, one.game, one.message] - 1,
            acts=[shown_act(act._replace(note=""), known) for act in acts],
            settled_at=one.settled_at,
            outcome=msgspec.convert(one.outcome, wire.Outcome | None),
        )
        listed.append(shown)
    return listed
