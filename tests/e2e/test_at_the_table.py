"""What a player finds at a table in a real browser: room for the cards, one row of tools, and answers."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from tests.e2e.club import Clubs
from tests.e2e.seated import Seated, seated
from tests.harness.chromium import DESKTOP, PHONE

__all__ = ["seated"]
pytestmark = pytest.mark.browser

SMALL_PHONE = ViewportSize(width=360, height=740)
TOOLS = """() => [...document.querySelectorAll(".tools .button")].filter((one) => one.getBoundingClientRect().width > 0)
  .map((one) => one.getBoundingClientRect()).map(({top, height, left, right}) => [top + height / 2, left, right])"""
"""The middle of each button of the toolbar, and where it begins and ends."""
ANNOUNCE = """() => {
  const bar = document.createElement("aside");
  bar.id = "announcement";
  bar.textContent = "We play on Friday.";
  document.body.prepend(bar);
}"""
"""What the server writes into a page whose house announces something."""
WIDEST = "() => document.querySelector('.card').getBoundingClientRect().width"


async def assert_tools_in_one_row(page: Page) -> None:
    """Checks that all buttons of the toolbar stand in one row, inside the page."""
    size = page.viewport_size
    assert size is not None
    await expect(page.locator(".tools .button:visible")).to_have_count(6)
    found: list[tuple[float, float, float]] = await page.evaluate(TOOLS)
    assert max(middle for middle, _, _ in found) - min(middle for middle, _, _ in found) < 4, found
    assert min(left for _, left, _ in found) >= 0, found
    assert max(right for _, _, right in found) <= size["width"], found


async def test_on_a_phone_the_tools_stand_in_one_row_and_what_the_house_announces_takes_no_room_from_the_table(
    seated: Seated,
) -> None:
    seat = await seated("klondike", viewport=PHONE)
    await assert_tools_in_one_row(seat.page)
    await expect(seat.page.get_by_role("button", name="Take back")).to_be_visible()
    await seat.page.evaluate(ANNOUNCE)
    await expect(seat.page.locator("#announcement")).to_be_hidden()
    await seat.person.go("")
    await seat.page.evaluate(ANNOUNCE)
    await expect(seat.page.locator("#announcement")).to_be_visible()


async def test_the_tools_stand_in_one_row_on_a_small_phone_in_german(seated: Seated) -> None:
    seat = await seated("klondike", viewport=SMALL_PHONE)
    await seat.page.evaluate(
        "localStorage.setItem('cadogan.settings', JSON.stringify({chosen: {language: 'de'}, unsent: []}))"
    )
    await seat.page.reload()
    await expect(seat.page.get_by_role("button", name="Zurücknehmen")).to_be_visible()
    await assert_tools_in_one_row(seat.page)


async def test_ctrl_z_takes_back(seated: Seated) -> None:
    seat = await seated("klondike")
    await seat.page.keyboard.press("d")
    await seat.person.shows_moves(1)
    await seat.page.keyboard.press("Control+z")
    await seat.shows("waste", "empty")


async def test_a_table_that_grows_by_rows_has_large_cards_as_long_as_there_is_room(seated: Seated) -> None:
    seat = await seated("labyrinth")
    await seat.person.sees_all()
    first: float = await seat.page.evaluate(WIDEST)
    assert first > 90
    for rows in range(2, 10):
        await seat.page.keyboard.press("d")
        await seat.person.shows_moves(rows - 1)
    await seat.person.sees_all()
    felt, last = await seat.page.locator(".felt").bounding_box(), await seat.pile("tableau.80").bounding_box()
    assert felt is not None
    assert last is not None
    assert await seat.page.evaluate(WIDEST) < first
    assert last["y"] + last["height"] <= felt["y"] + felt["height"]


async def test_a_deal_is_played_by_its_number(clubs: Clubs, browser: Browser) -> None:
    club = await clubs({"gentle": "klondike"})
    person = await club.newcomer(browser, PHONE)
    await person.go("games/freecell")
    await person.page.get_by_label("Deal number").fill("617")
    await person.page.get_by_role("button", name="Play this number").click()
    await person.takes_a_seat()
    await expect(person.page.get_by_text("Deal number 617")).to_be_visible()
    board = await person.board()
    assert board["tableau.0"].endswith("top card jack of diamonds, 6 more face up")
    await person.go("games/klondike")
    await expect(person.page.get_by_role("button", name="Start a game")).to_be_visible()
    await expect(person.page.get_by_label("Deal number")).to_have_count(0)


async def test_a_player_is_told_that_nobody_searches_whether_the_game_can_be_won(
    clubs: Clubs, browser: Browser
) -> None:
    club = await clubs({"gentle": "klondike"})
    person = await club.newcomer(browser, DESKTOP)
    await person.go("games/klondike")
    await person.page.get_by_role("button", name="Start a game").click()
    await person.takes_a_seat()
    ask = person.page.get_by_role("button", name="Still winnable?")
    await ask.click()
    await expect(person.page.get_by_text("Searching …")).to_be_visible()
    club.clock.turn_to(club.clock() + 60_000)
    await ask.click()
    await expect(person.page.get_by_text("Nobody searches now: no analyst of this server is at work.")).to_be_visible()


async def test_two_cards_that_are_no_pair_are_refused_with_the_rule(seated: Seated) -> None:
    seat = await seated("nestor", {"column.0": ["7H"], "column.1": ["8S"], "column.2": ["7C"], "stock": ["-2D"]})
    await seat.drag("column.0", "column.1")
    said = seat.page.locator(".said.grave")
    await expect(said).to_have_text(
        "Seven of hearts does not go with eight of spades: Take two cards of the same rank."
    )


async def test_a_card_that_can_go_nowhere_says_so_when_it_is_tapped_twice(seated: Seated) -> None:
    seat = await seated("klondike", {"tableau.0": ["7H"], "tableau.1": ["8D"], "tableau.2": ["9H"], "stock": ["-2D"]})
    await seat.page.mouse.dblclick(*await seat.top("tableau.0"))
    await expect(seat.page.locator(".said.grave")).to_have_text("This card can go nowhere now.")
