"""Feeds: the closed days with their first places as Atom (RFC 4287), the announced days as iCalendar (RFC 5545)."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from html import escape
from typing import NamedTuple
from xml.etree import ElementTree

from icalendar import Calendar, Event, vText

ATOM = "http://www.w3.org/2005/Atom"
_NOT_XML = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF, *range(0xD800, 0xE000)])
"""Characters that an XML document cannot contain."""


class FeedDay(NamedTuple):
    """A day in a feed. `games` are names; `places` have rank, name and points. Times are in milliseconds since 1970."""

    day: str
    opens_at: int
    ends_at: int
    closes_at: int
    games: Sequence[str]
    places: Sequence[tuple[int, str, int]] = ()


class FeedEntry(NamedTuple):
    """An entry of a feed: its address is its permanent id, `link` its subject, and `content` HTML."""

    title: str
    address: str
    link: str
    at: int
    content: str


def day_entry(origin: str, day: FeedDay) -> FeedEntry:
    """Return the entry of a closed day: its games, and its first places."""
    rows = "".join(f'<li value="{rank}">{escape(name)} ({points})</li>' for rank, name, points in day.places)
    content = f"<ol>{rows}</ol>" if rows else "<p>–</p>"
    title = f"{day.day}: {', '.join(day.games)}"
    return FeedEntry(title, f"{origin}/daily/{day.day}", f"{origin}/board/{day.day}", day.closes_at, content)


def atom(house: str, origin: str, path: str, entries: Sequence[FeedEntry], language: str | None = None) -> bytes:
    """Return an Atom feed with these entries, the latest first. `path` is the feed's path on the server."""
    ElementTree.register_namespace("", ATOM)
    feed = ElementTree.Element(f"{{{ATOM}}}feed")
    if language:
        feed.set("{http://www.w3.org/XML/1998/namespace}lang", language)
    _add(feed, "title", house)
    _add(feed, "id", f"{origin}{path}")
    _add(feed, "updated", _moment(max((one.at for one in entries), default=0)))
    _add(feed, "link", rel="self", type="application/atom+xml", href=f"{origin}{path}")
    _add(feed, "link", rel="alternate", type="text/html", href=f"{origin}/")
    _add(_add(feed, "author"), "name", house)
    for one in entries:
        entry = _add(feed, "entry")
        _add(entry, "title", one.title)
        _add(entry, "id", one.address)
        _add(entry, "published", _moment(one.at))
        _add(entry, "updated", _moment(one.at))
        _add(entry, "link", rel="alternate", type="text/html", href=one.link)
        _add(entry, "content", one.content, type="html")
    written: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return written


def calendar(house: str, origin: str, host: str, days: Iterable[FeedDay]) -> bytes:
    """Return the days as iCalendar events, from opening to end. `host` is a part of the events' ids."""
    name = vText(_printable(house))
    written = Calendar()
    written.add("VERSION", "2.0")
    written.add("PRODID", "-//Cadogan//Days//EN")
    written.add("METHOD", "PUBLISH")
    written.add("NAME", name)
    written.add("X-WR-CALNAME", name)
    written.add("REFRESH-INTERVAL", timedelta(hours=6), {"VALUE": "DURATION"})
    for day in days:
        event = Event()
        event.add("UID", f"day-{day.day}@{host}")
        event.add("DTSTAMP", _utc(day.opens_at))
        event.add("DTSTART", _utc(day.opens_at))
        event.add("DTEND", _utc(day.ends_at))
        event.add("SUMMARY", _printable(f"{house}: {', '.join(day.games)}"))
        event.add("URL", f"{origin}/daily/{day.day}")
        event.add("TRANSP", "TRANSPARENT")
        written.add_component(event)
    return bytes(written.to_ical())


def _add(parent: ElementTree.Element, name: str, text: str | None = None, **attributes: str) -> ElementTree.Element:
    made = ElementTree.SubElement(parent, f"{{{ATOM}}}{name}", attributes)
    made.text = None if text is None else text.translate(_NOT_XML)
    return made


def _moment(at: int) -> str:
    return _utc(at).isoformat().replace("+00:00", "Z")


def _utc(at: int) -> datetime:
    return datetime.fromtimestamp(at // 1000, UTC)


def _printable(text: str) -> str:
    return "".join(filter(str.isprintable, text))
