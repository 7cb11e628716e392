"""The audit page in a real browser: a record is checked there, and a changed file is refuted where it was changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.e2e.club import FIRST_DAY, Clubs
from tests.e2e.person import DESKTOP, PHONE

RECORDS = Path(__file__).parents[1] / "web" / "records"


def verdict(page: Page) -> Locator:
    """What the page says of the record as a whole."""
    return page.locator(".verdict h2")


@pytest.mark.browser
async def test_a_finished_game_is_consistent_in_the_browser_and_stepped_through(clubs: Clubs, browser: Browser) -> None:
    club = await clubs({"gentle": "quatorze", "stern": "klondike"})
    player = await club.visitor(browser, DESKTOP)
    await player.begin_daily("Canfield or Klondike")
    for _ in range(3):
        await player.play("deal")
    await player.resign()
    await player.go(f"audit/{player.game}")
    await expect(player.page.get_by_role("alert")).not_to_be_empty()
    await expect(player.page.locator(".verdict")).to_have_count(0)

    club.close_day(FIRST_DAY)
    await player.page.goto(f"{club.url}replay/{player.game}")
    await player.page.get_by_role("link", name="Check it here").click()
    await expect(verdict(player.page)).to_contain_text("Consistent with its rules and its seal")
    await expect(player.page.locator(".checks > li.broken, .checks > li.open")).to_have_count(0)
    await expect(player.page.locator(".events tbody tr")).to_have_count(5)
    await player.page.get_by_role("button", name="Show the table after event 4").click()
    await expect(player.page.locator(".where")).to_contain_text("3 of 3")


@pytest.mark.browser
async def test_a_file_is_consistent_and_a_changed_one_refuted_at_its_event(
    clubs: Clubs, browser: Browser, tmp_path: Path
) -> None:
    club = await clubs({"gentle": "quatorze"})
    page = (await club.visitor(browser, PHONE)).page
    await page.goto(f"{club.url}audit")
    chosen = page.get_by_label("Drop a record")
    await chosen.set_input_files(RECORDS / "shuffled-again.json")
    await expect(verdict(page)).to_contain_text("Consistent with its rules and its seal")
    await expect(page.locator(".checks li", has_text="Later shuffles")).to_contain_text("Later shuffles in order")

    changed = tmp_path / "changed.json"
    changed.write_bytes((RECORDS / "casual.json").read_bytes().replace(b'"move":"deal"', b'"move":"daal"', 1))
    await chosen.set_input_files(changed)
    await expect(verdict(page)).to_contain_text("The first error is at event")
    finding = page.locator(".findings li").first
    await expect(finding).to_contain_text("The hash does not fit")
    await expect(finding.locator("dd code")).to_have_count(2)
    await expect(page.locator(".events tr.broken")).to_have_count(1)

    await chosen.set_input_files(RECORDS / "klondike.rules.json")
    await expect(page.get_by_role("alert")).to_contain_text("not a valid record")
    await expect(page.locator(".verdict")).to_have_count(0)
