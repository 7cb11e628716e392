"""Link previews: the title, description and picture that are shown when somebody shares a URL.

They are built from the URL alone, without any stored data. A preview therefore cannot spoil a deal, and reveals neither
a score nor whether a game, race or person exists.
"""

from datetime import date
from html import escape
from urllib.parse import quote

from cadogan.engine import UnknownGame, game
from cadogan.server.http.site.module_preload import Page

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
    "calendar": "The calendar",
    "seal": "What the seal proves",
    "points": "How points are counted",
    "races": "Races",
    "race": "A race",
    "replays": "Replays of a race",
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
    "replay": "A game of solitaire, move by move",
    "compare": "Two runs of the same deal",
    "audit": "Check a record",
    "settings": "Settings",
    "provider": "Your account",
    "account": "Your account",
}
_NOT_FOR_ALL = ("join", "claim", "access", "invited", "mail", "digest", "provider", "missing")
"""Pages whose URL is not included in the preview, because the link is for one person only."""
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
    return "\n  ".join(lines)


def _discovery_lines(origin: str, site_name: str) -> list[str]:
    """Return the lines for discovering the feeds and the oEmbed card."""
    links = (
        ("application/atom+xml", f"{origin}/feeds/days.atom"),
        ("application/atom+xml", f"{origin}/feeds/house.atom"),
        ("text/calendar", f"{origin}/feeds/days.ics"),
        ("application/json+oembed", f"{origin}/oembed?url={quote(origin, safe='')}%2F"),
    )
    return [
        f'<link rel="alternate" type="{kind}" title="{escape(site_name)}" href="{escape(to)}">' for kind, to in links
    ]


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
