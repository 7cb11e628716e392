"""Leaving: somebody takes everything along, erases the account, and is "somebody who left" from then on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.club import Clubs
from tests.e2e.lively import CARD
from tests.e2e.looks import LooksWell
from tests.e2e.test_admin import PASSWORD, act_on, first_host
from tests.harness.chromium import DESKTOP, PHONE


def read_json(path: Path) -> Any:
    """What is in a file of JSON."""
    return json.loads(path.read_text("utf-8"))


@pytest.mark.browser
async def test_somebody_downloads_everything_and_erases_the_account(
    clubs: Clubs, browser: Browser, looks_well: LooksWell
) -> None:
    club = await clubs(CARD)
    person = await club.newcomer(browser, PHONE)
    page = person.page
    await person.claims("Zsuzsanna")
    await person.go("account")
    async with page.expect_download() as downloading:
        await page.get_by_role("link", name="Download my data").click()
    downloaded = await downloading.value
    own = read_json(await downloaded.path())
    assert own["player"]["name"] == "Zsuzsanna"
    assert downloaded.suggested_filename == f"cadogan-{own['player']['id']}.json"
    await page.get_by_role("button", name="Erase my account").scroll_into_view_if_needed()
    await looks_well(page, "leaving")

    await page.get_by_role("button", name="Erase my account").click()
    await looks_well(page, "erase")
    await page.get_by_role("dialog").get_by_role("button", name="Erase my account").click()
    again = page.get_by_role("dialog", name="This cannot be undone")
    await again.get_by_label("Current password").fill(PASSWORD)
    await again.get_by_role("button", name="Confirm").click()
    await expect(page.get_by_role("heading", name="Your account is erased.")).to_be_visible()
    await looks_well(page, "erased")
    await expect(page.locator("#account-link")).to_have_text("Sign in")
    await page.reload()
    await expect(page.get_by_role("button", name="Play as a guest")).to_be_visible()


@pytest.mark.browser
async def test_a_host_erases_a_player_and_the_pages_show_somebody_who_left(
    clubs: Clubs, browser: Browser, sqlite_url: str, looks_well: LooksWell
) -> None:
    club = await clubs(CARD)
    page = await first_host(club, sqlite_url, browser, PHONE)
    bob = await club.newcomer(browser, DESKTOP)
    await bob.claims("Rowdy")
    await bob.has_played()
    await page.goto(f"{club.url}house")
    await act_on(page, "Rowdy", "Erase for good")
    await looks_well(page, "erase-act-390")
    await expect(page.get_by_label("Note for the other hosts")).to_be_hidden()
    await page.get_by_role("button", name="Confirm").click()
    again = page.get_by_role("dialog", name="This cannot be undone")
    await again.get_by_label("Current password").fill(PASSWORD)
    await again.get_by_role("button", name="Confirm").click()
    await expect(page.get_by_role("status").filter(has_text="Done.")).to_be_visible()
    await expect(page.get_by_text("Rowdy")).to_have_count(0)
    await page.goto(f"{club.url}board/today")
    await expect(page.get_by_text("Somebody who left")).to_be_visible()
    await looks_well(page, "left")
    await bob.go("account")
    await expect(bob.page.get_by_role("button", name="Play as a guest")).to_be_visible()
