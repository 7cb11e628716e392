"""HTTP handlers for other sites and programs: feeds, a calendar, an embeddable card, and its oEmbed data."""

import json
from html import escape
from urllib.parse import urlsplit

from aiohttp import web

from cadogan.engine.rule_pages import list_languages
from cadogan.server.core import dates
from cadogan.server.core.errors import BadMessage, NotFound
from cadogan.server.core.ranking import day_board
from cadogan.server.core.web.requests import has_copy, server_of, server_origin
from cadogan.server.http.middleware import EMBED_PATH
from cadogan.server.http.site import client_files, page_head
from cadogan.server.subjects.admin import branding
from cadogan.server.subjects.daily.challenges import DAYS_AHEAD
from cadogan.server.subjects.daily.days import DailyChallenge
from cadogan.server.subjects.news import items
from cadogan.server.subjects.news.items import game_name

ATOM_PATH, CALENDAR_PATH, HOUSE_PATH = "/feeds/days.atom", "/feeds/days.ics", "/feeds/house.atom"
CLOSED_DAYS = 20
ACTS_SEARCHED = 500
"""Latest acts of hosts that are searched for the announcement."""
PLACES = 10
CARD_WIDTH, CARD_HEIGHT = 360, 320
"""The size of the card on other sites, in pixels."""
_CACHING = {"Cache-Control": "public, max-age=300"}


async def days_feed(request: web.Request) -> web.Response:
    """Answer with the closed days and their top places, as Atom."""
    days = [daily for daily in await _days(request, DAYS_AHEAD + 1 + CLOSED_DAYS) if daily.closed][:CLOSED_DAYS]
    language = _language(request)
    shown = [await _with_places(request, daily, language) for daily in days]
    origin = server_origin(request)
    entries = [items.day_entry(origin, day) for day in shown]
    path = f"{ATOM_PATH}?language={language}" if "language" in request.query else ATOM_PATH
    body = items.atom(await _house_name(request), origin, path, entries, language)
    return _respond(request, body, "application/atom+xml")


async def house_feed(request: web.Request) -> web.Response:
    """Answer with the announcement of the hosts as an Atom feed: one entry, or none."""
    server = server_of(request)
    origin, said = server_origin(request), (await server.house.profile.current()).profile.announcement
    entries = []
    if said:
        acts = await server.house.log.latest(0, ACTS_SEARCHED)
        made = next((one for one in acts if "announcement" in (one.act.changed or ())), None)
        number, at = (made.version, made.at) if made else (0, 0)
        entries = [items.FeedEntry(said, f"{origin}/about#announcement-{number}", f"{origin}/about", at, escape(said))]
    return _respond(
        request, items.atom(await _house_name(request), origin, HOUSE_PATH, entries), "application/atom+xml"
    )


async def days_calendar(request: web.Request) -> web.Response:
    """Answer with today and the announced days, as an iCalendar feed."""
    today = dates.day_of(server_of(request).now())
    language = _language(request)
    days = [_feed_day(daily, language) for daily in await _days(request, DAYS_AHEAD + 1) if daily.day >= today]
    host = urlsplit(server_origin(request)).hostname or "localhost"
    body = items.calendar(await _house_name(request), server_origin(request), host, reversed(days))
    return _respond(request, body, "text/calendar")


async def show_card(request: web.Request) -> web.Response:
    """Answer with the card of today: the only page that other sites may show in a frame. It has no session."""
    server = server_of(request)
    house = await server.house.profile.current()
    now = server.now()
    today = await server.challenges.get(dates.day_of(now), now)
    name = escape(house.profile.name or "Cadogan")
    picture = f'<img src="/crest/{house.crest.digest}" alt="">' if house.crest else ""
    language = page_head.expected_language(request)
    rows = "".join(f"<li>{escape(game_name(one.game, language))}</li>" for one in today.announced) if today else ""
    lines = (
        f"<h1>{picture}{name}</h1><p>{dates.day_of(now)}</p><ul>{rows}</ul>" if rows else f"<h1>{picture}{name}</h1>"
    )
    file = client_files.find("embed.html")
    assert file is not None
    page = client_files.read(file).body.decode()
    page = page.replace("<!-- The server puts the house and its day here. -->", lines, 1)
    page = page.replace("<title>Cadogan</title>", f"<title>{name}</title>", 1)
    page = client_files.in_language(page, language, page_head.read_language(language).words)
    if house.profile.colours:
        sheet = branding.style_sheet(house.profile.colours)
        page = page.replace("</head>", f'  <link rel="stylesheet" href="{sheet.path}">\n</head>', 1)
    response = _respond(request, page.encode(), "text/html")
    response.headers["Vary"] = "Accept-Language, Cookie"
    return response


async def oembed(request: web.Request) -> web.Response:
    """Answer with the oEmbed data of the card (https://oembed.com). Raises NotFound for a URL without a card."""
    if request.query.get("format", "json") != "json":
        raise BadMessage("This address answers in JSON only.")
    origin = server_origin(request)
    wanted = request.query.get("url", "")
    if wanted.split("?")[0].rstrip("/") not in (origin, f"{origin}{EMBED_PATH}"):
        raise NotFound("There is nothing at this address.")
    name = await _house_name(request)
    width, height = (_at_most(request, *one) for one in (("maxwidth", CARD_WIDTH), ("maxheight", CARD_HEIGHT)))
    answer = {
        "version": "1.0",
        "type": "rich",
        "title": name,
        "provider_name": name,
        "provider_url": f"{origin}/",
        "cache_age": 3600,
        "width": width,
        "height": height,
        "html": embed_code(origin, name, width, height),
    }
    return _respond(request, json.dumps(answer, ensure_ascii=False).encode(), "application/json")


def embed_code(origin: str, name: str, width: int = CARD_WIDTH, height: int = CARD_HEIGHT) -> str:
    """Return the HTML that shows the card on another page."""
    return (
        f'<iframe src="{escape(origin)}{EMBED_PATH}" title="{escape(name)}" width="{width}" height="{height}" '
        'loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>'
    )


def _at_most(request: web.Request, key: str, usual: int) -> int:
    text = request.query.get(key, "")
    return min(usual, int(text)) if text.isascii() and text.isdigit() and 0 < len(text) < 6 else usual


def _respond(request: web.Request, body: bytes, content_type: str) -> web.Response:
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


async def _house_name(request: web.Request) -> str:
    return (await server_of(request).house.profile.current()).profile.name or "Cadogan"
