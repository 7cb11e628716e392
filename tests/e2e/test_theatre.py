"""Watching in real browsers: stepping back while the game goes on, tables side by side, and what stays covered."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.club import Clubs
from tests.e2e.person import Person
from tests.harness.chromium import DESKTOP, PHONE

CARD = {"gentle": "klondike"}


@pytest.mark.browser
async def test_a_watcher_steps_back_while_the_game_goes_on_and_returns_to_live(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    player, watcher = await club.newcomer(browser, DESKTOP), await club.newcomer(browser, PHONE)
    await begin(player, "quatorze")
    await play_first(player, 2)
    await watcher.go(f"watch/{player.game}")
    await watcher.shows_moves(2)
    now = await watcher.board()
    live = watcher.page.get_by_role("button", name="Live")
    await expect(live).to_have_attribute("aria-pressed", "true")
    await watcher.page.get_by_role("button", name="Previous move").click()
    await watcher.shows_moves(1)
    before = await watcher.board()
    assert before != now
    await play_first(player, 1)
    await expect(watcher.page.locator(".where")).to_contain_text("1 of 3")
    assert await watcher.board() == before
    await live.click()
    await watcher.shows_moves(3)
    assert await watcher.board() == await player.board()


@pytest.mark.browser
async def test_the_theatre_opens_with_what_is_on_puts_games_side_by_side_and_its_address_brings_them_back(
    clubs: Clubs, browser: Browser
) -> None:
    club = await clubs(CARD)
    one, other = await club.newcomer(browser, DESKTOP), await club.newcomer(browser, DESKTOP)
    watcher = await club.newcomer(browser, DESKTOP)
    tables = watcher.page.locator(".tables .board")
    await begin(one, "quatorze")
    await play_first(one, 1)
    await watcher.go("theatre")
    await expect(tables).to_have_count(1)
    await begin(other, "louis")
    await watcher.go(f"theatre/{one.game}")
    await expect(tables).to_have_count(1)
    await watcher.page.get_by_role("button", name="Add").click()
    await expect(tables).to_have_count(2)
    await watcher.page.wait_for_url(f"**/theatre/{one.game},{other.game}")
    await play_first(other, 1)
    await expect(watcher.page.locator(".tables .side").nth(1)).to_contain_text("1 move")
    await watcher.page.reload()
    await expect(tables).to_have_count(2)
    await watcher.page.get_by_role("button", name="Remove").first.click()
    await expect(tables).to_have_count(1)
    await watcher.page.wait_for_url(f"**/theatre/{other.game}")


@pytest.mark.browser
async def test_of_a_deal_yet_to_be_played_the_theatre_shows_a_meter_and_no_card(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    player, watcher = await club.visitor(browser, DESKTOP), await club.visitor(browser, DESKTOP)
    await player.begin_daily("Canfield or Klondike")
    await watcher.begin_daily("Canfield or Klondike")
    own = watcher.game
    await watcher.go(f"theatre/{player.game}")
    covered = watcher.page.locator(".covered")
    await expect(covered).to_contain_text("0 moves")
    await player.play("deal")
    await expect(covered).to_contain_text("1 move,")
    await expect(watcher.page.locator("[data-pile]")).to_have_count(0)
    await watcher.go(f"play/{own}")
    await watcher.takes_a_seat()
    await watcher.resign()
    await watcher.go(f"theatre/{player.game}")
    await expect(watcher.page.locator(".tables .board")).to_have_count(1)
    await expect(covered).to_have_count(0)


async def begin(player: Person, rules: str) -> None:
    """Begins a game of one's own, by its page."""
    await player.go(f"games/{rules}")
    await player.page.get_by_role("button", name="Start a game").click()
    await player.takes_a_seat()


async def play_first(player: Person, moves: int) -> None:
    """Plays the first legal move so many times."""
    for _ in range(moves):
        await player.play(player.legal[0])
