"""A moderator looks through the history of a game, by the page."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.club import Clubs
from tests.e2e.lively import CARD
from tests.e2e.looks import LooksWell
from tests.e2e.test_admin import first_host
from tests.harness.chromium import PHONE


@pytest.mark.browser
async def test_the_history_of_a_game_is_found_filtered_followed_by_hash_and_downloaded(
    clubs: Clubs, browser: Browser, sqlite_url: str, looks_well: LooksWell
) -> None:
    club = await clubs(CARD)
    page = await first_host(club, sqlite_url, browser, PHONE)
    game = await page.evaluate(
        """async () => {
            const ask = async (path, body) => (await fetch(`/api/v1${path}`, {
              method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
            })).json();
            const { deal } = await ask("/deals", { rules: "klondike" });
            return (await ask("/games", { deal, nonce: "my own words" })).game.id;
        }"""
    )
    await page.goto(f"{club.url}house")
    await page.get_by_role("button", name="History", exact=True).press("Enter")
    await page.get_by_label("Id, day like").fill(f"{club.url}replay/{game}")
    await page.get_by_role("button", name="Find", exact=True).click()
    await expect(page.get_by_text("game_dealt", exact=True).last).to_be_visible()
    await expect(page.get_by_text("You: everything at the table, and the legal moves")).to_be_visible()
    await looks_well(page, "history")
    await page.locator("summary").first.click()
    await expect(page.get_by_role("heading", name="What those got who see no card")).to_be_visible()
    await looks_well(page, "history-open")
    async with page.expect_download() as started:
        await page.get_by_role("link", name="Download as JSON Lines").click()
    assert (await started.value).suggested_filename == f"cadogan-game-{game}.jsonl"
    await page.get_by_label("Type").select_option("game_finished")
    await page.get_by_role("button", name="Find", exact=True).click()
    await expect(page.get_by_text("Nothing was found.")).to_be_visible()
    await page.get_by_label("About").select_option(label="The event with a hash")
    await page.get_by_label("Id, day like").fill("0" * 64)
    await page.get_by_role("button", name="Find", exact=True).click()
    await expect(page.get_by_text("Nothing was found.")).to_be_visible()
    await page.get_by_label("Id, day like").fill("0")
    await page.get_by_role("button", name="Find", exact=True).click()
    await expect(page.get_by_role("alert").filter(has_text="must be something like")).to_be_visible()
    await looks_well(page, "history-refused")
