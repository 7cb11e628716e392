"""Pages of a day in a browser whose clock is days off, and pages that are left open over midnight."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from cadogan.server.core import dates
from tests.e2e.club import FIRST_DAY, Clubs
from tests.e2e.person import Person
from tests.harness.chromium import DESKTOP, PHONE

DAY = 24 * 3_600_000
CARD = {"gentle": "klondike"}


@pytest.mark.browser
@pytest.mark.parametrize("wrong", [3 * DAY, -3 * DAY])
async def test_a_device_whose_clock_is_days_off_is_offered_todays_deals(
    browser: Browser, clubs: Clubs, wrong: int
) -> None:
    club = await clubs(CARD)
    person = await Person.at(browser, club.url, DESKTOP, club.clock.ahead + wrong)
    await expect(person.page.get_by_text("You can start for another")).to_be_visible()
    await person.go(f"daily/{FIRST_DAY}")
    await expect(person.page.get_by_role("button", name="Play: Canfield or Klondike")).to_be_visible()
    await person.go("calendar")
    await expect(person.page.locator(".day.today .number")).to_have_text(str(int(FIRST_DAY[-2:])))
    await person.go("board/today")
    await expect(person.page.get_by_role("heading", level=1)).to_contain_text("20 November")


@pytest.mark.browser
async def test_a_page_left_open_over_midnight_offers_the_new_days_deals(browser: Browser, clubs: Clubs) -> None:
    club = await clubs(CARD)
    person = await club.visitor(browser, PHONE)
    await expect(person.page.get_by_text("20 November").first).to_be_visible()
    next_day = dates.day_times("2026-11-21", 0).opens_at + 60_000
    turned = next_day - club.clock()
    club.clock.turn_to(next_day)
    # The device has slept over midnight, and is taken in hand again.
    await person.page.evaluate("(by) => { const now = Date.now; Date.now = () => now() + by; }", turned)
    await person.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await expect(person.page.get_by_text("21 November").first).to_be_visible()
    await person.begin_daily("Canfield or Klondike")
