"""HTTP handlers: the event history for hosts and moderators. Roles are checked before."""

import asyncio

from aiohttp import web

from cadogan.server.core.dates import LAST_MOMENT
from cadogan.server.core.errors import BadMessage, RateLimited
from cadogan.server.house.history_browser import Filter
from cadogan.server.http.app_keys import server_of
from cadogan.server.http.history_response import Parts, charge_of, send_parts
from cadogan.server.http.requests import asker, int_parameter, json_response, require_player, text_parameter
from cadogan.server.play.history_bodies import Charge
from cadogan.wire.codec import encode
from cadogan.wire.history import HistoryPage

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
    with server.limits.histories_at_once.one(asker(request, player)):
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
