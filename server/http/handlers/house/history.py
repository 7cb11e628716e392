"""HTTP handlers: the history that hosts and moderators look through. Who may ask is checked before."""

import asyncio

from aiohttp import web

from cadogan.server.core.dates import LAST_MOMENT
from cadogan.server.core.errors import BadMessage, RateLimited
from cadogan.server.house.history_browser import Filter
from cadogan.server.http.app_keys import HISTORIES_AT_ONCE, HISTORY_BROWSER
from cadogan.server.http.history_response import Parts, charge_of, send_parts
from cadogan.server.http.requests import asker, int_parameter, json_response, require_player, text_parameter
from cadogan.server.play.history_bodies import Charge
from cadogan.wire.codec import encode
from cadogan.wire.history import HistoryPage

EVENTS_PER_PART = 200
"""Events that a download reads at once."""


async def browse_events(request: web.Request) -> web.Response:
    """Answer with a page of events."""
    player = await require_player(request)
    limit = max(1, int_parameter(request, "browse_events", "limit"))
    after = text_parameter(request, "browse_events", "after")
    about, wanted = _asked(request, "browse_events")
    charge = await charge_of(request)
    return json_response(await request.app[HISTORY_BROWSER].page(player.id, about, wanted, after, limit, charge))


async def download_events(request: web.Request) -> web.StreamResponse:
    """Answer with all events that fit, one on a line."""
    player, charge = await require_player(request), await charge_of(request)
    about, wanted = _asked(request, "download_events")
    first = await request.app[HISTORY_BROWSER].page(player.id, about, wanted, None, EVENTS_PER_PART, charge)
    with request.app[HISTORIES_AT_ONCE].one(asker(request, player)):
        parts = _lines(request, player.id, about, wanted, first, charge)
        name = about.replace("/", "-")
        headers = {"Content-Disposition": f'attachment; filename="cadogan-{name}.jsonl"'}
        return await send_parts(request, "application/x-ndjson", parts, headers)


def _asked(request: web.Request, endpoint: str) -> tuple[str, Filter]:
    """Return what is asked about, and for which events of it. Raises BadMessage."""
    about = text_parameter(request, endpoint, "about")
    if about is None:
        raise BadMessage("The query's {name} must be something like {example}.", name="about", example="day/2026-11-20")
    kind, since, until = (text_parameter(request, endpoint, name) for name in ("type", "since", "until"))
    return about, Filter(kind, int(since or 0), int(until or LAST_MOMENT))


async def _lines(
    request: web.Request, player: str, about: str, wanted: Filter, page: HistoryPage, charge: Charge
) -> Parts:
    """Yield the lines of all pages from this one on, no faster than the asker may have them."""
    while True:
        yield b"".join([encode(event) + b"\n" for event in page.events])
        if page.next is None:
            return
        try:
            page = await request.app[HISTORY_BROWSER].page(player, about, wanted, page.next, EVENTS_PER_PART, charge)
        except RateLimited as limited:
            page = HistoryPage(events=[], next=page.next)
            await asyncio.sleep(limited.retry_after or 0)
