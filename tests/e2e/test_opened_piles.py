"""A pile opened in place, in a real browser: by a long press, the other button and a key, and what closes it again."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.e2e.looks import RULES, violations
from tests.e2e.seated import Seated, seated
from tests.harness.chromium import PHONE

__all__ = ["seated"]

COLUMN = {"tableau.0": ["-2D", "8S", "7H", "6S"], "tableau.1": ["9D"], "tableau.2": ["KC"], "stock": ["-2C"]}
REAL_LONG_PRESS = """{
  const steady = setTimeout;
  globalThis.setTimeout = (run, delay, ...given) => steady(run, delay === 550 ? 551 : delay, ...given);
}"""
"""Lets a press become a long one after its time, which `STEADY` prevents."""


@pytest.mark.browser
async def test_a_long_press_opens_a_pile_over_the_table_until_it_ends(seated: Seated) -> None:
    seat = await seated("klondike", COLUMN, PHONE, has_motion=True)
    page, fan = seat.page, seat.page.locator(".pile-fan")
    await page.context.add_init_script(REAL_LONG_PRESS)
    await page.reload()
    await expect(page.locator(".card").first).to_be_visible()
    x, y = await seat.top("tableau.0")
    await page.mouse.move(x, y)
    await page.mouse.down()
    await expect(fan.get_by_role("listitem")).to_have_count(4)
    box, felt = await fan.bounding_box(), await page.locator(".felt").bounding_box()
    assert box is not None
    assert felt is not None
    assert felt["x"] <= box["x"]
    assert box["x"] + box["width"] <= felt["x"] + felt["width"]
    assert felt["y"] <= box["y"]
    assert box["y"] + box["height"] < y, "the fan lies above the finger"
    await page.mouse.up()
    await expect(fan).to_have_count(0)
    await expect(page.locator(".card.held")).to_have_count(0)

    await page.mouse.down()
    eight = fan.get_by_role("listitem", name="eight of spades")
    await eight.evaluate("(card) => Promise.all(card.getAnimations().map((run) => run.finished))")
    card = await eight.bounding_box()
    assert card is not None
    await page.mouse.move(card["x"] + 9, card["y"] + 9, steps=3)
    await page.mouse.up()
    await expect(fan).to_have_count(0)
    await seat.shows("tableau.1", "top card six of spades, 3 more face up")


@pytest.mark.browser
async def test_a_key_and_the_other_button_open_a_pile_until_it_is_left(seated: Seated) -> None:
    seat = await seated("klondike", COLUMN, has_motion=True)
    page, fan = seat.page, seat.page.get_by_role("dialog", name="column 1, top card six of spades, 2 more face up")
    await seat.pile("tableau.0").press("l")
    await expect(fan).to_be_focused()
    assert await violations(page, RULES) == []
    for key in ("Escape", "l"):
        await page.keyboard.press(key)
        await expect(fan).to_have_count(0)
        await expect(seat.pile("tableau.0")).to_be_focused()
        await page.keyboard.press("l")
        await expect(fan).to_be_visible()
    await page.keyboard.press("Tab")
    await expect(fan).to_have_count(0)

    await page.mouse.click(*await seat.top("tableau.0"), button="right")
    await expect(fan).to_be_visible()
    await page.mouse.click(*await seat.top("stock"))
    await expect(fan).to_have_count(0)
    await page.mouse.click(*await seat.top("tableau.0"), button="right")
    await fan.get_by_role("listitem", name="seven of hearts").click()
    await seat.shows("tableau.1", "top card six of spades, 3 more face up")
    await seat.shows("stock", "1 card face down")

    await seat.pile("tableau.2").press("l")
    await expect(page.locator(".said")).to_contain_text("king of clubs")
    await expect(fan).to_have_count(0)
