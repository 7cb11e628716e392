"""HTTP handlers: the evenings of the server, and those of a group, as Atom and as a calendar.

The feeds of a group are at an address that only its members know. It changes with the link of the group.
"""

from datetime import UTC, datetime
from html import escape
from urllib.parse import urlsplit

from aiohttp import web

from cadogan.server.core.errors import NotFound
from cadogan.server.core.eventlog.projections import ContestRow
from cadogan.server.core.web.requests import server_of, server_origin
from cadogan.server.http.site.shared_pages import respond, site_name
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.server.subjects.news.evening_news import unit_of
from cadogan.server.subjects.news.items import CalendarEvent, FeedEntry, atom, place_words, write_calendar


async def evenings_calendar(request: web.Request) -> web.Response:
    """Answer with evenings as an iCalendar feed. Raises NotFound for an unknown feed of a group."""
    rows, name = await _read(request)
    origin = server_origin(request)
    host = urlsplit(origin).hostname or "localhost"
    found = [
        CalendarEvent(
            uid=f"evening-{row.id}@{host}",
            begins_at=row.starts_at,
            ends_at=row.ends_at,
            summary=row.title,
            address=f"{origin}/evenings/{row.id}",
            stamp=(await server_of(request).evenings.get(row.id)).changed_at,
            is_cancelled=row.state == "void",
        )
        for row in rows
    ]
    return respond(request, write_calendar(name, "Evenings", found), "text/calendar")


async def evenings_feed(request: web.Request) -> web.Response:
    """Answer with evenings as Atom, the last changed first. Raises NotFound for an unknown feed of a group."""
    rows, name = await _read(request)
    server, origin = server_of(request), server_origin(request)
    entries = []
    for row in rows:
        state, address = await server.evenings.get(row.id), f"{origin}/evenings/{row.id}"
        content = f"<p>{_utc_words(row.starts_at)}: {escape(row.title)}</p>"
        if state.finalised is not None:
            content += await _results(request, state)
        entries.append(FeedEntry(row.title, address, address, state.changed_at, content))
    ordered = sorted(entries, key=lambda entry: (-entry.at, entry.address))
    return respond(request, atom(name, origin, request.path, ordered), "application/atom+xml")


async def _results(request: web.Request, state: EveningState) -> str:
    """Return the first places of a final evening, as HTML."""
    server = server_of(request)
    names, unit = await server.evening_views.names_of(state), unit_of(state)
    rows = [
        f'<li value="{one.rank}">{escape(place_words(one, names[one.player], unit))}</li>'
        for one in await server.news.evening_news.places(state)
    ]
    return f"<ol>{''.join(rows)}</ol>"


def _utc_words(at: int) -> str:
    return f"{datetime.fromtimestamp(at // 1000, UTC):%Y-%m-%d %H:%M} UTC"


async def _read(request: web.Request) -> tuple[list[ContestRow], str]:
    """Return the evenings for everybody, or those of the group in the address; and the name of the server or group."""
    server, group = server_of(request), request.match_info.get("group")
    if group is None:
        return await server.evening_views.listed.of_house(), await site_name(request)
    found = await server.groups.find_for_feed(group, request.match_info["key"])
    if found is None:
        raise NotFound("There is nothing at this address.")
    return await server.evening_views.listed.of_group(group), found.name
