"""Feeds, the calendar and the card: what programs of others read, what they never tell, and who may frame what."""

import json
import re
from calendar import timegm
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import feedparser
import icalendar
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from multidict import CIMultiDictProxy

from cadogan.engine.rule_pages import read_rule_page
from cadogan.server.core import dates
from cadogan.server.core.fairness.certificates import find_certificate
from cadogan.server.core.fairness.sealed_deals import StoredCertificates
from cadogan.server.core.words import words_in
from cadogan.server.http.routes import ROUTES
from cadogan.server.subjects.daily.challenges import DAYS_AHEAD
from cadogan.server.subjects.daily.days import SETTLE_MILLISECONDS
from cadogan.server.subjects.news import items
from cadogan.server.subjects.news.items import ATOM, FeedDay, atom, day_entry
from tests.harness.daily_actions import play_and_resign
from tests.harness.hosts import player, with_role
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server

TODAY = "2026-11-20"
SPAN = dates.day_times(TODAY, TEST_SETTINGS.daily_grace * 1000)


async def read(running_server: RunningServer, path: str, **headers: str) -> tuple[int, CIMultiDictProxy[str], bytes]:
    """What is at an address: status, headers, body."""
    async with running_server.session.get(running_server.url + path, headers=headers) as response:
        return response.status, response.headers, await response.read()


def events_of(body: bytes) -> list[Any]:
    """The events of a calendar, as a library reads them."""
    return [*icalendar.Calendar.from_ical(body).walk("VEVENT")]


def moments(parsed: Any) -> int:
    """A time as the reader of feeds has understood it, in milliseconds."""
    return timegm(parsed) * 1000


async def test_feeds_name_the_games_in_the_language_that_is_asked_for(sqlite_server: RunningServer) -> None:
    await sqlite_server.session.get(f"{sqlite_server.url}/api/v1/dailies")
    sqlite_server.clock.at = SPAN.closes_at + SETTLE_MILLISECONDS
    for path in ("/feeds/days.atom", "/feeds/days.ics"):
        _, _, english = await read(sqlite_server, path)
        _, _, hungarian = await read(sqlite_server, f"{path}?language=hu")
        assert english != hungarian
        assert (await read(sqlite_server, f"{path}?language=nothing"))[2].replace(b"?language=en", b"") == english
    parsed = feedparser.parse((await read(sqlite_server, "/feeds/days.atom?language=hu"))[2])
    day = (await sqlite_server.stranger().get(f"/dailies/{TODAY}"))[1]
    names = [read_rule_page(deal["rules"], "hu").name for deal in day["deals"]]
    assert parsed.entries[0].title == f"{TODAY}: {', '.join(names)}"
    assert (parsed.feed.language, parsed.feed.links[0].href.endswith("/feeds/days.atom?language=hu")) == ("hu", True)


async def test_the_feed_has_the_closed_days_with_their_first_places_and_no_other(running_server: RunningServer) -> None:
    host, bob = await with_role(running_server, "Ada", "host"), await player(running_server, "Bob & Co")
    await host.ask("PUT", "/house/profile", {"name": "The <Thursday> Club"})
    await play_and_resign(bob, await bob.enter(), moves=1)
    status, headers, body = await read(running_server, "/feeds/days.atom")
    assert (status, headers["Content-Type"]) == (200, "application/atom+xml; charset=utf-8")
    assert feedparser.parse(body).entries == []
    assert b"Bob" not in body
    running_server.clock.at = SPAN.closes_at + SETTLE_MILLISECONDS
    _, _, body = await read(running_server, "/feeds/days.atom")
    found = feedparser.parse(body)
    assert not found.bozo
    assert found.feed.title_detail.value == "The <Thursday> Club"
    (entry,) = found.entries
    assert entry.id == f"{running_server.url}/daily/{TODAY}"
    assert entry.link == f"{running_server.url}/board/{TODAY}"
    assert moments(entry.updated_parsed) == SPAN.closes_at
    assert "Bob &amp; Co" in entry.content[0].value


async def test_the_feed_of_the_house_has_what_is_announced_and_since_when(running_server: RunningServer) -> None:
    host = await with_role(running_server, "Ada", "host")
    assert feedparser.parse((await read(running_server, "/feeds/house.atom"))[2]).entries == []
    said_at = running_server.clock.at
    await host.ask("PUT", "/house/profile", {"announcement": "Closed & <locked>"})
    running_server.clock.at += 60_000
    await host.ask("PUT", "/house/profile", {"announcement": "Closed & <locked>", "name": "The club"})
    (entry,) = feedparser.parse((await read(running_server, "/feeds/house.atom"))[2]).entries
    assert entry.title_detail.value == "Closed & <locked>"
    assert moments(entry.updated_parsed) == said_at
    await host.ask("PUT", "/house/profile", {"announcement": "Open again"})
    (other,) = feedparser.parse((await read(running_server, "/feeds/house.atom"))[2]).entries
    assert other.id != entry.id
    await host.ask("PUT", "/house/profile", {})
    assert feedparser.parse((await read(running_server, "/feeds/house.atom"))[2]).entries == []


async def test_the_calendar_has_today_and_the_announced_days(running_server: RunningServer) -> None:
    status, headers, body = await read(running_server, "/feeds/days.ics")
    assert (status, headers["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    events = events_of(body)
    assert [event["DTSTART"].dt.date().isoformat() for event in events] == [
        dates.add_days(TODAY, ahead) for ahead in range(DAYS_AHEAD + 1)
    ]
    assert int(events[0]["DTSTART"].dt.timestamp() * 1000) == SPAN.opens_at
    assert int(events[0]["DTEND"].dt.timestamp() * 1000) == SPAN.ends_at
    assert len({event["UID"] for event in events}) == len(events)


async def test_the_calendar_says_which_deals_are_certified_and_which_will_be(sqlite_url: str, tmp_path: Path) -> None:
    card = tmp_path / "calendar.toml"
    card.write_text(
        'nodes = 30\n[[deal]]\nlevel = "easy"\ngames = ["nestor"]\ncertified = true\n'
        '[[deal]]\nlevel = "hard"\ngames = ["maze"]\ncertified = false\n'
    )
    async with open_server(replace(TEST_SETTINGS, database_url=sqlite_url, calendar=str(card))) as running:
        assert await summaries(running) == [
            "Cadogan: Nestor, Maze",  # today has begun, and nobody has searched it
            *["Cadogan: Nestor (to be certified), Maze"] * DAYS_AHEAD,
        ]
        server = running.server
        tomorrow = await server.challenges.get(dates.add_days(TODAY, 1), running.clock.at)
        assert tomorrow is not None
        certificate = find_certificate(tomorrow.announced[0], tomorrow.sealed.secret)
        assert certificate is not None
        await StoredCertificates(server.database).add(certificate.deal, certificate, running.clock.at)
        assert (await summaries(running))[
            1
        ] == "Cadogan: Nestor (to be certified), Maze"  # no one is told before the day
        running.clock.at += dates.MILLISECONDS_PER_DAY
        assert (await summaries(running))[0] == "Cadogan: Nestor (certified), Maze"
        in_german = words_in("de").news.certified.format(game=read_rule_page("nestor", "de").name)
        assert in_german in (await summaries(running, "?language=de"))[0]


async def summaries(running: RunningServer, query: str = "") -> list[str]:
    """What the events of the calendar of days are called, the first day first."""
    _, _, body = await read(running, f"/feeds/days.ics{query}")
    return [str(event["SUMMARY"]) for event in events_of(body)]


async def test_what_has_not_changed_is_not_sent_again(sqlite_server: RunningServer) -> None:
    for path in ("/feeds/days.atom", "/feeds/days.ics", "/embed/today"):
        _, headers, _ = await read(sqlite_server, path)
        status, _, body = await read(sqlite_server, path, **{"If-None-Match": headers["ETag"]})
        assert (status, body) == (304, b"")


TEXTS = st.text(max_size=60)
DAYS = st.builds(
    FeedDay,
    day=st.dates().map(str),
    opens_at=st.integers(0, 4_000_000_000_000),
    ends_at=st.integers(0, 4_000_000_000_000),
    closes_at=st.integers(0, 4_000_000_000_000),
    games=st.lists(TEXTS, max_size=9),
    places=st.lists(st.tuples(st.integers(1, 10), TEXTS, st.integers(0, 9999)), max_size=10),
)


@pytest.mark.slow
@given(TEXTS, st.lists(DAYS, max_size=4))
def test_a_feed_has_what_the_standard_asks_for_whatever_names_are(house: str, days: list[FeedDay]) -> None:
    entries = [day_entry("https://club.example", day) for day in days]
    feed = ElementTree.fromstring(atom(house, "https://club.example", "/feeds/days.atom", entries))
    assert feed.tag == f"{{{ATOM}}}feed"
    for part in (feed, *feed.findall(f"{{{ATOM}}}entry")):
        for name in ("id", "title", "updated"):
            (one,) = part.findall(f"{{{ATOM}}}{name}")
            if name == "updated":
                assert datetime.fromisoformat(one.text or "").tzinfo is not None
    assert len(feed.findall(f"{{{ATOM}}}entry")) == len(days)
    assert feed.find(f"{{{ATOM}}}author/{{{ATOM}}}name") is not None


@pytest.mark.slow
@settings(max_examples=30)
@given(TEXTS, st.lists(DAYS, max_size=4))
def test_a_calendar_is_read_as_it_was_written_whatever_names_are(house: str, days: list[FeedDay]) -> None:
    written = items.calendar(house, "https://club.example", "club.example", days)
    assert all(len(line) <= 75 for line in written.split(b"\r\n"))
    assert f"\r\nNAME:{escaped(house)}\r\n".encode() in written.replace(b"\r\n ", b"")
    events = events_of(written)
    assert len(events) == len(days)
    for event, day in zip(events, days, strict=True):
        assert str(event["SUMMARY"]) == printable(f"{house}: {', '.join(day.games)}")


def printable(text: str) -> str:
    """A text as a calendar may hold it."""
    return "".join(letter for letter in text if letter.isprintable())


def escaped(text: str) -> str:
    """A text as it is written in a calendar."""
    return re.sub(r"([\\;,])", r"\\\1", printable(text))


async def test_the_card_may_be_framed_and_nothing_else_may(sqlite_server: RunningServer) -> None:
    host = await with_role(sqlite_server, "Ada", "host")
    await host.ask("PUT", "/house/profile", {"name": "<b>Club</b>"})
    status, headers, body = await read(sqlite_server, "/embed/today")
    assert status == 200
    policy = headers["Content-Security-Policy"]
    assert "frame-ancestors *" in policy
    assert "script-src" not in policy
    assert "default-src 'none'" in policy
    text = body.decode()
    assert "&lt;b&gt;Club&lt;/b&gt;" in text
    assert "<script" not in text
    assert TODAY in text
    paths = {route.path for route in ROUTES if route.method == "GET" and "{" not in route.path} - {"/embed/today"}
    for path in (*paths, "/", "/embed/tomorrow", "/embed/today/", "/embed.html", "/house"):
        _, headers, _ = await read(sqlite_server, path)
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"], path


async def test_the_card_speaks_the_language_of_who_sees_it(sqlite_server: RunningServer) -> None:
    _, headers, body = await read(sqlite_server, "/embed/today", **{"Accept-Language": "de"})
    assert '<html lang="de">' in body.decode()
    assert "Accept-Language" in headers["Vary"]


async def test_a_program_finds_how_to_embed_the_card(sqlite_server: RunningServer) -> None:
    _, _, body = await read(sqlite_server, "/")
    (asked,) = re.findall(r'<link rel="alternate" type="application/json\+oembed" [^>]*href="([^"]+)"', body.decode())
    status, _, answer = await read(sqlite_server, asked.removeprefix(sqlite_server.url) + "&maxwidth=300")
    found = json.loads(answer)
    assert (status, found["version"], found["type"], found["width"]) == (200, "1.0", "rich", 300)
    (source,) = re.findall(r'<iframe src="([^"]+)"', found["html"])
    assert source == f"{sqlite_server.url}/embed/today"
    for path in ("/feeds/days.atom", "/feeds/house.atom", "/feeds/days.ics"):
        assert f'href="{sqlite_server.url}{path}"' in body.decode()
    assert b"oembed" not in (await read(sqlite_server, "/games"))[2]


@pytest.mark.parametrize("url", ["https://elsewhere.example/", "", "{own}/play/k3v7q2m5x4c6z2ab", "{own}/embed/other"])
async def test_only_the_first_page_and_the_card_can_be_embedded(sqlite_server: RunningServer, url: str) -> None:
    asked = quote(url.format(own=sqlite_server.url), safe="")
    assert (await read(sqlite_server, f"/oembed?url={asked}"))[0] == 404
    own = quote(f"{sqlite_server.url}/", safe="")
    assert (await read(sqlite_server, f"/oembed?url={own}&format=xml"))[0] == 400
