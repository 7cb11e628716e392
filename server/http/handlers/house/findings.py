"""HTTP handlers: the copy detector's findings about a closed day, and open tasks of hosts and moderators."""

from collections.abc import Sequence

import msgspec
from aiohttp import web

from cadogan.server.house.fair_play.copying import PaceFinding
from cadogan.server.house.fair_play.findings import ReportedCopy
from cadogan.server.http.app_keys import server_of
from cadogan.server.http.handlers.house.house import shown_run
from cadogan.server.http.requests import json_response
from cadogan.wire import findings as wire


async def show_waiting(request: web.Request) -> web.Response:
    """Answer with the open tasks of hosts and moderators."""
    server = server_of(request)
    days = [wire.FindingsDay(**one._asdict()) for one in await server.house.findings.latest()]
    return json_response(wire.HouseWaiting(reports=await server.house.reports.count_waiting(), days=days))


async def show_findings(request: web.Request) -> web.Response:
    """Answer with the findings about a day."""
    day, service = request.match_info["day"], server_of(request).house.findings
    found = await service.of_day(day)
    copies, paces = await shown_copies(request, found.copies), await shown_paces(request, found.paces)
    await service.mark_seen(day)
    return json_response(wire.DayFindings(day=day, runs=found.runs, copies=copies, paces=paces))


async def shown_copies(request: web.Request, copies: Sequence[ReportedCopy]) -> list[wire.CopyFinding]:
    """Return suspected copies of runs, as shown to hosts and moderators."""
    known = await server_of(request).players.players(view.player for one in copies for view in one.views)
    return [
        wire.CopyFinding(
            run=await shown_run(request, found.run),
            of=await shown_run(request, found.of),
            agreed=found.agreed,
            bits=round(found.bits, 1),
            usual=round(found.usual, 1),
            choices=[wire.SharedChoice(**one._asdict() | {"bits": round(one.bits, 2)}) for one in found.choices],
            views=[wire.RunView(player=known[view.player], at=view.at) for view in views],
        )
        for found, views in copies
    ]


async def shown_paces(request: web.Request, paces: Sequence[PaceFinding]) -> list[wire.PaceFinding]:
    """Return runs at the pace of a machine, as shown to hosts and moderators."""
    shown = []
    for one in paces:
        pace = {"kind": one.kind, "median": round(one.median), "spread": round(one.spread, 3), "waits": one.waits}
        run = msgspec.to_builtins(await shown_run(request, one.run))
        shown.append(msgspec.convert({**pace, "run": run}, wire.PaceFinding))
    return shown
