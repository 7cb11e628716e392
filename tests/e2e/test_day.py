"""A whole day in real browsers: played, watched live, ranked, and proved from the downloaded record."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import msgspec
import pytest
from aiohttp.test_utils import TestServer
from playwright.async_api import Browser, ViewportSize, expect

import engine
from server import calendar, days
from server.app import make_app
from server.calendar import Slot
from server.config import Settings
from tests.e2e.person import DESKTOP, PHONE, Person, choose
from tests.servers import COMMAND

FIRST_DAY = date(2026, 11, 20)
GRACE = 3600
HOUR = 3_600_000
MOST_MOVES = 120


@dataclass
class Clock:
    """The server's time, moved by hand; milliseconds since 1970."""

    now: int

    def __call__(self) -> int:
        return self.now


@dataclass
class Club:
    """A running server, and the hands of its clock."""

    url: str
    clock: Clock

    def begin_a_day_of(self, slug: str) -> tuple[str, Slot]:
        """Turns the clock to a day on whose card this game is, and returns the day and the deal."""
        day, slot = next(
            (day, slot)
            for day in ((FIRST_DAY + timedelta(ahead)).isoformat() for ahead in range(len(engine.slugs())))
            for slot in calendar.default().card(day)
            if slot.game == slug
        )
        self.clock.now = days.span(day, GRACE * 1000).opens_at + HOUR
        return day, slot

    def close(self, day: str) -> None:
        """Turns the clock to the moment at which the day, with its grace, is over."""
        self.clock.now = days.span(day, GRACE * 1000).closes_at


@pytest.fixture
async def club(sqlite_url: str) -> AsyncIterator[Club]:
    clock = Clock(days.span(FIRST_DAY.isoformat(), 0).opens_at)
    settings = Settings(database_url=sqlite_url, daily_grace=GRACE, fresh=0, rate=1000, burst=1000)
    server = TestServer(make_app(settings, now=clock))
    async with server:
        yield Club(str(server.make_url("/")), clock)


@pytest.mark.browser
@pytest.mark.parametrize(("slug", "viewport"), [("quatorze", DESKTOP), ("klondike", PHONE)], ids=["desktop", "phone"])
async def test_a_day_is_played_watched_ranked_and_proven(
    club: Club, browser: Browser, tmp_path: Path, slug: str, viewport: ViewportSize
) -> None:
    day, slot = club.begin_a_day_of(slug)
    name = engine.game(slug).name
    player = await Person.at(browser, club.url, viewport)
    await player.begin_daily(name)
    seen: Counter[str] = Counter()
    await play(player, seen, most=5)

    watcher = await Person.at(browser, club.url, viewport)
    await may_not_see(watcher, player)
    await watcher.page.goto(club.url)
    await watcher.begin_daily(name)
    await watcher.resign()
    await watcher.page.goto(club.url)
    await watcher.page.get_by_role("group", name="Which deal").get_by_text(slot.level, exact=False).click()
    await watcher.page.locator(f'.meters a[href="/watch/{player.game}"]').click()
    await sees_what(watcher, player)
    await play(player, seen, most=5)
    await sees_what(watcher, player)
    await play(player, seen, most=MOST_MOVES)
    await end(player)
    await sees_what(watcher, player)

    await player.page.get_by_role("dialog").get_by_role("link", name="Board").click()
    rows = player.page.locator(".ranking tbody tr")
    await expect(rows).to_have_count(2)
    await expect(rows.filter(has_text="(you)")).to_have_count(1)

    await player.page.goto(f"{club.url}replay/{player.game}")
    await expect(player.page.get_by_role("button", name="Last position")).to_be_visible()
    await expect(player.page.get_by_role("link", name="Download the record")).to_have_count(0)
    club.close(day)
    record = await download(player, tmp_path)
    prove_and_refute(record)


async def play(player: Person, seen: Counter[str], most: int) -> None:
    """Plays until the game is over, or so many moves are played."""
    for _ in range(most):
        if player.status != "playing" or not player.legal:
            return
        await player.play(choose(player.legal, seen))


async def end(player: Person) -> None:
    """Sees how the game ended, or ends it."""
    if player.status in ("playing", "stuck"):
        await player.resign()
    else:
        await player.sees_the_end(player.status.capitalize())


async def may_not_see(watcher: Person, player: Person) -> None:
    """Somebody who has yet to finish the day's deal sees how far the other is, and no card."""
    await watcher.page.goto(f"{watcher.url}watch/{player.game}")
    await expect(watcher.page.get_by_text("The board stays covered for now.")).to_be_visible()
    await expect(watcher.page.locator(".meters")).to_contain_text(f"{player.moves} moves")
    await expect(watcher.page.locator("[data-pile]")).to_have_count(0)


async def sees_what(watcher: Person, player: Person) -> None:
    """The watcher's page shows the same piles as the player's."""
    await watcher.shows_moves(player.moves)
    assert await watcher.board() == await player.board()


async def download(player: Person, folder: Path) -> Path:
    """The record, by the link on the page of the game."""
    await player.page.reload()
    async with player.page.expect_download() as started:
        await player.page.get_by_role("link", name="Download the record").click()
    path = folder / "record.json"
    await (await started.value).save_as(path)
    return path


def prove_and_refute(record: Path) -> None:
    """The record is accepted, and refused with one byte changed, naming the event."""
    assert verify(record).returncode == 0, verify(record).stdout
    whole = record.read_bytes()
    events = msgspec.json.decode(whole)["events"]
    digest = events[len(events) // 2]["hash"].encode()
    changed = digest[:-1] + (b"0" if digest[-1:] != b"0" else b"1")
    record.write_bytes(whole.replace(digest, changed))
    refused = verify(record)
    assert refused.returncode == 1
    assert f"event {len(events) // 2 + 1}:" in refused.stdout


def verify(record: Path) -> subprocess.CompletedProcess[str]:
    """What `cadogan verify` says."""
    return subprocess.run([COMMAND, "verify", str(record)], capture_output=True, text=True)
