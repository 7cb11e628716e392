"""Handlers: reports, findings of copies, and the history that hosts and moderators look through."""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
from aiohttp import web

from cadogan.server.core.dates import LAST_MOMENT
from cadogan.server.core.errors import BadMessage, RateLimited
from cadogan.server.core.games.history_bodies import Charge
from cadogan.server.core.web.long_answers import Parts, charge_of, send_parts
from cadogan.server.core.web.requests import (
    asker,
    int_parameter,
    json_response,
    read_body,
    require_player,
    server_of,
    text_parameter,
)
from cadogan.server.subjects.admin.admin_routes import shown_act, shown_run
from cadogan.server.subjects.admin.copying import PaceFinding
from cadogan.server.subjects.admin.findings import ReportedCopy
from cadogan.server.subjects.admin.history_browser import Filter
from cadogan.server.subjects.admin.reports import Report
from cadogan.wire import findings
from cadogan.wire import reports as wire
from cadogan.wire.codec import encode
from cadogan.wire.findings import RunPace
from cadogan.wire.history import HistoryPage

SHOWN_ACTS = 10
"""Maximum number of earlier acts about a player that are shown with a report."""
_ENDPOINT = "list_reports"


async def my_reports(request: web.Request) -> web.Response:
    """Answer with the current player's reports."""
    server = server_of(request)
    player = await require_player(request)
    found = await server.admin.reports.own(player.id)
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
    await server_of(request).admin.reports.report_run(player.id, request.match_info["id"], wanted)
    return await my_reports(request)


async def report_player(request: web.Request) -> web.Response:
    """Report a player."""
    player, wanted = await require_player(request), await read_body(request, wire.NewReport)
    await server_of(request).admin.reports.report_player(player.id, request.match_info["id"], wanted)
    return await my_reports(request)


async def report_message(request: web.Request) -> web.Response:
    """Report a message."""
    player, wanted = await require_player(request), await read_body(request, wire.NewReport)
    await server_of(request).admin.reports.report_message(player.id, request.match_info["id"], wanted)
    return await my_reports(request)


async def list_reports(request: web.Request) -> web.Response:
    """Answer with a page of the reports, each with its evidence."""
    offset, limit = (int_parameter(request, _ENDPOINT, key) for key in ("offset", "limit"))
    reports = server_of(request).admin.reports
    listing = reports.settled if int_parameter(request, _ENDPOINT, "settled") else reports.waiting
    found = await listing(offset, limit + 1)
    shown = await _with_evidence(request, found[:limit])
    return json_response(wire.ReportsForStaff(reports=shown, more=len(found) > limit))


async def settle_report(request: web.Request) -> web.Response:
    """Settle a report."""
    server = server_of(request)
    player, wanted = await require_player(request), await read_body(request, wire.Settle)
    id = request.match_info["id"]
    await server.admin.reports.settle(player.id, id, wanted)
    (settled,) = await _with_evidence(request, [await server.admin.reports.get(id)])
    return json_response(settled)


async def _run_evidence(request: web.Request, game: str) -> dict[str, Any]:
    """Return a run without its cards, its pace once it is over, and findings about it once its day has closed."""
    server = server_of(request)
    run = await shown_run(request, game)
    if run.score is None:
        return {"run": run}
    pace = await server.admin.played_runs.pace(game)
    stored = await server.admin.findings.find_stored(run.day) if run.day else None
    about = stored.about(game) if stored else None  # None if the day is open or not examined yet
    return {
        "run": run,
        "pace": RunPace(median=round(pace.median), spread=round(pace.spread, 3), waits=pace.waits) if pace else None,
        "copies": await shown_copies(request, about.copies) if about else None,
        "paces": await shown_paces(request, about.paces) if about else None,
    }


async def _with_evidence(request: web.Request, found: Sequence[Report]) -> list[wire.ReportForStaff]:
    server = server_of(request)
    counts = await server.admin.reports.count_reporters(found)
    groups = await server.admin.reports.groups_of(found)
    listed = []
    for one in found:
        acts = await server.admin.log.about(one.player, SHOWN_ACTS)
        named = {one.reporter, one.player, *(act.act.by for act in acts if act.act.by)}
        known = await server.players.players(named)
        message = wire.ReportedMessage(id=one.message, text=one.quoted, group=groups.get(one.message))
        evidence = await _run_evidence(request, one.game) if one.game else {}
        shown = wire.ReportForStaff(
            id=one.id,
            by=known[one.reporter],
            about=await server.admin.players.player(one.player),
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


async def show_waiting(request: web.Request) -> web.Response:
    """Answer with the open tasks of hosts and moderators."""
    server = server_of(request)
    days = [findings.FindingsDay(**one._asdict()) for one in await server.admin.findings.latest()]
    return json_response(findings.StaffWork(reports=await server.admin.reports.count_waiting(), days=days))


async def show_findings(request: web.Request) -> web.Response:
    """Answer with the findings about a day."""
    day, service = request.match_info["day"], server_of(request).admin.findings
    found = await service.of_day(day)
    copies, paces = await shown_copies(request, found.copies), await shown_paces(request, found.paces)
    await service.mark_seen(day)
    return json_response(findings.DayFindings(day=day, runs=found.runs, copies=copies, paces=paces))


async def shown_copies(request: web.Request, copies: Sequence[ReportedCopy]) -> list[findings.CopyFinding]:
    """Return suspected copies of runs, as shown to hosts and moderators."""
    known = await server_of(request).players.players(view.player for one in copies for view in one.views)
    return [
        findings.CopyFinding(
            run=await shown_run(request, found.run),
            of=await shown_run(request, found.of),
            agreed=found.agreed,
            bits=round(found.bits, 1),
            usual=round(found.usual, 1),
            choices=[findings.SharedChoice(**one._asdict() | {"bits": round(one.bits, 2)}) for one in found.choices],
            views=[findings.RunView(player=known[view.player], at=view.at) for view in views],
        )
        for found, views in copies
    ]


async def shown_paces(request: web.Request, paces: Sequence[PaceFinding]) -> list[findings.PaceFinding]:
    """Return runs at the pace of a machine, as shown to hosts and moderators."""
    shown = []
    for one in paces:
        pace = {"kind": one.kind, "median": round(one.median), "spread": round(one.spread, 3), "waits": one.waits}
        run = msgspec.to_builtins(await shown_run(request, one.run))
        shown.append(msgspec.convert({**pace, "run": run}, findings.PaceFinding))
    return shown


EVENTS_PER_PART = 200
"""Events per database read of a download."""


async def browse_events(request: web.Request) -> web.Response:
    """Answer with a page of events."""
    player = await require_player(request)
    limit = max(1, int_parameter(request, "browse_events", "limit"))
    after = text_parameter(request, "browse_events", "after")
    about, wanted = _asked(request, "browse_events")
    charge = await charge_of(request)
    return json_response(await server_of(request).history_browser.page(player.id, about, wanted, after, limit, charge))


async def download_events(request: web.Request) -> web.StreamResponse:
    """Answer with all matching events, one per line."""
    server = server_of(request)
    player, charge = await require_player(request), await charge_of(request)
    about, wanted = _asked(request, "download_events")
    first = await server.history_browser.page(player.id, about, wanted, None, EVENTS_PER_PART, charge)
    with server.limits.histories_at_once.counted(asker(request, player)):
        parts = _lines(request, player.id, about, wanted, first, charge)
        name = about.replace("/", "-")
        headers = {"Content-Disposition": f'attachment; filename="cadogan-{name}.jsonl"'}
        return await send_parts(request, "application/x-ndjson", parts, headers)


def _asked(request: web.Request, endpoint: str) -> tuple[str, Filter]:
    """Return the requested subject and the event filter. Raises BadMessage."""
    about = text_parameter(request, endpoint, "about")
    if about is None:
        raise BadMessage("The query's {name} must be something like {example}.", name="about", example="day/2026-11-20")
    kind, since, until = (text_parameter(request, endpoint, name) for name in ("type", "since", "until"))
    return about, Filter(kind, int(since or 0), int(until or LAST_MOMENT))


async def _lines(
    request: web.Request, player: str, about: str, wanted: Filter, page: HistoryPage, charge: Charge
) -> Parts:
    """Yield the lines of all pages from `page` on, at the rate limit of the client."""
    while True:
        yield b"".join([encode(event) + b"\n" for event in page.events])
        if page.next is None:
            return
        try:
            page = await server_of(request).history_browser.page(
                player, about, wanted, page.next, EVENTS_PER_PART, charge
            )
        except RateLimited as limited:
            page = HistoryPage(events=[], next=page.next)
            await asyncio.sleep(limited.retry_after or 0)
