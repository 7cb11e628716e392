"""At the table: finishing by itself in every game, the same cards again, new cards, and a deal by its link."""

import re

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.person import PHONE
from tests.e2e.seated import Seated, seated

__all__ = ["seated"]

PAIRS = {"column.0": ["4S", "9H"], "column.1": ["4H", "9D"]}
"""Nothing is left to decide in this Nestor: two pairs are left, one after the other."""
AFTER_A_CHOICE = {
    "column.0": ["4S"],
    "column.1": ["4H"],
    "column.2": ["9S", "9H"],
    "column.3": ["9D"],
    "column.4": ["9C"],
}


@pytest.mark.browser
async def test_a_game_of_pairs_is_finished_with_one_press(seated: Seated) -> None:
    seat = await seated("nestor", PAIRS)
    await seat.page.get_by_role("button", name="Finish").click()
    await seat.person.sees_the_end("Won")
    assert (await seat.sitting()).moves == 2


@pytest.mark.browser
async def test_whoever_wants_it_so_is_not_asked_once_the_last_choice_is_made(seated: Seated) -> None:
    seat = await seated("nestor", AFTER_A_CHOICE, PHONE)
    await seat.person.go("settings")
    await seat.page.get_by_label("Finish such a game without asking").check()
    await seat.person.go(f"play/{seat.game}")
    await expect(seat.page.locator(".card").first).to_be_visible()
    await expect(seat.page.get_by_role("button", name="Finish")).to_be_hidden()
    assert (await seat.sitting()).moves == 0
    await seat.drag("column.2", "column.3")
    await seat.person.sees_the_end("Won")
    assert (await seat.sitting()).moves == 3


@pytest.mark.browser
async def test_the_same_cards_are_dealt_again_and_then_new_ones(seated: Seated) -> None:
    seat = await seated("fifteen")
    page, person = seat.page, seat.person
    dealt = await page.locator("[data-pile]").evaluate_all("(piles) => piles.map((pile) => pile.ariaLabel)")
    await page.get_by_role("button", name="Again", exact=True).click()
    await page.get_by_role("button", name="The same cards again, and give up this game").click()
    await page.wait_for_url(re.compile(rf"/play/(?!{seat.game})"))
    await expect(page.locator(".card").first).to_be_visible()
    assert await page.locator("[data-pile]").evaluate_all("(piles) => piles.map((pile) => pile.ariaLabel)") == dealt
    assert (await seat.sitting()).status == "resigned"
    again = page.url
    await page.get_by_role("button", name="Again", exact=True).click()
    await page.get_by_role("button", name="New cards").click()
    await page.wait_for_url(lambda url: url != again)
    await expect(page.locator(".card").first).to_be_visible()
    assert await page.locator("[data-pile]").evaluate_all("(piles) => piles.map((pile) => pile.ariaLabel)") != dealt
    assert person.game == seat.game


@pytest.mark.browser
async def test_a_friend_plays_a_deal_by_its_link(seated: Seated, browser: Browser) -> None:
    seat = await seated("nestor", PAIRS)
    page = seat.page
    await page.get_by_role("button", name="Finish").click()
    await seat.person.sees_the_end("Won")
    await page.get_by_role("dialog").get_by_role("link", name="These cards again").click()
    await expect(page.get_by_role("row")).to_have_count(2)
    await expect(page.get_by_role("row").nth(1)).to_contain_text("won")
    friend = await (await browser.new_context()).new_page()
    await friend.goto(page.url)
    await friend.get_by_role("button", name="Play these cards").click()
    await friend.wait_for_url(re.compile("/play/"))
    await expect(friend.locator(".card").first).to_be_visible()
    await expect(friend.get_by_role("button", name="Again", exact=True)).to_be_visible()


@pytest.mark.browser
async def test_a_game_that_counts_is_not_begun_again(seated: Seated) -> None:
    seat = await seated("nestor", PAIRS, ranked=True)
    await expect(seat.page.get_by_role("button", name="Resign")).to_be_visible()
    await expect(seat.page.get_by_role("button", name="Again", exact=True)).to_be_hidden()
