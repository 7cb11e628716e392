"""The device of a session, from the `User-Agent` header: a browser and a system, like "Firefox" on "Linux".

Only these two words are stored, never the whole header, which could identify a browser.
"""

from typing import NamedTuple

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)
"""Substrings with names, searched in this order, because a `User-Agent` also has the names of related browsers."""


class Device(NamedTuple):
    """A browser and its operating system; None for an unknown one, as for a program."""

    browser: str | None
    system: str | None


def read_device(user_agent: str) -> Device:
    """Return the device from a `User-Agent` header.

    >>> read_device("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    Device(browser='Firefox', system='Linux')
    """
    if not user_agent.startswith("Mozilla/"):
        return Device(None, None)
    return Device(_first(_BROWSERS, user_agent), _first(_SYSTEMS, user_agent))


def _first(known: tuple[tuple[str, str], ...], user_agent: str) -> str | None:
    return next((name for mark, name in known if mark in user_agent), None)
