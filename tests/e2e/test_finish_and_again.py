"""At the table: finishing by itself in every game, the same cards again, new cards, and a deal by its link."""

import re

import pytest
from playwright.async_api import Browser, ViewportSize, expect

from tests.e2e.club import Clubs
from tests.e2e.seated import Seated, seated
from tests.harness.chromium import DESKTOP, PHONE

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
    await page.get_by_role("button", name="New cards", exact=True).click()
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


@pytest.mark.browser
@pytest.mark.parametrize(
    "viewport", [pytest.param(PHONE, id="phone"), pytest.param(DESKTOP, id="desktop", marks=pytest.mark.heavy)]
)
async def test_whoever_wants_only_deals_that_can_be_won_is_dealt_one_and_the_choice_is_kept(
    clubs: Clubs, browser: Browser, viewport: ViewportSize
) -> None:
    club = await clubs({"gentle": "klondike"})
    person = await club.newcomer(browser, viewport)
    page, choice = person.page, person.page.get_by_label("Only a deal that can be won")
    await person.go("games/quatorze")
    await choice.check()
    await page.get_by_role("button", name="Start a game").click()
    await person.takes_a_seat()
    await expect(page.get_by_text("Winnable deal")).to_be_visible()
    await person.go("games/queens")
    await expect(choice).to_be_checked()


@pytest.mark.browser
async def test_where_no_deal_that_can_be_won_is_found_any_deal_is_offered(clubs: Clubs, browser: Browser) -> None:
    club = await clubs({"gentle": "klondike"})
    person = await club.newcomer(browser, PHONE)
    page = person.page
    await person.go("games/queens")
    await page.get_by_label("Only a deal that can be won").check()
    await page.get_by_role("button", name="Start a game").click()
    await expect(page.get_by_role("dialog")).to_contain_text("No deal that can be won was found in time")
    await page.get_by_role("button", name="Any new cards").click()
    await person.takes_a_seat()
    await expect(page.get_by_text("Casual game", exact=True)).to_be_visible()


@pytest.mark.browser
async def test_new_cards_that_can_be_won_are_dealt_at_the_table(seated: Seated) -> None:
    seat = await seated("quatorze")
    page = seat.page
    await page.get_by_role("button", name="Again", exact=True).click()
    await page.get_by_role("button", name="New cards that can be won").click()
    await page.wait_for_url(re.compile(rf"/play/(?!{seat.game})"))
    await expect(page.get_by_text("Winnable deal")).to_be_visible()


@pytest.mark.browser
async def test_a_numbered_deal_is_played_by_its_link_and_another_number_is_refused(
    clubs: Clubs, browser: Browser
) -> None:
    club = await clubs({"gentle": "klondike"})
    person = await club.newcomer(browser, PHONE)
    page = person.page
    await person.go("deal/freecell-617")
    await expect(page.get_by_text("Deal number 617")).to_be_visible()
    await page.get_by_role("button", name="Play these cards").click()
    await person.takes_a_seat()
    assert (await person.board())["tableau.0"].endswith("top card jack of diamonds, 6 more face up")
    await person.go("deal/freecell-0")
    await expect(page.get_by_text("The deals of this game have the numbers from 1 to")).to_be_visible()


@pytest.mark.browser
async def test_who_deals_by_pressing_again_and_again_does_not_press_what_moves_into_the_place(seated: Seated) -> None:
    seat = await seated("golf", {"column.0": ["5S"], "column.1": ["9D"], "waste": ["KC"], "stock": ["6H", "4C"]})
    deal = seat.page.locator(".verbs").get_by_role("button", name="Deal")
    for _ in range(3):
        await deal.click(force=True)
        await seat.person.sees_all()
    await expect(deal).to_be_disabled()
    await expect(seat.page.locator(".said")).to_have_text("The stock is empty, and there is no redeal.")
    assert (await seat.sitting()).moves == 2
