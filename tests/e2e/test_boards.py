"""Boards in real browsers: live, with ranks, and for friends alone."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.club import FIRST_DAY, Clubs
from tests.harness.chromium import DESKTOP, PHONE


@pytest.mark.browser
async def test_a_finish_is_seen_by_whoever_looks_at_the_board(clubs: Clubs, browser: Browser) -> None:
    club = await clubs({"gentle": "quatorze", "stern": "klondike"})
    player, watcher = await club.visitor(browser, PHONE), await club.newcomer(browser, DESKTOP)
    rows = watcher.page.locator(".ranking tbody tr")
    await watcher.go(f"board/deal:{FIRST_DAY}/2")
    await expect(watcher.page.get_by_text("Nobody has finished this deal yet.")).to_be_visible()
    await player.begin_daily("Canfield or Klondike")
    await player.plays_and_resigns()
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
    player, friend = await club.newcomer(browser, DESKTOP), await club.newcomer(browser, PHONE)
    await friend.claims("Blaise")
    for person in (player, friend):
        await person.has_played()
    await player.go("people")
    await player.page.get_by_label("Name", exact=True).fill("Blaise")
    await player.page.get_by_role("button", name="Follow", exact=True).click()
    await expect(player.page.get_by_role("button", name="Unfollow Blaise")).to_be_visible()
    await player.page.get_by_role("link", name="Today’s board of friends").click()
    await expect(player.page.locator(".ranking tbody tr")).to_have_count(2)

    await player.go("people")
    await player.page.get_by_label("Name of a new group").fill("The Club")
    await player.page.get_by_role("button", name="Create group").click()
    await player.page.get_by_role("link", name="The Club").click()
    await player.page.get_by_role("link", name="Today’s board").click()
    await expect(player.page.locator(".ranking tbody tr")).to_have_count(1)
    await expect(player.page.locator(".ranking tbody tr")).to_contain_text("(you)")


@pytest.mark.browser
async def test_two_runs_of_a_board_are_chosen_to_be_compared(clubs: Clubs, browser: Browser) -> None:
    club = await clubs({"gentle": "klondike"})
    first, second = await club.newcomer(browser, DESKTOP), await club.newcomer(browser, PHONE)
    for person in (first, second):
        await person.has_played()
    await first.go(f"board/deal:{FIRST_DAY}/1")
    boxes = first.page.get_by_role("checkbox")
    await boxes.nth(0).check()
    await expect(first.page.get_by_text("Choose another run to compare")).to_be_visible()
    await boxes.nth(1).check()
    await first.page.get_by_role("link", name="Compare").click()
    await first.page.wait_for_url("**/compare/*,*")
    assert {first.game, second.game} == set(first.page.url.rpartition("/")[2].split(","))

    stranger = await club.newcomer(browser, DESKTOP)
    await stranger.go(f"board/deal:{FIRST_DAY}/1")
    await expect(stranger.page.locator(".ranking tbody tr")).to_have_count(2)
    await expect(stranger.page.get_by_role("checkbox")).to_have_count(0)
    await expect(stranger.page.locator(".ranking .end a")).to_have_count(0)


@pytest.mark.browser
async def test_keys_alone_lead_to_ones_own_row_and_keep_their_place_in_a_list_that_changes(
    clubs: Clubs, browser: Browser
) -> None:
    club = await clubs({"gentle": "klondike"})
    player, friend, other = [await club.newcomer(browser, DESKTOP) for _ in range(3)]
    for person, name in ((friend, "Blaise"), (other, "Cosima")):
        await person.claims(name)
    await player.has_played()
    page = player.page
    await player.go("board/today")
    await page.get_by_role("button", name="Go", exact=True).press("Enter")
    await expect(page.locator(".own .name a")).to_be_focused()

    await player.go("people")
    for name in ("Blaise", "Cosima"):
        await page.get_by_label("Name", exact=True).fill(name)
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("button", name=f"Unfollow {name}")).to_be_visible()
    await expect(page.get_by_label("Name", exact=True)).to_be_focused()
    await page.get_by_role("button", name="Unfollow Blaise").press("Enter")
    await expect(page.get_by_role("button", name="Unfollow Blaise")).to_have_count(0)
    await expect(page.locator(":focus")).to_have_count(1)
    await page.get_by_role("link", name="Skip to the page").press("Enter")
    await expect(page.locator("main")).to_be_focused()
