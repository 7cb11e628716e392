"""HTTP handlers for programs of others: feeds and a calendar."""

from html import escape
from urllib.parse import urlsplit

from aiohttp import web

from cadogan.engine.rule_pages import list_languages
from cadogan.server.core import dates
from cadogan.server.core.ranking import day_board
from cadogan.server.core.web.requests import has_copy, server_of, server_origin
from cadogan.server.core.words import words_in
from cadogan.server.http.site import client_files
from cadogan.server.subjects.daily.challenges import DAYS_AHEAD
from cadogan.server.subjects.daily.days import DailyChallenge
from cadogan.server.subjects.news import items
from cadogan.server.subjects.news.items import game_name

ATOM_PATH, CALENDAR_PATH, ANNOUNCEMENTS_PATH = "/feeds/days.atom", "/feeds/days.ics", "/feeds/house.atom"
CLOSED_DAYS = 20
ACTS_SEARCHED = 500
"""Latest acts of hosts that are searched for the announcement."""
PLACES = 10
_CACHING = {"Cache-Control": "public, max-age=300"}


async def days_feed(request: web.Request) -> web.Response:
    """Answer with the closed days and their top places, as Atom."""
    days = [daily for daily in await _days(request, DAYS_AHEAD + 1 + CLOSED_DAYS) if daily.closed][:CLOSED_DAYS]
    language = _language(request)
    shown = [await _with_places(request, daily, language) for daily in days]
    origin = server_origin(request)
    entries = [items.day_entry(origin, day) for day in shown]
    path = f"{ATOM_PATH}?language={language}" if "language" in request.query else ATOM_PATH
    body = items.atom(await site_name(request), origin, path, entries, language)
    return respond(request, body, "application/atom+xml")


async def announcements_feed(request: web.Request) -> web.Response:
    """Answer with the announcement of the hosts as an Atom feed: one entry, or none."""
    server = server_of(request)
    origin, said = server_origin(request), (await server.admin.profile.current()).profile.announcement
    entries = []
    if said:
        acts = await server.admin.log.latest(0, ACTS_SEARCHED)
        made = next((one for one in acts if "announcement" in (one.act.changed or ())), None)
        number, at = (made.version, made.at) if made else (0, 0)
        entries = [items.FeedEntry(said, f"{origin}/about#announcement-{number}", f"{origin}/about", at, escape(said))]
    return respond(
        request, items.atom(await site_name(request), origin, ANNOUNCEMENTS_PATH, entries), "application/atom+xml"
    )


async def days_calendar(request: web.Request) -> web.Response:
    """Answer with today and the announced days, as an iCalendar feed."""
    today = dates.day_of(server_of(request).now())
    language = _language(request)
    coming = [daily for daily in await _days(request, DAYS_AHEAD + 1) if daily.day >= today]
    days = [_feed_day(daily, language)._replace(games=_marked_games(daily, language)) for daily in coming]
    host = urlsplit(server_origin(request)).hostname or "localhost"
    body = items.calendar(await site_name(request), server_origin(request), host, reversed(days))
    return respond(request, body, "text/calendar")


def respond(request: web.Request, body: bytes, content_type: str) -> web.Response:
    """Answer with a document that may be cached for five minutes, or with 304 if the ETag matches."""
    tag = client_files.digest(body)
    if has_copy(request, tag):
        response = web.Response(status=304, headers=_CACHING)
    else:
        response = web.Response(body=body, content_type=content_type, charset="utf-8", headers=_CACHING)
    response.etag = tag
    return response


def _language(request: web.Request) -> str:
    """Return the requested language; English if there are no texts in it."""
    wanted = request.query.get("language", "")
    return wanted if wanted in list_languages() else "en"


async def _days(request: web.Request, most: int) -> list[DailyChallenge]:
    server = server_of(request)
    return await server.challenges.list_days(server.now(), most=most)


async def _with_places(request: web.Request, daily: DailyChallenge, language: str) -> items.FeedDay:
    server = server_of(request)
    _, rows = await server.boards.page(day_board(daily.day), 0, PLACES)
    names = await server.players.players(row.player for row in rows)
    review = server.reviews.known(daily.day)
    return _feed_day(daily, language)._replace(
        places=[(row.rank, names[row.player].name, -row.deficit) for row in rows],
        review=items.review_lines(items.figures_of(review), language) if review else (),
    )


def _feed_day(daily: DailyChallenge, language: str) -> items.FeedDay:
    games = [game_name(one.game, language) for one in daily.announced]
    return items.FeedDay(daily.day, *daily.span, games)


def _marked_games(daily: DailyChallenge, language: str) -> list[str]:
    """Return the names of a day's games, each marked if its deal is certified, or will be if the search finds one."""
    words, marked = words_in(language).news, []
    for one in daily.announced:
        is_searched = one.search is not None and not (daily.opened or daily.closed)
        form = words.certified if one.deal in daily.seals else words.to_be_certified if is_searched else "{game}"
        marked.append(form.format(game=game_name(one.game, language)))
    return marked


async def site_name(request: web.Request) -> str:
    """Return the name of the server, or that of the program."""
    return (await server_of(request).admin.profile.current()).profile.name or "Cadogan"
