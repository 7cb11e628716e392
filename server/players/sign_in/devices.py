"""The device of a session, told plainly by what its browser says of itself: "Firefox" on "Linux".

Only these two words are stored, never the whole text, which tells browsers apart.
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
"""What is looked for in this order, and how it is called: browsers name those that they are made from, too."""


class Device(NamedTuple):
    """A browser and the system that it runs on; None for what is not known, as for a program."""

    browser: str | None
    system: str | None


def read_device(user_agent: str) -> Device:
    """Return the device of somebody who sends this header `User-Agent`.

    >>> read_device("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    Device(browser='Firefox', system='Linux')
    """
    if not user_agent.startswith("Mozilla/"):
        return Device(None, None)
    return Device(_first(_BROWSERS, user_agent), _first(_SYSTEMS, user_agent))


def _first(known: tuple[tuple[str, str], ...], user_agent: str) -> str | None:
    return next((name for mark, name in known if mark in user_agent), None)
