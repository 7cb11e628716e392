"""The end of a game in a real browser: the cards of a won one leap, and the panel compares and says what is next."""

from __future__ import annotations

import re

import aiohttp
import pytest
from playwright.async_api import Browser, expect

from tests.e2e.club import Clubs
from tests.e2e.looks import RULES, violations
from tests.e2e.seated import Seated, seated
from tests.harness.chromium import DESKTOP, PHONE
from tests.harness.daily_actions import play_and_resign
from tests.harness.people import Person

__all__ = ["seated"]

NEARLY_WON = {f"foundation.{n}": [rank + suit for rank in "A23456789TJQ"] for n, suit in enumerate("SHDC")} | {
    f"tableau.{n}": ["K" + suit] for n, suit in enumerate("SHDC")
}
HOLD_CASCADES = """() => new MutationObserver(() => {
  const leaping = document.getAnimations().filter(({ effect }) => effect.target?.matches(".leaping"));
  leaping.forEach((run) => run.pause());
  globalThis.cascades = Math.max(globalThis.cascades ?? 0, document.querySelectorAll(".cascade").length);
}).observe(document, { subtree: true, childList: true })"""
"""Lets no cascade end by itself, and counts whether there was one."""
SHARED_BY_THE_PHONE = """() => Object.defineProperties(navigator, {
  canShare: { value: () => true },
  share: { value: async (data) => { globalThis.shared = data; } },
})"""
"""Lets the browser have a sharing of its own, as phones do."""
ANIMATED = """(nodes) => [...new Set(nodes.flatMap((node) => node.getAnimations())
  .flatMap(({ effect }) => effect.getKeyframes()).flatMap(Object.keys))]
  .filter((name) => name !== "composite").sort()"""
COLOUR = "(one) => getComputedStyle(one).color"


@pytest.mark.browser
async def test_a_won_game_is_a_moment_that_a_press_ends_and_then_compared_and_shared(seated: Seated) -> None:
    seat = await seated("klondike", NEARLY_WON, PHONE, has_motion=True)
    page, panel = seat.page, seat.page.get_by_role("dialog", name="Won")
    await page.evaluate(HOLD_CASCADES)
    await page.get_by_role("button", name="Finish").click()
    leaping = page.locator(".cascade .leaping")
    await expect(leaping).to_have_count(52)
    assert await leaping.evaluate_all(ANIMATED) == ["computedOffset", "easing", "offset", "transform"]
    await page.touchscreen.tap(200, 700)
    await expect(panel).to_be_visible()
    await expect(leaping).to_have_count(0)
    await expect(panel).to_contain_text("208 of 208")
    await expect(panel.get_by_role("button", name="Thank you!")).to_be_visible()
    await expect(panel.get_by_role("button", name="So close!")).to_have_count(0)
    await expect(panel.get_by_role("list")).to_have_text("Your first finished game of this kind")
    await page.evaluate(SHARED_BY_THE_PHONE)
    await panel.get_by_role("button", name="Share").click()
    sharing = page.get_by_role("dialog", name="Your game")
    await sharing.get_by_role("button", name="Send").click()
    assert await page.evaluate("shared.url") == f"{seat.person.url}replay/{seat.game}"
    shared = sharing.locator("pre")
    await expect(shared).to_have_text(
        re.compile(rf"^208 of 208 · .*Klondike: won, 4 moves, \d:\d\d\n{re.escape(seat.person.url)}replay/{seat.game}$")
    )
    await page.reload()
    await expect(panel).to_be_visible()
    assert await page.evaluate("globalThis.cascades ?? 0") == 0, "a game that was won before is not celebrated again"


@pytest.mark.browser
async def test_with_reduced_motion_nothing_leaps(seated: Seated) -> None:
    seat = await seated("klondike", NEARLY_WON, has_motion=True)
    await seat.page.emulate_media(reduced_motion="reduce")
    await seat.page.evaluate(HOLD_CASCADES)
    await seat.page.get_by_role("button", name="Finish").click()
    await expect(seat.page.get_by_role("dialog", name="Won")).to_be_visible()
    assert await seat.page.evaluate("globalThis.cascades ?? 0") == 0


@pytest.mark.browser
async def test_the_end_of_a_ranked_run_names_the_place_the_best_run_and_the_next_deal(
    browser: Browser, clubs: Clubs
) -> None:
    club = await clubs({"gentle": "klondike", "stern": "quatorze"})
    async with aiohttp.ClientSession() as session:
        bob = await Person(club.url.rstrip("/"), session).arrive()
        best = await bob.enter(slot=1)
        await play_and_resign(bob, best, 1)
    ann = await club.newcomer(browser, DESKTOP)
    await ann.claims("Ann")
    await ann.go("")
    await ann.begin_daily("Canfield or Klondike")
    for _ in range(10):  # so many moves make a day of a streak
        await ann.play("deal")
    await ann.resign()
    panel = ann.page.get_by_role("dialog")
    await expect(panel.locator(".compared li").first).to_have_text("2nd of 2 on this deal")
    await expect(panel.get_by_role("link", name="Watch the best run")).to_have_attribute("href", f"/replay/{best}")
    await expect(panel.get_by_role("button", name="Next deal")).to_be_focused()
    streak = panel.locator(".compared li").last
    await expect(streak).to_have_text("1 day in a row")
    assert await streak.evaluate(COLOUR) == await panel.evaluate(COLOUR), "it can be read like all else"
    assert await violations(ann.page, RULES) == []
    await panel.get_by_role("button", name="Race the best run").click()
    await ann.page.wait_for_url(f"**/play/*?ghost={best}")
    await ann.page.go_back()
    await panel.get_by_role("button", name="Next deal").click()
    await expect(ann.page.get_by_role("heading", level=1)).to_contain_text("Quatorze")


@pytest.mark.browser
async def test_after_a_casual_game_another_is_dealt_at_once_and_the_deals_of_today_are_near(seated: Seated) -> None:
    seat = await seated("klondike-draw-one", viewport=PHONE, has_motion=True)
    await seat.person.resign()
    panel = seat.page.get_by_role("dialog", name="Resigned")
    await expect(panel.get_by_role("link", name="Today’s deals")).to_have_attribute("href", "/")
    await expect(panel.get_by_role("button", name="So close!")).to_have_count(0)
    await panel.get_by_role("button", name="Another deal").click()
    await expect(panel).to_have_count(0)
    await expect(seat.page).not_to_have_url(re.compile(seat.game))
    await expect(seat.page).to_have_url(re.compile("/play/"))
