"""The room that a table has in a real browser: looked at closely, for the other hand, in other colours."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.club import Clubs
from tests.e2e.person import Person
from tests.harness.chromium import DESKTOP, PHONE

pytestmark = pytest.mark.browser

GAME = "napoleon-at-st-helena"
FELT = ".felt"


async def seated(clubs: Clubs, browser: Browser, phone: bool) -> Person:
    club = await clubs({"easy": GAME})
    person = await club.visitor(browser, PHONE if phone else DESKTOP)
    await person.page.get_by_role("button", name=re.compile("^Play: ")).first.click()
    await person.takes_a_seat()
    return person


async def card_width(page: Page) -> int:
    """How wide a card is when the page has been painted, and what its sizes led to was too."""
    width: float = await page.evaluate(
        """() => new Promise((tell) => requestAnimationFrame(() => requestAnimationFrame(
          () => tell(document.querySelector(".card").getBoundingClientRect().width))))"""
    )
    return round(width)


async def scrolled(page: Page) -> tuple[float, float]:
    """How far the felt is panned, and how far the page is scrolled, which it never is."""
    panned: float = await page.locator(FELT).evaluate("(felt) => felt.scrollLeft + felt.scrollTop")
    moved: float = await page.evaluate("scrollX + scrollY")
    return panned, moved


async def touch(page: Page, *steps: list[tuple[float, float]]) -> None:
    """Fingers put down at the first places, moved through the others, and lifted."""
    session = await page.context.new_cdp_session(page)
    for number, places in enumerate(steps):
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(places)]
        kind = "touchMove" if number else "touchStart"
        await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    await session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


async def grown_to(page: Page, width: float) -> None:
    """Waits until cards are at least so wide."""
    await page.wait_for_function(
        "(width) => document.querySelector('.card').getBoundingClientRect().width >= width", arg=width
    )


async def test_two_fingers_bring_the_table_closer_and_pan_it_and_nothing_else_moves(
    clubs: Clubs, browser: Browser
) -> None:
    person = await seated(clubs, browser, phone=True)
    page, before = person.page, await card_width(person.page)
    box = await page.locator(FELT).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + 60
    await touch(page, [(x - 40, y), (x + 40, y)], [(x - 60, y), (x + 60, y)], [(x - 80, y), (x + 80, y)])
    await grown_to(page, 1.8 * before)
    panned, moved = await scrolled(page)
    assert panned > 0
    assert moved == 0
    await touch(page, [(x - 40, y), (x + 40, y)], [(x + 20, y), (x + 100, y)])
    await page.wait_for_function("(before) => document.querySelector('.felt').scrollLeft < before", arg=panned)
    assert (await scrolled(page))[1] == 0
    await page.keyboard.press("0")
    assert await card_width(page) == before


async def test_buttons_and_keys_bring_the_table_closer_and_the_game_keeps_it(clubs: Clubs, browser: Browser) -> None:
    person = await seated(clubs, browser, phone=False)
    page, before = person.page, await card_width(person.page)
    await page.get_by_role("button", name="Zoom in").click()
    closer = await card_width(page)
    assert closer > 1.2 * before
    await page.keyboard.press("+")
    assert await card_width(page) > 1.2 * closer
    await page.keyboard.press("-")
    await page.get_by_role("link", name="Games").click()
    await page.go_back()
    await expect(page.locator(".card").first).to_be_visible()
    await grown_to(page, 1.2 * before)
    await page.keyboard.press("0")
    assert await card_width(page) == before
    await expect(page.get_by_role("button", name="Zoom out")).to_be_disabled()


async def test_a_card_dragged_to_the_edge_pans_the_table(clubs: Clubs, browser: Browser) -> None:
    person = await seated(clubs, browser, phone=False)
    page = person.page
    await page.keyboard.press("+")
    await page.keyboard.press("+")
    await page.keyboard.press("+")
    card = await page.locator('[data-pile="tableau.4"]').bounding_box()
    felt = await page.locator(FELT).bounding_box()
    assert card is not None
    assert felt is not None
    before, _ = await scrolled(page)
    y = min(card["y"] + card["height"], felt["y"] + felt["height"]) - 60
    await page.mouse.move(card["x"] + card["width"] / 2, y)
    await page.mouse.down()
    await page.mouse.move(felt["x"] + felt["width"] - 4, y, steps=6)
    await page.wait_for_function(
        "(before) => [document.querySelector('.felt')].some((felt) => felt.scrollLeft + felt.scrollTop > before + 50)",
        arg=before,
    )
    carried = await page.locator(".card.carried").bounding_box()
    assert carried is not None
    assert carried["x"] + carried["width"] > felt["x"] + felt["width"] - 120
    await page.mouse.up()


async def choose(person: Person, setting: str, value: str | bool) -> None:
    """Changes a setting as if on the settings page in another tab."""
    await person.page.evaluate(
        """([setting, value]) => {
          const kept = JSON.parse(localStorage.getItem("cadogan.settings") ?? "{}");
          const chosen = { ...kept.chosen, [setting]: value };
          localStorage.setItem("cadogan.settings", JSON.stringify({ ...kept, chosen }));
          dispatchEvent(new StorageEvent("storage", { key: "cadogan.settings" }));
        }""",
        [setting, value],
    )


async def test_a_table_for_the_left_hand_is_played_where_it_is_seen(clubs: Clubs, browser: Browser) -> None:
    person = await seated(clubs, browser, phone=False)
    page = person.page
    stock, tableau = page.locator('[data-pile="stock"]'), page.locator('[data-pile="tableau.0"]')

    async def stock_is_left() -> bool:
        one, other = await stock.bounding_box(), await tableau.bounding_box()
        assert one is not None
        assert other is not None
        return one["x"] < other["x"]

    before = await stock_is_left()
    await choose(person, "hand", "left")
    assert await stock_is_left() != before
    await person.play("deal")
    await expect(page.locator('[data-pile="waste"].filled')).to_be_visible()


async def test_four_colours_by_a_button_and_the_clock_hidden_by_choice(clubs: Clubs, browser: Browser) -> None:
    person = await seated(clubs, browser, phone=False)
    page = person.page
    colours = page.get_by_role("button", name="Four colours")
    inks = """() => new Set(['S', 'H', 'D', 'C'].map((suit) =>
        getComputedStyle(document.querySelector(`.suits .suit-${suit}`)).fill)).size"""
    await expect(colours).to_have_attribute("aria-pressed", "true")
    assert await page.evaluate(inks) == 4
    await colours.click()
    await expect(colours).to_have_attribute("aria-pressed", "false")
    assert await page.evaluate(inks) == 2
    await choose(person, "clock", False)
    figures = page.locator(".stats")
    await expect(figures.get_by_text("Time")).to_be_hidden()
    await expect(figures.get_by_text("Score")).to_be_visible()
