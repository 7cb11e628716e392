"""HTTP handlers: the cards that other sites may show in a frame, without scripts and without a session, and oEmbed."""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape
from typing import NamedTuple

from aiohttp import web

from cadogan.server.core import dates
from cadogan.server.core.errors import BadMessage, NotFound
from cadogan.server.core.ranking import day_board
from cadogan.server.core.web.requests import server_of, server_origin
from cadogan.server.http.site import client_files, page_head
from cadogan.server.http.site.shared_pages import respond, site_name
from cadogan.server.subjects.admin import branding
from cadogan.server.subjects.news.items import game_name

ROWS = 10
"""The most rows of a standing or a board that a card shows."""
CARD_WIDTH, CARD_HEIGHT = 360, 320
"""The size of the card of today on other sites, in pixels; the others are `TALL_HEIGHT` high."""
TALL_HEIGHT = 520
_OPTIONS = 'loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"'


class Subject(NamedTuple):
    """The target of an address: a card and its height, or a page without a card if `card` is None."""

    title: str
    card: str | None = None
    height: int = CARD_HEIGHT


async def show_card(request: web.Request) -> web.Response:
    """Answer with the card of today."""
    server = server_of(request)
    brand = await server.admin.profile.current()
    now = server.now()
    today = await server.challenges.get(dates.day_of(now), now)
    picture = f'<img src="/crest/{brand.crest.digest}" alt="">' if brand.crest else ""
    language = page_head.expected_language(request)
    rows = "".join(f"<li>{escape(game_name(one.game, language))}</li>" for one in today.announced) if today else ""
    name = escape(brand.profile.name or "Cadogan")
    lines = f"<h1>{picture}{name}</h1>" + (f"<p>{dates.day_of(now)}</p><ul>{rows}</ul>" if rows else "")
    return await _card(request, await site_name(request), lines)


async def show_evening_card(request: web.Request) -> web.Response:
    """Answer with the card of an evening: when it begins, or its first places. Raises NotFound."""
    server = server_of(request)
    state = await server.evenings.get(request.match_info["id"])
    standing = (await server.evening_views.standing(state)).standing
    words = page_head.read_language(page_head.expected_language(request)).words["evenings"]
    fields = standing.corrected or standing.fields
    arena = standing.corrected_arena or standing.arena
    rows = [(row.place, row.player.name, row.shown) for row in fields[0].rows[:ROWS]] if fields else []
    rows += [(row.place, row.player.name, str(row.points)) for row in arena[0].rows[:ROWS]] if arena else []
    begins = datetime.fromtimestamp(state.rounds[0].opens_at // 1000, UTC)
    said = {"coming": f"{begins:%Y-%m-%d %H:%M} UTC", "on": words["on"], "void": words["past"], "over": words["past"]}
    about = {"final": words["final"], "provisional": words["is_provisional"]}.get(standing.state)
    row = state.list_row()
    about = about or said[row.state if row else "coming"]
    lines = f"<h1>{escape(state.title)}</h1><p>{escape(about)}</p>{_table(rows)}"
    return await _card(request, state.title, lines, f"/evenings/{state.id}", "evenings.back")


async def show_board_card(request: web.Request) -> web.Response:
    """Answer with the card of a day's board: its first places. Raises NotFound."""
    server, day = server_of(request), request.match_info["day"]
    if not dates.is_valid(day) or await server.challenges.get(day, server.now()) is None:
        raise NotFound("There is nothing at this address.")
    _, found = await server.boards.page(day_board(day), 0, ROWS)
    names = await server.players.players(row.player for row in found)
    words = page_head.read_language(page_head.expected_language(request)).words["boards"]
    rows = [(row.rank, names[row.player].name, str(-row.deficit)) for row in found]
    lines = f"<h1>{day}</h1>" + (_table(rows) if rows else f"<p>{escape(words['empty'])}</p>")
    return await _card(request, day, lines, f"/board/{day}", "boards.whole")


async def oembed(request: web.Request) -> web.Response:
    """Answer with the oEmbed data of a page (https://oembed.com). Raises NotFound for a URL without them."""
    if request.query.get("format", "json") != "json":
        raise BadMessage("This address answers in JSON only.")
    origin, name = server_origin(request), await site_name(request)
    subject = await _subject_of(request, request.query.get("url", ""), origin)
    answer: dict[str, object] = {
        "version": "1.0",
        "type": "link" if subject.card is None else "rich",
        "title": subject.title,
        "provider_name": name,
        "provider_url": f"{origin}/",
        "cache_age": 3600,
    }
    if subject.card is not None:
        width, height = (_at_most(request, *one) for one in (("maxwidth", CARD_WIDTH), ("maxheight", subject.height)))
        html = embed_code(f"{origin}{subject.card}", subject.title, width, height)
        answer |= {"width": width, "height": height, "html": html}
    return respond(request, json.dumps(answer, ensure_ascii=False).encode(), "application/json")


def embed_code(address: str, title: str, width: int, height: int) -> str:
    """Return the HTML that shows the card at an address on another page."""
    size = f'width="{width}" height="{height}"'
    return f'<iframe src="{escape(address)}" title="{escape(title)}" {size} {_OPTIONS}></iframe>'


async def _subject_of(request: web.Request, url: str, origin: str) -> Subject:
    """Return the target of the address of a page or a card. Raises NotFound."""
    server, (path, *_) = server_of(request), url.split("?")
    if not path.startswith(f"{origin}/") and path != origin:
        raise NotFound("There is nothing at this address.")
    match path.removeprefix(origin).strip("/").split("/"):
        case [""] | ["embed", "today"]:
            return Subject(await site_name(request), "/embed/today")
        case ["evenings", id] | ["embed", "evening", id]:
            state = await server.evenings.get(id)
            return Subject(state.title, f"/embed/evening/{state.id}", TALL_HEIGHT)
        case ["board", day] | ["embed", "board", day] if dates.is_valid(day):
            title, _ = page_head.title_and_description(client_files.page_at(f"/board/{day}"))
            return Subject(title, f"/embed/board/{day}", TALL_HEIGHT)
        case ["replay", _]:
            return Subject(page_head.title_and_description(client_files.page_at("/replay/run"))[0])
    raise NotFound("There is nothing at this address.")


def _table(rows: Iterable[Sequence[int | str]]) -> str:
    cells = ("".join(f"<td>{escape(str(cell))}</td>" for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{one}</tr>' for one in cells)}</table>"


async def _card(
    request: web.Request, title: str, lines: str, leads_to: str = "/", words: str = "home.to_the_day"
) -> web.Response:
    """Answer with a card: the lines, and a link to a page of this server with these words."""
    file = client_files.find("embed.html")
    assert file is not None
    page = client_files.read(file).body.decode()
    page = page.replace("<!-- The server puts the house and its day here. -->", lines, 1)
    page = page.replace("<title>Cadogan</title>", f"<title>{escape(title)}</title>", 1)
    page = page.replace('href="/"', f'href="{escape(leads_to)}"', 1).replace('"home.to_the_day"', f'"{words}"', 1)
    language = page_head.expected_language(request)
    page = client_files.in_language(page, language, page_head.read_language(language).words)
    brand = await server_of(request).admin.profile.current()
    if brand.profile.colours:
        sheet = branding.style_sheet(brand.profile.colours)
        page = page.replace("</head>", f'  <link rel="stylesheet" href="{sheet.path}">\n</head>', 1)
    response = respond(request, page.encode(), "text/html")
    response.headers["Vary"] = "Accept-Language, Cookie"
    return response


def _at_most(request: web.Request, key: str, usual: int) -> int:
    text = request.query.get(key, "")
    return min(usual, int(text)) if text.isascii() and text.isdigit() and 0 < len(text) < 6 else usual
