"""News items: one thing that has happened, in words of a language; and the feeds of days (Atom, iCalendar)."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from html import escape
from typing import Any, Literal, NamedTuple
from xml.etree import ElementTree

from icalendar import Calendar, Event, vText
from msgspec import Struct, to_builtins

from cadogan.engine import UnknownGame
from cadogan.engine.rule_pages import read_rule_page
from cadogan.server.core.words import words_in
from cadogan.wire.reviews import DayReview
from cadogan.wire.webhooks import Topic

Kind = Topic | Literal["test"]


class Place(Struct, frozen=True):
    """A place on the board of a day, in a race or an evening.

    `figure` is the points, the cards home, or hundredths of a per cent (with places as scoring, of a place).
    """

    rank: int
    player: str
    figure: int


class DealFigures(Struct, frozen=True):
    """How a deal of a closed day was won and lost. `first` and `last` are the moves between which most lost it.

    They are 0 where that is not known.
    """

    game: str
    runs: int
    won: int
    first: int = 0
    last: int = 0


class Item(Struct, frozen=True):
    """A news item. `about` is a day, or the id of a race, an evening or a report; `games` are slugs, `players` ids.

    A report has its `reason` and the id of its `run`, if any; `count` is the number of findings. `deals` are those of a
    review. An evening has its `title`, and after it the `unit` of its figures in texts.
    """

    kind: Kind
    about: str
    at: int
    games: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    reason: str = ""
    run: str = ""
    count: int = 0
    deals: tuple[DealFigures, ...] = ()
    title: str = ""
    unit: str = ""

    @property
    def id(self) -> str:
        """The item's id, the same on every node, so that it is sent only once."""
        return f"{self.kind}/{self.about}"


class RenderedItem(NamedTuple):
    """An item with names: a text for people, and the data for programs."""

    text: str
    data: dict[str, Any]


def render_item(item: Item, names: dict[str, str], site_name: str, origin: str, language: str) -> RenderedItem:
    """Return an item with names. `names` are the players' names by id; `origin` is the base of the server's URLs.

    The text is in the language of this tag; the data does not depend on the language.
    """
    words = words_in(language).news
    said = {"house": site_name, "day": item.about, "games": ", ".join(game_name(slug, language) for slug in item.games)}
    places = [{"rank": one.rank, "player": names[one.player], "figure": one.figure} for one in item.places]
    data: dict[str, Any] = {"house": site_name}
    match item.kind:
        case "day_opened":
            url = f"{origin}/daily/{item.about}"
            data |= {"day": item.about, "games": list(item.games)}
            lines = [words.day_opened.format(**said)]
        case "day_closed":
            url = f"{origin}/board/{item.about}"
            data |= {"day": item.about, "games": list(item.games), "top": places}
            lines = [words.day_closed.format(**said), *_lines(places, words.points)]
        case "day_reviewed":
            url = f"{origin}/review/{item.about}"
            deals = [to_builtins(deal) for deal in item.deals]
            data |= {"day": item.about, "games": list(item.games), "deals": deals}
            lines = [words.day_reviewed.format(**said), *review_lines(item.deals, language)]
        case "race_started":
            url = f"{origin}/race/{item.about}"
            players = [names[player] for player in item.players]
            data |= {"race": item.about, "games": list(item.games), "players": players}
            lines = [words.race_started.format(**said, players=", ".join(players))]
        case "race_ended":
            url = f"{origin}/race/{item.about}"
            data |= {"race": item.about, "games": list(item.games), "results": places}
            lines = [words.race_ended.format(**said), *_lines(places, words.cards_home)]
        case "evening_started":
            url = f"{origin}/evenings/{item.about}"
            data |= {"evening": item.about, "title": item.title, "games": list(item.games)}
            lines = [words.evening_started.format(**said, title=item.title)]
        case "evening_ended":
            url = f"{origin}/evenings/{item.about}"
            data |= {"evening": item.about, "title": item.title, "results": places}
            rows = [f"{one.rank}. {place_words(one, names[one.player], item.unit)}" for one in item.places]
            lines = [words.evening_ended.format(**said, title=item.title), *rows]
        case "report_made":  # without the player's name: only moderators may see the subject of a report
            url = f"{origin}/house?part=reports"
            data |= {"report": item.about, "about": "run" if item.run else "player", "reason": item.reason}
            sentence = words.run_reported if item.run else words.player_reported
            lines = [sentence.format(**said, reason=words.reasons.get(item.reason, item.reason))]
        case "findings_made":
            url = f"{origin}/house?part=findings&day={item.about}"
            data |= {"day": item.about, "count": item.count}
            lines = [words.found[item.count != 1].format(**said, count=item.count)]
        case _:
            url = f"{origin}/"
            lines = [words.test.format(**said)]
    data["url"] = url
    data["at"] = datetime.fromtimestamp(item.at // 1000, UTC).isoformat().replace("+00:00", "Z")
    return RenderedItem("\n".join([*lines, url] if origin else lines), data)


def place_words(place: Place, name: str, unit: str) -> str:
    """Return a place of a standing for people, without its number.

    >>> place_words(Place(1, "aaaabbbbccccdddd", 5833), "Ada", " %")
    'Ada (58.33 %)'
    """
    return f"{name} ({place.figure / 100:.2f}{unit})"


def game_name(slug: str, language: str) -> str:
    """Return the name of a game in a language; its slug, if this version of the server does not have the game."""
    try:
        return read_rule_page(slug, language).name
    except UnknownGame:
        return slug


def figures_of(review: DayReview) -> tuple[DealFigures, ...]:
    """Return a review in a few lines: one for each deal that somebody has played."""
    return tuple(
        DealFigures(deal.rules, deal.runs, deal.won, *((lost.first, lost.last) if (lost := deal.losses) else ()))
        for deal in review.deals
        if deal.runs
    )


def review_lines(deals: Iterable[DealFigures], language: str) -> list[str]:
    """Return a line for each deal: how many won it, and between which moves most lost it."""
    words, lines = words_in(language).news, list[str]()
    for deal in deals:
        line = words.deal_won.format(game=game_name(deal.game, language), won=deal.won, runs=deal.runs)
        lines.append(f"{line} {words.deal_lost.format(first=deal.first, last=deal.last)}" if deal.first else line)
    return lines


def _lines(places: Sequence[dict[str, Any]], unit: str) -> list[str]:
    return [f"{one['rank']}. {one['player']} ({one['figure']} {unit})" for one in places]


ATOM = "http://www.w3.org/2005/Atom"
_NOT_XML = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF, *range(0xD800, 0xE000)])
"""Characters that an XML document cannot contain."""


class FeedDay(NamedTuple):
    """A day in a feed. `games` are names; `places` have rank, name and points; `review` are lines.

    Times are in milliseconds since 1970.
    """

    day: str
    opens_at: int
    ends_at: int
    closes_at: int
    games: Sequence[str]
    places: Sequence[tuple[int, str, int]] = ()
    review: Sequence[str] = ()


class FeedEntry(NamedTuple):
    """An entry of a feed: its address is its permanent id, `link` its subject, and `content` HTML."""

    title: str
    address: str
    link: str
    at: int
    content: str


def day_entry(origin: str, day: FeedDay) -> FeedEntry:
    """Return the entry of a closed day: its games, its first places, and how it was won and lost."""
    rows = "".join(f'<li value="{rank}">{escape(name)} ({points})</li>' for rank, name, points in day.places)
    content = f"<ol>{rows}</ol>" if rows else "<p>–</p>"
    if day.review:
        lines = "".join(f"<li>{escape(line)}</li>" for line in day.review)
        content += (
            f'<ul>{lines}</ul><p><a href="{escape(origin)}/review/{day.day}">{escape(origin)}/review/{day.day}</a></p>'
        )
    title = f"{day.day}: {', '.join(day.games)}"
    return FeedEntry(title, f"{origin}/daily/{day.day}", f"{origin}/board/{day.day}", day.closes_at, content)


def atom(site_name: str, origin: str, path: str, entries: Sequence[FeedEntry], language: str | None = None) -> bytes:
    """Return an Atom feed with these entries, the latest first. `path` is the feed's path on the server."""
    ElementTree.register_namespace("", ATOM)
    feed = ElementTree.Element(f"{{{ATOM}}}feed")
    if language:
        feed.set("{http://www.w3.org/XML/1998/namespace}lang", language)
    _add(feed, "title", site_name)
    _add(feed, "id", f"{origin}{path}")
    _add(feed, "updated", _moment(max((one.at for one in entries), default=0)))
    _add(feed, "link", rel="self", type="application/atom+xml", href=f"{origin}{path}")
    _add(feed, "link", rel="alternate", type="text/html", href=f"{origin}/")
    _add(_add(feed, "author"), "name", site_name)
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


class CalendarEvent(NamedTuple):
    """An event of a calendar: its permanent id, when it begins and ends, what it is called, and its address.

    Times are in milliseconds since 1970. `stamp` is when it was written down or last changed.
    """

    uid: str
    begins_at: int
    ends_at: int
    summary: str
    address: str
    stamp: int
    is_cancelled: bool = False


def calendar(site_name: str, origin: str, host: str, days: Iterable[FeedDay]) -> bytes:
    """Return the days as iCalendar events, from opening to end. `host` is a part of the events' ids."""
    found = (
        CalendarEvent(
            uid=f"day-{day.day}@{host}",
            begins_at=day.opens_at,
            ends_at=day.ends_at,
            summary=f"{site_name}: {', '.join(day.games)}",
            address=f"{origin}/daily/{day.day}",
            stamp=day.opens_at,
        )
        for day in days
    )
    return write_calendar(site_name, "Days", found)


def write_calendar(site_name: str, kind: str, found: Iterable[CalendarEvent]) -> bytes:
    """Return events as iCalendar (RFC 5545). `kind` names in English what they are."""
    name = vText(_printable(site_name))
    written = Calendar()
    written.add("VERSION", "2.0")
    written.add("PRODID", f"-//Cadogan//{kind}//EN")
    written.add("METHOD", "PUBLISH")
    written.add("NAME", name)
    written.add("X-WR-CALNAME", name)
    written.add("REFRESH-INTERVAL", timedelta(hours=6), {"VALUE": "DURATION"})
    for one in found:
        event = Event()
        event.add("UID", one.uid)
        event.add("DTSTAMP", _utc(one.stamp))
        event.add("DTSTART", _utc(one.begins_at))
        event.add("DTEND", _utc(one.ends_at))
        event.add("SUMMARY", _printable(one.summary))
        event.add("URL", one.address)
        event.add("TRANSP", "TRANSPARENT")
        if one.is_cancelled:
            event.add("STATUS", "CANCELLED")
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
