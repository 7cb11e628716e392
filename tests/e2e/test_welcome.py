"""What helps somebody who is new: hints, and what to do next."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, ViewportSize, expect

from tests.e2e.club import Clubs
from tests.e2e.seated import Seated, seated
from tests.harness.chromium import PHONE

__all__ = ["seated"]
ON_ITS_SIDE = ViewportSize(width=844, height=390)


@pytest.mark.browser
async def test_a_hint_is_shown_on_the_table_and_goes_when_something_is_played(seated: Seated) -> None:
    seat = await seated("klondike", {"tableau.0": ["7H"], "tableau.1": ["8S"], "tableau.2": ["AD"], "stock": ["-2D"]})
    await seat.page.get_by_role("button", name="Hint").click()
    outlined = seat.page.locator(".outline")
    await expect(outlined).to_have_count(2)
    piles = await outlined.evaluate_all("(all) => all.map((one) => one.dataset.outlined)")
    assert piles == ["tableau.2", "foundation.2"]
    card, place = await seat.page.locator(".card").nth(2).bounding_box(), await outlined.first.bounding_box()
    assert card is not None
    assert place is not None
    assert abs(card["width"] - place["width"]) < 2
    await expect(seat.page.locator(".said")).to_contain_text("Hint – ace of diamonds")
    await seat.person.play("tableau.2/foundation.2")
    await expect(outlined).to_have_count(0)
    await seat.page.keyboard.press("h")
    await expect(outlined.first).to_have_attribute("data-outlined", "tableau.0")


@pytest.mark.browser
async def test_the_first_page_says_what_this_is_and_one_button_plays_and_later_continues(
    clubs: Clubs, browser: Browser
) -> None:
    club = await clubs({"gentle": "quatorze", "stern": "klondike"})
    person = await club.visitor(browser, PHONE)
    page, welcome = person.page, person.page.locator(".welcome")
    await expect(page.get_by_role("heading", level=1)).to_have_text(
        "Solitaire for a club: the same deals for everybody, every day, live."
    )
    await expect(page.get_by_role("heading", level=1)).to_be_in_viewport(ratio=1)
    await expect(welcome.locator(".card.down")).not_to_have_count(0)
    await expect(welcome.locator(".card").last).to_be_in_viewport(ratio=1)
    await expect(welcome.get_by_role("link", name="Create account")).to_be_visible()
    await expect(welcome.get_by_role("link", name="Today’s deals")).to_be_visible()
    await welcome.get_by_role("button", name="Play Klondike, draw one").click()
    await person.takes_a_seat()
    await person.play("deal")
    played = page.url
    for path in ("", "account", "games"):
        await person.go(path)
        first = page.locator("main .panel").first
        await expect(first.get_by_role("heading", name="Continue")).to_be_visible()
        await expect(page.locator(".welcome")).to_have_count(0)
    await page.get_by_role("link", name="Continue: Klondike, draw one").click()
    await expect(page).to_have_url(played)


@pytest.mark.browser
async def test_a_first_game_is_shown_once_and_the_rules_in_brief_stay_behind_the_question_mark(
    clubs: Clubs, browser: Browser
) -> None:
    club = await clubs({"gentle": "klondike"})
    person = await club.visitor(browser, PHONE, is_new=True)
    page, panel, tip = person.page, person.page.locator(".teach"), person.page.locator(".tip")
    await page.get_by_role("button", name="Play: Canfield or Klondike").click()
    asked = page.get_by_role("dialog")
    await expect(asked).to_contain_text("You have one ranked attempt at each deal of the day.")
    await expect(asked.get_by_role("button", name="Try another deal first")).to_be_visible()
    await asked.get_by_role("button", name="Play the deal of the day").click()
    await person.takes_a_seat()
    await expect(panel).to_contain_text("Only a king goes on an empty place.")
    await expect(tip).to_be_hidden()
    await panel.get_by_role("button", name="Let’s play").click()
    await expect(panel).to_have_count(0)
    await expect(tip).to_be_visible()
    outlined = await page.locator(".outline").first.get_attribute("data-outlined")
    assert outlined is not None
    move = next(move for move in person.legal if move.startswith(f"{outlined}/"))
    before = await tip.inner_text()
    await person.play(move)
    await expect(tip).not_to_have_text(before)
    await page.reload()
    await expect(page.locator(".card").first).to_be_visible()
    await expect(panel).to_have_count(0)
    await page.get_by_role("button", name="Help").tap()
    helping = page.get_by_role("dialog")
    await expect(helping).to_contain_text("Build down in alternating colours.")
    await expect(helping.locator(".for-keyboards")).to_be_hidden()
    await person.go("games/klondike")
    await expect(page.locator(".heading")).to_contain_text("Hard")
    await expect(page.locator(".heading")).to_contain_text("Also called Casino Klondike")
    brief = page.locator("section", has=page.get_by_role("heading", name="How to play"))
    await expect(brief).to_contain_text("Build down in alternating colours.")


@pytest.mark.browser
async def test_a_tip_on_a_phone_on_its_side_leaves_most_of_the_width_to_the_table(
    clubs: Clubs, browser: Browser
) -> None:
    club = await clubs({"gentle": "quatorze"})
    person = await club.visitor(browser, ON_ITS_SIDE, is_new=True)
    await person.page.locator(".welcome").get_by_role("button", name="Play Klondike, draw one").click()
    await person.takes_a_seat()
    await person.page.keyboard.press("Escape")
    await expect(person.page.locator(".teach")).to_have_count(0)
    await expect(person.page.locator(".tip")).to_be_visible()
    await person.sees_all()
    assert await person.page.locator(".felt").evaluate("(felt) => felt.clientWidth > innerWidth * 0.6")
    steady = person.page.locator(".outline.steady")
    await expect(steady.first).to_be_visible()
    await person.page.get_by_role("button", name="Hint").click()
    await expect(person.page.locator(".outline.fading").first).to_be_visible()
    await expect(steady.first).to_be_hidden()
