"""The first visit on a slow line: few requests, something to see early, and a sign that the rest is coming."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from playwright.async_api import Browser, CDPSession, Page, Route, expect

from cadogan.server.http.site.client_files import LIBRARY, has_bundle
from deploy.bundle import CLIENT
from tests.e2e.club import Clubs
from tests.harness import databases
from tests.harness.chromium import PHONE

CARD = {"gentle": "quatorze", "stern": "klondike"}
LATENCY_MILLISECONDS = 400
BYTES_PER_SECOND = 1_600_000 / 8
SECOND_GENERATION = (800, 250_000 / 8)
"""Latency in milliseconds and bytes per second of a phone on EDGE."""
MOST_REQUESTS = 10
LARGEST = 200_000
"""Bytes that the first page may bring from the network, all told."""


class SlowLine:
    """What a page asks for over a line of 400 ms and 1.6 Mbit/s: addresses and bytes."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.bytes = 0

    @classmethod
    async def of(cls, page: Page) -> SlowLine:
        """The line of this page from now on."""
        line, session = cls(), await page.context.new_cdp_session(page)
        session.on("Network.requestWillBeSent", lambda event: line.asked.append(event["request"]["url"]))
        session.on("Network.webSocketCreated", lambda event: line.asked.append(event["url"]))
        session.on("Network.loadingFinished", line._count)
        await slow_down(session)
        return line

    def _count(self, event: dict[str, Any]) -> None:
        self.bytes += event["encodedDataLength"]


async def slow_down(
    session: CDPSession, latency: int = LATENCY_MILLISECONDS, bytes_per_second: float = BYTES_PER_SECOND
) -> None:
    """Let everything that a page asks for come slowly from now on."""
    await session.send("Network.enable")
    await session.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": latency,
            "downloadThroughput": bytes_per_second,
            "uploadThroughput": bytes_per_second,
        },
    )


@pytest.fixture
def bundled() -> None:
    """Skips the test where the client could not be bundled, or fails it where everything must run."""
    if not has_bundle(CLIENT):
        leave_out = pytest.fail if databases.REQUIRED else pytest.skip
        leave_out("needs the bundler: `make test` brings it where a package manager can")


@pytest.mark.browser
@pytest.mark.usefixtures("bundled")
async def test_a_first_visit_needs_few_requests_and_shows_at_once_that_the_page_is_coming(
    clubs: Clubs, browser: Browser
) -> None:
    club = await clubs(CARD)
    page = await (await browser.new_context(viewport=PHONE)).new_page()
    line = await SlowLine.of(page)
    may_run = asyncio.Event()

    async def hold(route: Route) -> None:
        await may_run.wait()
        await route.continue_()

    await page.route("**/main.js", hold)

    await page.goto(club.url, wait_until="commit")
    await expect(page.get_by_role("status").filter(has_text="Loading…")).to_be_visible()
    await expect(page.get_by_role("link", name="Calendar")).to_be_visible()

    may_run.set()
    play = page.get_by_role("button", name="Play: Quatorze")
    await expect(play).to_be_visible()
    await expect(page.get_by_text("Loading…")).to_be_hidden()
    await page.wait_for_load_state("networkidle")
    first = len(line.asked)
    assert 5 <= first <= MOST_REQUESTS, line.asked
    assert len(set(line.asked)) == first
    assert 20_000 < line.bytes < LARGEST

    await play.click()
    await page.get_by_role("dialog").get_by_role("button", name="Play the deal of the day").click()
    await page.wait_for_url("**/play/*")
    await expect(page.locator(".felt .card").first).to_be_visible()
    await page.wait_for_load_state("networkidle")
    assert 0 < len(line.asked) - first <= MOST_REQUESTS, line.asked[first:]
    assert not any(address.endswith(LIBRARY) for address in line.asked), "only who verifies a beacon needs it"


@pytest.mark.browser
@pytest.mark.usefixtures("bundled")
async def test_the_first_cards_come_over_2g_to_somebody_who_saves_data(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    context = await browser.new_context(viewport=PHONE, extra_http_headers={"Save-Data": "on"})
    page = await context.new_page()
    await slow_down(await context.new_cdp_session(page), *SECOND_GENERATION)
    await page.goto(club.url, wait_until="commit")
    await page.get_by_role("button", name="Play: Quatorze").click()
    await page.get_by_role("dialog").get_by_role("button", name="Play the deal of the day").click()
    await expect(page.locator(".felt .card").first).to_be_visible()


@pytest.mark.browser
async def test_for_development_the_modules_are_served_as_they_are(
    clubs: Clubs, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.http.site.client_files.current_digest", lambda: None)
    club = await clubs(CARD)
    person = await club.visitor(browser, PHONE)
    names = await person.page.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)"
    )
    scripts = [name for name in names if name.endswith(".js")]
    assert {"/js/main.js", "/js/pages/daily/home.js"} <= set(scripts)
    assert len(scripts) == len(set(scripts))
    await person.begin_daily("Quatorze")
