"""Today's card in real browsers: three deals, everybody's meters, being spoiled, and the day as text to send on."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.club import Clubs
from tests.e2e.person import Person
from tests.harness.chromium import DESKTOP, PHONE

CARD = {"gentle": "quatorze", "steady": "louis", "stern": "klondike"}


@pytest.mark.browser
async def test_three_deals_are_begun_gone_on_with_done_and_spoiled(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    player = await club.visitor(browser, DESKTOP)
    deals = player.page.locator(".deal")
    await expect(deals).to_have_count(3)
    await player.begin_daily("Quatorze")
    await player.go("")
    go_on = deals.nth(0).get_by_role("button", name="Continue")
    figures = deals.nth(0).locator(".own-figures")
    await expect(figures).to_contain_text("0 moves")
    before = await go_on.bounding_box()
    await figures.evaluate("(one) => one.replaceChildren()")  # as it was before the figures arrived
    assert await go_on.bounding_box() == before
    beside = await deals.nth(1).get_by_role("button", name="Play").bounding_box()  # of a deal that nobody has run
    assert before is not None
    assert beside is not None
    assert beside["y"] == pytest.approx(before["y"], abs=1)
    await go_on.click()
    await player.takes_a_seat()
    await player.resign()
    await player.go("")
    await expect(deals.nth(0).locator(".state")).to_contain_text("Resigned")
    await expect(player.page.locator(".streak")).to_have_count(0)  # a run given up at once is no day of a streak
    await player.page.get_by_role("button", name="Share your day").click()
    share = player.page.get_by_role("dialog")
    await expect(share.get_by_role("alert")).to_have_text("You have not finished a ranked run of that day.")
    await share.get_by_role("button", name="Close").click()

    await spoil(player, 'The "Louis" Patience', "No")
    await expect(deals.nth(1).get_by_role("button", name="Play")).to_be_visible()
    await spoil(player, 'The "Louis" Patience', "Show the cards")
    await expect(deals.nth(1).locator(".state")).to_contain_text("You have seen the cards")
    await expect(deals.nth(1).get_by_role("button", name="Play")).to_have_count(0)


async def spoil(player: Person, game: str, answer: str) -> None:
    """Asks to see the cards, and answers the warning."""
    await player.page.get_by_role("button", name=f"See everybody’s cards: {game}").click()
    await player.page.get_by_role("dialog").get_by_role("button", name=answer, exact=True).click()


@pytest.mark.browser
async def test_everybodys_meters_move_while_one_looks_on(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    player = await club.visitor(browser, DESKTOP)
    watcher = await club.visitor(browser, PHONE)
    await watcher.page.get_by_role("button", name="Hard", exact=True).click()
    row = watcher.page.locator(".meters li")
    await expect(row).to_have_count(0)
    await player.begin_daily("Canfield or Klondike")
    await expect(row).to_have_count(1)
    await player.play("deal")
    await expect(row).to_contain_text("1 move")
    await watcher.page.get_by_role("button", name="Easy", exact=True).click()
    await expect(row).to_have_count(0)


@pytest.mark.browser
async def test_a_day_is_shared_as_text_that_names_no_card(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    player = await club.visitor(browser, PHONE)
    await player.begin_daily("Canfield or Klondike")
    await player.plays_and_resigns()
    await player.page.get_by_role("dialog").get_by_role("button", name="Share").click()
    text = player.page.locator(".share pre")
    await expect(text).to_contain_text("hard")
    await player.page.locator(".share").get_by_role("button", name="Copy").click()
    await expect(player.page.locator(".share").get_by_role("button", name="Copied")).to_be_visible()
