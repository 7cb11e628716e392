"""The morning after a day, a deal of it, and the puzzle of the day, on a phone and on a desktop."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from tests.harness.daily_actions import DAY
from tests.harness.running_server import TEST_SETTINGS, open_server
from tests.server.puzzles.test_puzzles import LEFT, LOSING, look, set_puzzle, try_it, winning_line
from tests.server.reviews.test_reviews import analyse, play_day

PHONE = {"width": 390, "height": 844}
NOTHING_IS_CUT_OFF = """() => [...document.querySelectorAll("dialog, dialog .side")].every(
  (one) => one.scrollHeight <= one.clientHeight)"""
"""Whether a dialog shows all that is in it, once it fits its window."""
RIGHT_OF_ITS_ROW = """(cell) => {
  const row = cell.closest("tr");
  const edge = row.getBoundingClientRect().right - parseFloat(getComputedStyle(row).paddingRight);
  return edge - cell.getBoundingClientRect().right < 2;
}"""
SIZES = [PHONE, {"width": 844, "height": 390}, {"width": 1280, "height": 800}]


async def picture(page: Page, name: str) -> None:
    """Look at the page in each size: nothing is cut off at the side. Keep pictures where PICTURES names a folder."""
    for size in SIZES:
        await page.set_viewport_size({"width": size["width"], "height": size["height"]})
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if folder := os.environ.get("PICTURES"):
            await page.screenshot(path=Path(folder) / f"{name}-{size['width']}.png", full_page=True)


@pytest.mark.slow
@pytest.mark.parametrize(("runs", "lost"), [(1, "there 1 run lost it"), (3, "there 3 runs lost it")])
async def test_the_morning_after_tells_where_the_deals_were_lost_and_offers_a_position_to_try(
    browser: Browser, sqlite_url: str, runs: int, lost: str
) -> None:
    async with open_server(replace(TEST_SETTINGS, database_url=sqlite_url)) as server:
        await play_day(server, runs)
        await server.server.reviews.run_due()
        await analyse(server)
        await server.server.reviews.run_due()
        page = await (await browser.new_context()).new_page()
        await page.goto(f"{server.url}/daily/{DAY}")
        await page.get_by_role("link", name="How it was won and lost").click()
        await expect(page.get_by_text(f"Most often between moves 1 and 10: {lost}, of {runs}")).to_be_visible()
        await expect(page.get_by_text("Unknown: no position was found")).to_be_visible()
        await picture(page, "review")
        await page.get_by_role("button", name="Try it from here").click()
        await page.wait_for_url("**/play/*")


@pytest.mark.slow
async def test_the_puzzle_of_the_day_is_tried_given_up_and_its_way_shown(browser: Browser, sqlite_url: str) -> None:
    async with open_server(replace(TEST_SETTINGS, database_url=sqlite_url)) as server:
        server.clock.at += MILLISECONDS_PER_DAY
        await set_puzzle(server)
        solver, loser = await server.guest(), await server.guest()
        await try_it(server, solver, winning_line()[-LEFT:])
        await try_it(server, loser, [LOSING], resign=True)
        page = await (await browser.new_context()).new_page()
        await page.goto(f"{server.url}/puzzle")
        await expect(page.get_by_text("2 players have tried it, 1 solved it.")).to_be_visible()
        await picture(page, "puzzle")
        await page.get_by_role("button", name="Try it").click()
        await page.wait_for_url("**/play/*")
        await expect(page.get_by_role("link", name="Puzzle")).to_be_visible()
        await page.get_by_role("button", name="Let’s play").click()
        await expect(page.get_by_role("button", name="Hint")).to_be_disabled()
        await picture(page, "try")
        await page.goto(f"{server.url}/puzzle")
        await expect(page.get_by_role("button", name="Go on with your try")).to_be_visible()
        await page.get_by_role("button", name="Go on with your try").click()
        await page.get_by_role("button", name="Resign").click()
        await page.get_by_role("dialog").get_by_role("button", name="Resign").click()
        ending = page.get_by_role("dialog", name="Resigned")
        await expect(ending.get_by_role("listitem")).to_have_count(0)
        await expect(ending.get_by_role("link", name="These cards again")).to_have_count(0)
        await picture(page, "try-over")
        await ending.get_by_role("link", name="Back to the puzzle").click()
        await expect(page.get_by_text("You have tried it once.")).to_be_visible()
        await page.get_by_role("button", name="Give up and see the way").click()
        await page.get_by_role("button", name="Show the way").click()
        await expect(page.get_by_role("dialog")).to_contain_text(f"The way: {LEFT} moves")
        await picture(page, "way")
        for size in SIZES:
            await page.set_viewport_size({"width": size["width"], "height": size["height"]})
            await page.wait_for_function(NOTHING_IS_CUT_OFF)
        assert (await look(solver))["tried"] == 3


@pytest.mark.slow
async def test_where_there_is_no_puzzle_the_page_says_why_and_leads_to_the_deals_of_today(
    browser: Browser, sqlite_url: str
) -> None:
    async with open_server(replace(TEST_SETTINGS, database_url=sqlite_url)) as server:
        page = await (await browser.new_context()).new_page()
        errors = list[str]()
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        await page.goto(f"{server.url}/puzzle")
        await expect(page.get_by_text("There is no puzzle now.")).to_be_visible()
        assert errors == []
        await expect(page.locator("main").get_by_text("The puzzle of the day")).to_have_count(1)
        await picture(page, "no-puzzle")
        await page.get_by_role("link", name="Today’s deals").click()
        await expect(page).to_have_url(f"{server.url}/")


@pytest.mark.slow
async def test_a_deal_of_a_closed_day_is_opened_by_its_address_and_the_end_of_a_run_stands_at_the_right(
    browser: Browser, sqlite_url: str
) -> None:
    async with open_server(replace(TEST_SETTINGS, database_url=sqlite_url)) as server:
        await play_day(server, 1)
        page = await (await browser.new_context(viewport=ViewportSize(width=360, height=740), locale="de")).new_page()
        await page.goto(f"{server.url}/deal/{DAY}/1")
        end = page.get_by_role("cell", name="aufgegeben")
        await expect(end).to_be_visible()
        assert await end.evaluate(RIGHT_OF_ITS_ROW)
