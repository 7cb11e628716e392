"""Ratings in a real browser: the page of a player leads with the share, and the evening has a second podium."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.person import Person
from tests.harness.chromium import DESKTOP
from tests.harness.evening_actions import open_room
from tests.harness.rated_evenings import PEOPLE, hold_evening, rate


@pytest.mark.browser
async def test_a_player_page_leads_with_the_share_and_a_final_evening_has_a_second_podium(
    database_url: str, browser: Browser
) -> None:
    async with open_room(database_url, count=1) as room:
        for order in (PEOPLE, PEOPLE, PEOPLE, tuple(reversed(PEOPLE))):
            await hold_evening(room, order)
            await rate(room)
        reader = await Person.away(browser, f"{room.first.url}/", DESKTOP, 0)
        page = reader.page
        await reader.go(f"players/{room.people['ann'].id}")
        await expect(page.get_by_text("75.0% over 4 evenings", exact=True)).to_be_visible()
        await expect(page.get_by_text(", provisional")).to_be_visible()
        await expect(page.get_by_role("listitem").filter(has_text="this month")).to_have_count(1)
        picture = page.get_by_role("img", name="From 1758 to")
        await expect(picture).to_be_visible()
        await page.get_by_text("As a table").first.click()
        await expect(page.get_by_role("row", name="Thursday at the club 4th 0.0%")).to_be_visible()
        await page.get_by_role("link", name="Ratings").click()
        rows = page.get_by_role("row")
        await expect(rows).to_have_count(5)
        await expect(rows.nth(1)).to_contain_text("75.0% over 4 evenings")
        await page.get_by_label("Who").select_option(label="Bots")
        await expect(page.get_by_text("No evening has been rated yet.")).to_be_visible()
        for width in range(260, 400, 20):
            await page.set_viewport_size({"width": width, "height": 800})
            for id in ("ratings-of", "ratings-kind"):
                label, choice = [await page.locator(one).bounding_box() for one in (f"label[for={id}]", f"#{id}")]
                assert label is not None
                assert choice is not None
                assert choice["y"] < label["y"] + label["height"] / 2 < choice["y"] + choice["height"], (width, id)
        await reader.go(f"evenings/{room.evening}")
        podium = page.get_by_role("heading", name="Above form").locator("xpath=..")
        await expect(podium.get_by_role("listitem")).to_have_count(3)
        await expect(podium.get_by_role("listitem").first).to_contain_text("dan")
