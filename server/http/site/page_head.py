"""The head of a page: the languages of the web client, and link previews.

Link previews: the title, description and picture that are shown when somebody shares a URL.

They are built from the URL alone, without any stored data. A preview therefore cannot spoil a deal, and reveals neither
a score nor whether a game, race or person exists.
"""

from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from aiohttp import web

from cadogan.engine import UnknownGame, game
from cadogan.server.core.web.requests import find_cookie
from cadogan.server.http.site.client_files import FOLDER, Page

LANGUAGE_COOKIE = "cadogan_language"
"""The cookie with the language that the page used last, if the browser prefers another. The page sets it."""
DEFAULT = "en"


class LanguageFile(msgspec.Struct):
    """A language's file: the language's own name, and its texts."""

    name: str
    words: dict[str, Any]


async def list_languages(request: web.Request) -> web.Response:
    """Answer with every language, sorted by tag: ``{"languages": [{"tag": "de", "name": "Deutsch"}]}``."""
    body = msgspec.json.encode({"languages": languages()})
    return web.Response(body=body, content_type="application/json", headers={"Cache-Control": "no-cache"})


def languages() -> list[dict[str, str]]:
    """Return the tag and the name of every language, sorted by tag."""
    return [{"tag": tag, "name": read_language(tag).name} for tag in sorted(_files())]


def expected_language(request: web.Request) -> str:
    """Return the language that the page will use: the last used one, else the one that the browser prefers."""
    tags = _files()
    for wanted in (find_cookie(request, LANGUAGE_COOKIE) or "", *_accepted(request)):
        for tag in (wanted, wanted.partition("-")[0]):
            if tag in tags:
                return tag
    return DEFAULT


def read_language(tag: str) -> LanguageFile:
    """Return the file of a language. It is cached until the file changes."""
    file = _files()[tag]
    return _read(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _read(file: Path, changed_at: int) -> LanguageFile:
    return msgspec.json.decode(file.read_bytes(), type=LanguageFile)


def _files() -> dict[str, Path]:
    return {file.stem: file for file in (FOLDER / "languages").glob("*.json")}


def _accepted(request: web.Request) -> Iterator[str]:
    """Return the languages in the order of the header; browsers send the preferred one first."""
    for each in request.headers.get("Accept-Language", "").split(","):
        yield each.partition(";")[0].strip()


SITE_NAME = "Cadogan"
DESCRIPTION = "Solitaire for a club: the same deals for everybody, every day, live."
PREVIEW_IMAGE = "/icons/preview.png"
PREVIEW_IMAGE_SIZE = (1200, 630)
"""Width and height in pixels."""
_TITLES = {
    "play": "A game of solitaire",
    "watch": "A game of solitaire, live",
    "theatre": "Games of solitaire, live",
    "games": "The games",
    "winnability": "How often each game can be won",
    "played": "A deal to play",
    "review": "How a day was won and lost",
    "puzzle": "The puzzle of the day",
    "calendar": "The calendar",
    "seal": "What the seal proves",
    "points": "How points are counted",
    "races": "Races",
    "race": "A race",
    "replays": "Replays of a race",
    "evenings": "Evenings",
    "evening": "An evening",
    "ratings": "Ratings",
    "season": "Season",
    "sheets": "An evening, to print",
    "sit": "Enter an evening",
    "screen": "An evening, on the wall",
    "people": "People",
    "group": "A group",
    "join": "Join a group",
    "about": "About this house",
    "house": "Hosts and moderators",
    "claim": "Become the host",
    "access": "Set a new password",
    "invited": "You are invited",
    "mail": "Confirm your address",
    "digest": "The digest of the week",
    "forgot": "Set a new password",
    "profile": "A player",
    "collection": "A collection of won games",
    "replay": "A game of solitaire, move by move",
    "compare": "Two runs of the same deal",
    "audit": "Check a record",
    "settings": "Settings",
    "provider": "Your account",
    "account": "Your account",
}
_NOT_FOR_ALL = ("join", "claim", "access", "invited", "mail", "digest", "provider", "missing")
"""Pages whose URL is not included in the preview, because the link is for one person only."""
_WITH_OEMBED = ("evening", "boards", "replay")
"""Pages besides the first one whose head says how to embed them."""
_BOARD_TITLES = {
    "day": "The board of",
    "deal": "The board of a deal of",
    "week": "The board of",
    "month": "The board of",
}


def title_and_description(page: Page) -> tuple[str, str]:
    """Return the title of a page, and a sentence about it."""
    match page.name:
        case "rules":
            return _rules(page.parts["slug"])
        case "daily" if day := _day(page.parts["day"]):
            return day, f"The deals of {day}: the same cards for everybody, sealed days before."
        case "boards":
            return _board(page.parts["board"]), "The results on this board."
    return _TITLES.get(page.name, SITE_NAME), DESCRIPTION


def head_lines(page: Page, origin: str, path: str, site_name: str = SITE_NAME) -> str:
    """Return the lines of the HTML head that depend on the URL: titles and previews.

    `origin` and `path` together are the public URL. `site_name` is the name of the server.
    """
    title, about = title_and_description(page)
    title = site_name if title == SITE_NAME else title
    full = title if title == site_name else f"{title} · {site_name}"
    width, height = PREVIEW_IMAGE_SIZE
    properties = {
        "og:site_name": site_name,
        "og:type": "website",
        "og:title": title,
        "og:description": about,
        "og:image": f"{origin}{PREVIEW_IMAGE}",
        "og:image:width": str(width),
        "og:image:height": str(height),
        "og:image:alt": "A fan of playing cards, face down",
    }
    lines = [f"<title>{escape(full)}</title>", _meta("name", "description", about)]
    if page.name not in _NOT_FOR_ALL:
        properties["og:url"] = f"{origin}{path}"
        lines.append(f'<link rel="canonical" href="{escape(properties["og:url"])}">')
    lines += [_meta("property", name, content) for name, content in properties.items()]
    lines.append(_meta("name", "twitter:card", "summary_large_image"))
    if page.name == "home":
        lines += _discovery_lines(origin, site_name)
    if page.name in _WITH_OEMBED:
        lines.append(
            _alternate("application/json+oembed", title, f"{origin}/oembed?url={quote(origin + path, safe='')}")
        )
    return "\n  ".join(lines)


def _discovery_lines(origin: str, site_name: str) -> list[str]:
    """Return the lines for discovering the feeds and the oEmbed card."""
    links = (
        ("application/atom+xml", f"{origin}/feeds/days.atom"),
        ("application/atom+xml", f"{origin}/feeds/house.atom"),
        ("text/calendar", f"{origin}/feeds/days.ics"),
        ("application/atom+xml", f"{origin}/feeds/evenings.atom"),
        ("text/calendar", f"{origin}/feeds/evenings.ics"),
        ("application/json+oembed", f"{origin}/oembed?url={quote(origin, safe='')}%2F"),
    )
    return [_alternate(kind, site_name, to) for kind, to in links]


def _alternate(kind: str, title: str, to: str) -> str:
    return f'<link rel="alternate" type="{kind}" title="{escape(title)}" href="{escape(to)}">'


def _meta(key: str, name: str, content: str) -> str:
    return f'<meta {key}="{name}" content="{escape(content)}">'


def _rules(slug: str) -> tuple[str, str]:
    try:
        rules = game(slug)
    except UnknownGame:
        return _TITLES["games"], DESCRIPTION
    return rules.name, rules.summary


def _board(name: str) -> str:
    if name == "today":
        return "The board of the day"
    kind, _, about = name.rpartition(":")
    if kind == "game":
        title, _ = _rules(about)
        return f"The board of {title}" if title != _TITLES["games"] else "Boards"
    day = _day(about) if kind in ("", "day", "deal") else None
    return f"{_BOARD_TITLES[kind or 'day']} {day}" if day else "Boards"


def _day(text: str) -> str | None:
    """Return a day in words, like "20 November 2026"; None if the text is no day."""
    try:
        day = date.fromisoformat(text) if len(text) == len("2026-11-20") else None
    except ValueError:
        day = None
    return f"{day.day} {day:%B} {day.year}" if day else None
