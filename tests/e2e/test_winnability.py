"""The page about winnability in a real browser: reached from the shelf and from a game, sorted, read on a phone."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from cadogan.engine import slugs
from tests.e2e.club import Clubs
from tests.harness.chromium import DESKTOP, PHONE

CARD = {"gentle": "quatorze", "stern": "klondike"}


@pytest.mark.browser
async def test_a_game_leads_to_its_row_among_all_games(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    page = (await club.newcomer(browser, PHONE)).page
    await page.goto(f"{club.url}games/klondike")
    await page.get_by_role("link", name="How often can it be won?").click()
    row = page.get_by_role("row", name="Canfield or Klondike")
    await expect(row).to_be_in_viewport()
    await expect(row).to_have_class("own")
    await expect(row.get_by_role("cell")).to_have_count(9)
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    await row.get_by_role("link").click()
    await expect(page).to_have_url(f"{club.url}games/klondike")


@pytest.mark.browser
async def test_the_shelf_leads_to_a_table_of_every_game_that_can_be_sorted(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    page = (await club.newcomer(browser, DESKTOP)).page
    await page.goto(f"{club.url}games")
    await page.get_by_role("link", name="How often each game can be won").click()
    rows = page.locator("table.winnability tbody tr")
    await expect(rows).to_have_count(len(slugs()))
    await expect(rows.first).to_contain_text("Anna")
    await page.get_by_label("Order").select_option("Most unknown first")
    won = await page.locator("td.won strong").all_inner_texts()
    assert won[0] == "0"
    assert set(won) > {"0"}
    await page.get_by_text("How to read the table").click()
    await expect(page.get_by_text("95 % confidence")).to_be_visible()
