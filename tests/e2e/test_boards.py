"""Boards in real browsers: live, with ranks, and for friends alone."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.club import FIRST_DAY, Clubs
from tests.e2e.person import DESKTOP, PHONE


@pytest.mark.browser
async def test_a_finish_is_seen_by_whoever_looks_at_the_board(clubs: Clubs, browser: Browser) -> None:
    club = await clubs({"gentle": "quatorze", "stern": "klondike"})
    player, watcher = await club.visitor(browser, PHONE), await club.visitor(browser, DESKTOP)
    rows = watcher.page.locator(".ranking tbody tr")
    await watcher.go(f"board/deal:{FIRST_DAY}/2")
    await expect(watcher.page.get_by_text("Nobody has finished this deal yet.")).to_be_visible()
    await player.begin_daily("Canfield or Klondike")
    await player.resign()
    await expect(rows).to_have_count(1)
    await expect(rows).to_contain_text("resigned")

    for period in ("Day", "Week", "Month", "All time"):
        await watcher.page.get_by_role("link", name=period, exact=True).click()
        await expect(watcher.page.get_by_role("link", name=period, exact=True)).to_have_attribute(
            "aria-current", "page"
        )
        await expect(rows).to_have_count(1)


@pytest.mark.browser
async def test_friends_and_groups_have_boards_of_their_own(clubs: Clubs, browser: Browser) -> None:
    club = await clubs({"gentle": "klondike"})
    player, friend = await club.visitor(browser, DESKTOP), await club.visitor(browser, PHONE)
    await friend.claims("Blaise")
    for person in (player, friend):
        await person.go("")
        await person.begin_daily("Canfield or Klondike")
        await person.resign()
    await player.go("people")
    await player.page.get_by_label("Name", exact=True).fill("Blaise")
    await player.page.get_by_role("button", name="Follow", exact=True).click()
    await expect(player.page.get_by_role("button", name="Unfollow Blaise")).to_be_visible()
    await player.page.get_by_role("link", name="Today’s board of friends").click()
    await expect(player.page.locator(".ranking tbody tr")).to_have_count(2)

    await player.go("people")
    await player.page.get_by_label("Name of a new group").fill("The Club")
    await player.page.get_by_role("button", name="Make it").click()
    await player.page.get_by_role("link", name="The Club").click()
    await expect(player.page.locator(".ranking tbody tr")).to_have_count(1)
    await expect(player.page.locator(".ranking tbody tr")).to_contain_text("(you)")
