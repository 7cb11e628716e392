"""What was once amiss at a table in a real browser, and is not to come back."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.e2e.seated import Seated, seated
from tests.harness.chromium import DESKTOP, PHONE

__all__ = ["seated"]


@pytest.mark.browser
async def test_the_result_once_put_away_can_be_seen_again(seated: Seated) -> None:
    seat = await seated("klondike")
    await seat.person.resign()
    panel = seat.page.get_by_role("dialog")
    soft = await panel.locator(".headline + .stats dt").first.evaluate("(one) => getComputedStyle(one).color")
    assert soft != await seat.page.locator(".strip .stats dt").first.evaluate("(one) => getComputedStyle(one).color")
    await panel.get_by_role("button", name="Look at the table").click()
    await expect(panel).to_have_count(0)
    again = seat.page.get_by_role("button", name="The result")
    await expect(again).to_be_focused()
    await expect(seat.page.get_by_role("button", name="Resign")).to_be_hidden()
    await again.press("Enter")
    await seat.person.sees_the_end("Resigned")


@pytest.mark.browser
async def test_tables_beside_each_other_wear_their_games_own_colours(seated: Seated) -> None:
    seat = await seated("quatorze")
    await seat.person.go(f"theatre/{seat.game}")
    await expect(seat.page.locator(".side .felt")).to_have_attribute("data-colours", "four")


@pytest.mark.browser
async def test_the_other_button_opens_no_pile_while_a_card_is_carried(seated: Seated) -> None:
    seat = await seated(
        "klondike", {"tableau.0": ["7H"], "tableau.1": ["9D", "8S"], "tableau.2": ["8C"], "stock": ["-2D"]}
    )
    mouse = seat.page.mouse
    await mouse.move(*await seat.top("tableau.0"))
    await mouse.down()
    await mouse.move(*await seat.top("tableau.1"), steps=4)
    await mouse.click(*await seat.top("tableau.1"), button="right")
    await expect(seat.page.locator(".card.carried")).to_have_count(1)
    await expect(seat.page.get_by_role("dialog")).to_have_count(0)
    await mouse.up()
    await seat.shows("tableau.1", "top card seven of hearts, 2 more face up")


@pytest.mark.browser
async def test_a_table_that_cannot_grow_lies_in_the_middle_and_one_that_can_begins_at_the_top(seated: Seated) -> None:
    for slug, is_fixed in (("caesar", True), ("klondike", False)):
        seat = await seated(slug, viewport=PHONE)
        felt, piles = await seat.page.locator(".felt").bounding_box(), seat.page.locator("[data-pile]")
        boxes = [box for pile in await piles.all() if (box := await pile.bounding_box()) is not None]
        assert felt is not None
        above = min(box["y"] for box in boxes) - felt["y"]
        below = felt["y"] + felt["height"] - max(box["y"] + box["height"] for box in boxes)
        assert (abs(above - below) < 8) is is_fixed, (slug, above, below)
        assert above >= 0
        assert below >= 0


@pytest.mark.browser
async def test_somebody_who_watches_takes_no_room_from_the_title_on_a_phone(seated: Seated) -> None:
    seat = await seated("klondike", viewport=PHONE)
    title = seat.page.locator(".strip h1")
    before = await title.bounding_box()
    await seat.page.locator(".strip .watching").evaluate("(one) => { one.textContent = '3 watching'; }")
    assert await title.bounding_box() == before


@pytest.mark.browser
async def test_a_hint_stays_on_its_card_when_the_table_gets_another_size(seated: Seated) -> None:
    seat = await seated(
        "klondike", {"tableau.0": ["7H"], "tableau.1": ["9D", "8S"], "stock": ["-2D"]}, viewport=DESKTOP
    )
    await seat.page.get_by_role("button", name="Hint").click()
    outlined = seat.page.locator("[data-outlined='tableau.0']")
    await expect(outlined).to_have_count(1)
    await seat.page.set_viewport_size(PHONE)
    card = seat.page.locator("[data-pile='tableau.0']").first
    for _ in range(20):
        around, inside = await outlined.bounding_box(), await card.bounding_box()
        if around and inside and abs(around["width"] - inside["width"]) < 12:
            break
        await seat.page.wait_for_timeout(100)
    assert around is not None
    assert inside is not None
    assert abs(around["x"] - inside["x"]) < 12
    assert abs(around["width"] - inside["width"]) < 12
