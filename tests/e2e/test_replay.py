"""Replays in real browsers: running through them, a link to a move, and two runs of a deal held against each other."""

from __future__ import annotations

import asyncio
import re

import pytest
from playwright.async_api import Browser, Route, expect

from tests.e2e.club import Clubs
from tests.e2e.person import Person
from tests.harness.chromium import DESKTOP, PHONE

CARD = {"gentle": "quatorze"}


@pytest.mark.browser
async def test_a_replay_is_run_through_by_keys_by_list_by_plot_and_by_itself(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    player = await club.visitor(browser, DESKTOP)
    seen = await finish(player, moves=4)
    await player.go(f"replay/{player.game}")
    page, marked = player.page, player.page.locator(".notation [aria-current=step]")
    await expect(marked).to_contain_text("The deal")
    assert await player.board() == seen[0]
    await page.keyboard.press("ArrowRight")
    await player.shows_moves(1)
    assert await player.board() == seen[1]
    await page.locator(".notation button").nth(3).click()
    await player.shows_moves(3)
    await page.locator(".drawing").click(position={"x": 1, "y": 20})
    await player.shows_moves(0)
    await page.get_by_label("Speed").select_option("8")
    await page.get_by_role("button", name="Play", exact=True).click()
    await player.shows_moves(4)
    await expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert await player.board() == seen[4]


@pytest.mark.browser
async def test_a_link_leads_another_to_the_very_move(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    player, friend = await club.newcomer(browser, DESKTOP), await club.newcomer(browser, PHONE)
    await player.go("games/quatorze")
    await player.page.get_by_role("button", name="Start a game").click()
    await player.takes_a_seat()
    seen = await play_to_the_end(player, moves=3)
    await player.go(f"replay/{player.game}")
    await player.page.get_by_role("region", name="Analysis").wait_for()  # it comes later, and moves the buttons
    await player.page.get_by_role("button", name="Next move").click()
    await player.page.get_by_role("button", name="Next move").click()
    await player.page.wait_for_url(f"**/replay/{player.game}?move=2")
    await friend.page.goto(player.page.url)
    await friend.shows_moves(2)
    assert await friend.board() == seen[2]
    await friend.go(f"replay/{player.game}?move=nonsense")
    await friend.shows_moves(0)


@pytest.mark.browser
async def test_a_replay_keeps_its_step_and_its_table_while_the_rest_comes(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    player = await club.visitor(browser, PHONE)
    seen = await finish(player, moves=3)
    page = player.page
    whole = asyncio.Event()

    async def answer_late(route: Route) -> None:
        await whole.wait()
        await route.continue_()

    await page.route("**/result", answer_late)
    await player.go(f"replay/{player.game}")
    band = page.get_by_role("region", name="Analysis")
    await band.wait_for()  # it moves the buttons
    await player.shows_moves(0)
    await page.get_by_role("button", name="Next move").click()
    await page.get_by_role("button", name="Next move").click()
    at_first = await page.locator(".felt").bounding_box()
    whole.set()
    await expect(page.locator(".notation [aria-current=step]")).to_have_count(1)
    await player.shows_moves(2)
    assert await player.board() == seen[2]
    await page.wait_for_url(f"**/replay/{player.game}?move=2")
    assert await page.locator(".felt").bounding_box() == at_first
    await expect(band.get_by_role("alert")).to_contain_text("when the day, round or race is over")
    await expect(band.locator(".verdicts")).to_be_hidden()
    await page.unroute_all(behavior="wait")


@pytest.mark.browser
async def test_keys_scroll_the_next_page_although_the_replay_before_it_is_still_loading(
    clubs: Clubs, browser: Browser
) -> None:
    club = await clubs(CARD)
    player = await club.newcomer(browser, DESKTOP)
    await player.has_played(moves=1)
    page, whole = player.page, asyncio.Event()

    async def answer_late(route: Route) -> None:
        await whole.wait()
        await route.continue_()

    async def scrolls() -> bool:
        return bool(await page.evaluate("dispatchEvent(new KeyboardEvent('keydown', {key: 'End', cancelable: true}))"))

    await page.route("**/result", answer_late)
    await player.go(f"replay/{player.game}")
    await player.shows_moves(0)
    assert not await scrolls()
    await page.get_by_role("link", name="Games").first.click()
    await expect(page.get_by_role("heading", name="The games")).to_be_visible()
    assert await scrolls()
    whole.set()
    await page.unroute_all(behavior="wait")


@pytest.mark.browser
async def test_two_runs_of_one_deal_are_held_against_each_other(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    one, other = await club.newcomer(browser, DESKTOP), await club.newcomer(browser, PHONE)
    await one.has_played(moves=3)
    await other.has_played(moves=3, choice=-1)
    page = one.page
    await one.go(f"replay/{one.game}")
    choice = page.get_by_label("Compare with…")
    inside, around = await choice.bounding_box(), await page.locator("aside", has=choice).bounding_box()
    assert inside is not None
    assert around is not None
    assert around["x"] <= inside["x"]
    assert inside["x"] + inside["width"] <= around["x"] + around["width"]
    await choice.select_option(other.game)
    await page.wait_for_url(f"**/compare/{one.game},{other.game}")
    await expect(page.locator(".side .board")).to_have_count(2)
    await expect(page.get_by_text("Both tables look the same here.")).to_be_visible()
    await expect(page.get_by_text("The first difference is at move 1:")).to_be_visible()
    await page.get_by_role("button", name="Go", exact=True).click()
    await expect(page.get_by_text("The tables look different here.")).to_be_visible()
    await page.get_by_role("button", name="By time").click()
    await page.get_by_role("button", name="Last position").click()
    await expect(page.locator(".side .figures")).to_have_text([re.compile("3 moves")] * 2)
    await page.get_by_role("button", name="First position").click()
    await expect(page.locator(".side .figures")).to_have_text([re.compile("0 moves")] * 2)


@pytest.mark.browser
async def test_a_run_that_was_looked_at_is_raced_by_its_ghost(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    player = await club.newcomer(browser, DESKTOP)
    await player.has_played(moves=2)
    await player.go(f"replay/{player.game}")
    await player.page.get_by_role("button", name="Race this run").click()
    await player.page.wait_for_url(f"**/play/*?ghost={player.game}")
    await expect(player.page.locator(".ghost .gauge")).to_have_count(2)
    await expect(player.page.locator(".card").first).to_be_visible()


@pytest.mark.browser
async def test_games_of_different_deals_are_not_compared(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    player = await club.newcomer(browser, DESKTOP)
    await player.has_played(moves=1)
    first = player.game
    await player.go("games/louis")
    await player.page.get_by_role("button", name="Start a game").click()
    player.game = ""
    await player.takes_a_seat()
    await player.go(f"compare/{first},{player.game}")
    await expect(player.page.get_by_role("heading", name="These two runs are not of the same deal")).to_be_visible()


async def finish(player: Person, moves: int) -> list[dict[str, str]]:
    """Plays the day's deal for a while and gives it up; every table on the way."""
    await player.begin_daily("Quatorze")
    return await play_to_the_end(player, moves)


async def play_to_the_end(player: Person, moves: int) -> list[dict[str, str]]:
    """Plays the first legal move so many times and resigns; every table on the way."""
    seen = [await player.board()]
    for _ in range(moves):
        await player.play(player.legal[0])
        seen.append(await player.board())
    await player.resign()
    return seen
