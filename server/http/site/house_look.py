"""Branding: writes the server's name, crest, colours and announcement into a page."""

from html import escape
from typing import Any, NamedTuple

from cadogan.server.house.look.profile import House
from cadogan.wire.house_profile import HouseColours

_BRAND = '<a class="brand" href="/">Cadogan</a>'
_ANNOUNCEMENT = "<!-- The server puts the announcement of the house here. -->"
_BAR_COLOUR = '<meta name="theme-color" content="#17382c">'


class StyleSheet(NamedTuple):
    """The colours as a style sheet, and its URL, which contains them, so that any node can serve it."""

    text: str
    path: str


def style_sheet(colours: HouseColours) -> StyleSheet:
    """Return the style sheet of these colours."""
    text = f":root{{--bar:{colours.bar};--accent:light-dark({colours.accent},{colours.accent_dark})}}\n"
    name = "-".join(colour.removeprefix("#") for colour in (colours.bar, colours.accent, colours.accent_dark))
    return StyleSheet(text, f"/look/{name}.css")


def served_about(house: House) -> dict[str, Any]:
    """Return the branding for the scripts of a page; empty if no host has set any."""
    profile = house.profile
    branding = {"name": profile.name, "announcement": profile.announcement, "rules": bool(profile.rules.strip())}
    return {"house": branding} if any(branding.values()) else {}


def with_look(page: str, house: House) -> str:
    """Return a page with the server's name, crest, colours and announcement."""
    profile = house.profile
    if profile.name or house.crest:
        picture = f'<img src="/crest/{house.crest.digest}" alt="">' if house.crest else ""
        page = page.replace(_BRAND, f'<a class="brand" href="/">{picture}{escape(profile.name or "Cadogan")}</a>', 1)
    said = ""
    if profile.announcement:
        said = f'<aside id="announcement"><p>{escape(profile.announcement)}</p></aside>'
    page = page.replace(_ANNOUNCEMENT, said, 1)
    if profile.colours:
        sheet = style_sheet(profile.colours)
        page = page.replace(_BAR_COLOUR, _BAR_COLOUR.replace("#17382c", profile.colours.bar), 1)
        page = page.replace("</head>", f'  <link rel="stylesheet" href="{sheet.path}">\n</head>', 1)
    return page
