"""The page in another language: chosen once, spoken everywhere, and known wherever its owner signs in."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from tests.e2e.club import Clubs
from tests.e2e.person import Person
from tests.e2e.seated import Seated, seated
from tests.harness.chromium import DESKTOP, PHONE

__all__ = ["seated"]

OPENED = {"stock": ["-2D"], "tableau.0": ["7H"], "tableau.1": ["8S"], "tableau.3": ["KD"], "tableau.4": ["AS"]}
"""A Klondike in which the king of diamonds goes nowhere new."""
NAME, PASSWORD = "Ada", "eight red queens"
NARROW = ViewportSize(width=360, height=740)
BROKEN = """(all) => all.filter((one) => !one.textContent.includes(" ")
  && one.offsetHeight > 1.9 * parseFloat(getComputedStyle(one).lineHeight)).map((one) => one.textContent)"""
"""Which of these elements have a single word in more than one line."""


async def speaks(page: Page, tag: str) -> None:
    """Waits until the page is in this language."""
    await expect(page.locator("html")).to_have_attribute("lang", tag)


async def fill(page: Page, heading: str, name: str, password: str) -> None:
    """Fills in and sends the form with this heading."""
    form = page.locator("form", has=page.get_by_role("heading", name=heading))
    await form.locator("input[name=name]").fill(name)
    await form.locator("input[name=password]").fill(password)
    await form.get_by_role("button").click()


@pytest.mark.browser
async def test_german_once_chosen_is_spoken_everywhere_and_in_the_next_browser(
    seated: Seated, browser: Browser
) -> None:
    seat = await seated("klondike", OPENED)
    page = seat.page
    await seat.person.go("settings")
    async with page.expect_response(lambda answer: '"language":"de"' in (answer.request.post_data or "")):
        await page.get_by_label("Language of the page").select_option(label="Deutsch")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Einstellungen")
    await speaks(page, "de")

    await page.get_by_role("link", name="Heute").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Ein Blatt heute")

    await seat.person.go(f"play/{seat.game}")
    await expect(seat.pile("tableau.3")).to_have_attribute("aria-label", "Spalte 4, oberste Karte Karo-König")
    await seat.drag("tableau.3", "tableau.1")
    await expect(page.locator(".said")).to_have_text("Karo-König passt nicht auf Pik-Acht in Spalte 2")

    await seat.person.go("account")
    await fill(page, "Konto anlegen", NAME, PASSWORD)
    await expect(page.locator("#account-link")).to_have_text(NAME)

    other = (await Person.at(browser, seat.person.url, PHONE)).page
    await speaks(other, "en")
    await other.goto(f"{seat.person.url}account")
    await fill(other, "Sign in", NAME, "not the password")
    await expect(other.get_by_role("alert").filter(has_text="No player has this name and password.")).to_be_visible()
    await fill(other, "Sign in", NAME, PASSWORD)
    await expect(other.get_by_text(f"Du bist als {NAME} angemeldet.")).to_be_visible()
    await other.reload()
    await speaks(other, "de")


@pytest.mark.browser
@pytest.mark.parametrize(
    ("wanted", "spoken", "today"),
    [
        pytest.param("hu-HU", "hu", "Ma", marks=pytest.mark.heavy),
        pytest.param("tr", "tr", "Bugün", marks=pytest.mark.heavy),
        ("de-AT", "de", "Heute"),
        ("fr", "en", "Today"),
    ],
)
async def test_the_page_speaks_what_the_browser_prefers_until_somebody_chooses(
    seated: Seated, browser: Browser, wanted: str, spoken: str, today: str
) -> None:
    url = (await seated("klondike", OPENED)).person.url
    page = await (await browser.new_context(viewport=DESKTOP, locale=wanted)).new_page()
    await page.goto(url)
    await speaks(page, spoken)
    await expect(page.get_by_role("link", name=today, exact=True)).to_be_visible()


@pytest.mark.browser
async def test_a_setting_holds_at_once_and_after_coming_back(seated: Seated) -> None:
    seat = await seated("klondike", OPENED)
    page = seat.page
    await seat.person.go("settings")
    await page.get_by_label("Dark").check()
    await page.get_by_role("group", name="Colour of the table").get_by_label("Wine red").check()
    async with page.expect_response(lambda answer: '"clock":false' in (answer.request.post_data or "")):
        await page.get_by_label("Show the clock").uncheck()
    root = page.locator("html")
    await expect(root).to_have_attribute("data-theme", "dark")
    await expect(page.locator(".sample-figures")).to_have_text(re.compile("Score 12$"))
    await page.evaluate("localStorage.clear()")
    await page.reload()
    await expect(root).to_have_attribute("data-table", "wine")
    await expect(page.get_by_label("Dark")).to_be_checked()
    await seat.person.go(f"play/{seat.game}")
    await expect(page.locator(".stats div", has_text="Time")).to_be_hidden()


@pytest.mark.browser
@pytest.mark.parametrize(
    "language", ["de", *(pytest.param(other, marks=pytest.mark.heavy) for other in ("en", "hu", "tr"))]
)
async def test_on_a_narrow_phone_the_rules_in_brief_break_no_word(
    clubs: Clubs, browser: Browser, language: str
) -> None:
    club = await clubs({"gentle": "klondike-draw-one"})
    page = await (await browser.new_context(viewport=NARROW, locale=language)).new_page()
    await page.goto(club.url)
    await page.locator(".welcome .button.primary").click()
    names = page.locator(".teach dt")
    await expect(names.first).to_be_visible()
    assert await names.evaluate_all(BROKEN) == []
