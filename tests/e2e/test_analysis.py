"""The analysis of games in real browsers: where one was lost, a way to win, playing on, and asking at the table."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, Route, ViewportSize, expect

from cadogan.server.core.clock import now
from cadogan.server.core.database.connections import Database
from cadogan.server.core.fairness.sealed_deals import SealedDeals
from cadogan.server.core.games.game_reader import GameReader
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.analysis.analyst import Analyst
from cadogan.server.subjects.analysis.decided_positions import DecidedPositions
from cadogan.server.subjects.analysis.jobs import AnalysisJobs
from cadogan.server.subjects.known_rules import known_rules
from tests.e2e.looks import RULES, violations
from tests.e2e.person import Person
from tests.e2e.seated import Seat, Seated, seated
from tests.harness import fixed_server
from tests.harness.analysts import at_work
from tests.harness.chromium import DESKTOP, PHONE
from tests.harness.daily_actions import close_day, play_and_resign
from tests.server.competitions.daily.test_certified_days import certify_today

__all__ = ["seated"]

LANDSCAPE = ViewportSize(width=844, height=390)
SUITS = {suit: [rank + suit for rank in "A23456789TJQK"] for suit in "SHDC"}
FEW_CARDS = {
    "foundation.0": SUITS["S"],
    "foundation.1": SUITS["H"][:9],
    "foundation.2": SUITS["D"],
    "foundation.3": SUITS["C"][:9],
    "tableau.0": ["TH", "QC"],
    "tableau.1": ["JH"],
    "tableau.2": ["KH"],
    "tableau.3": ["KC"],
    "tableau.4": ["QH"],
    "waste": ["JC"],
    "stock": ["-TC"],
}
"""Cards of Klondike that can be won, unless the jack of hearts is laid on the card that covers the ten of hearts."""
LOSING_MOVES = ["deal", "tableau.1/tableau.0", "waste/foundation.3"]
"""The second one loses."""
WINDOWS = pytest.mark.parametrize(
    "window",
    [
        pytest.param(PHONE, id="phone"),
        pytest.param(LANDSCAPE, id="landscape", marks=pytest.mark.heavy),
        pytest.param(DESKTOP, id="desktop", marks=pytest.mark.heavy),
    ],
)


@pytest_asyncio.fixture(loop_scope="session")
async def analyst(sqlite_url: str) -> AsyncIterator[None]:
    """An analyst at work beside the server."""
    database = Database(sqlite_url)
    store = SqlStore(database)
    reader = GameReader(store, SealedDeals(database), known_rules())
    async with at_work(Analyst(AnalysisJobs(database, now), DecidedPositions(database, now), reader)):
        yield
    await store.close()
    await database.close()


@pytest.mark.browser
@WINDOWS
async def test_a_lost_game_is_analysed_and_played_on_from_where_it_could_be_won(
    seated: Seated, analyst: None, window: ViewportSize
) -> None:
    seat = await seated("klondike", FEW_CARDS)
    page = seat.page
    await lose(seat)
    await page.set_viewport_size(window)
    await seat.person.go(f"replay/{seat.game}")
    await page.get_by_role("button", name="Where was it lost?").click()
    band = page.get_by_role("region", name="Analysis")
    sentence = re.compile(r"^Could be won until move 1\. Lost with move 2: \d of \d moves kept the win\.$")
    await expect(band.get_by_role("status")).to_have_text(sentence)
    await expect(band.get_by_role("img", name=sentence)).to_be_visible()
    await expect(band.locator(".pieces .verdict")).to_have_class(["verdict won", "verdict lost"])
    assert await shares(band.locator(".pieces .verdict")) == [2, 2]
    await band.get_by_role("button", name="Lost here: move 2").press("Enter")
    await expect(page.locator(".notation [aria-current=step]")).to_contain_text("jack of hearts")
    await expect(band).to_contain_text("Move 2: lost: it cannot be won from here")
    await expect(band.get_by_role("button", name="Show a way from here")).to_be_hidden()
    from_won = band.get_by_role("button", name="Play on from move 1, which can be won")
    await expect(from_won).to_be_visible()
    await page.keyboard.press("ArrowLeft")
    await expect(band).to_contain_text(re.compile(r"Move 1: can be won; \d of \d moves keep the win"))
    await expect(from_won).to_be_hidden()
    assert await violations(page, RULES) == []
    assert await is_as_wide_as_its_window(page)

    await band.get_by_role("button", name="Show a way from here").click()
    way = page.get_by_role("dialog", name="A way to win from move 1: 8 moves")
    await expect(way.get_by_role("button", name="Play", exact=True)).to_be_focused()
    await expect(way.locator(".notation .ply").nth(2)).to_be_in_viewport(ratio=0.9)
    await page.keyboard.press("End")
    await expect(way.locator(".figures")).to_contain_text("208 of 208")
    await expect(way.locator(".notation [aria-current=step]")).to_be_in_viewport(ratio=0.9)
    assert await violations(page, RULES) == []
    await page.keyboard.press("Escape")
    await expect(way).to_have_count(0)
    await expect(page.locator(".where").filter(visible=True)).to_contain_text("1 of 3")

    await page.keyboard.press("End")
    await from_won.click()
    await page.wait_for_url("**/play/*")
    origin = page.get_by_role("link", name="Played on from move 1 of Guest")
    await expect(origin).to_be_visible()
    await seat.shows("waste", "top card ten of clubs, 1 more face up")
    await origin.click()
    await page.wait_for_url(f"**/replay/{seat.game}?move=1")


@pytest.mark.browser
async def test_a_replay_that_is_not_yet_whole_is_played_on_from_the_move_of_its_address(seated: Seated) -> None:
    seat = await seated("klondike", FEW_CARDS)
    page = seat.page
    await lose(seat)
    whole = asyncio.Event()

    async def answer_late(route: Route) -> None:
        await whole.wait()
        await route.continue_()

    await page.route("**/result", answer_late)
    await seat.person.go(f"replay/{seat.game}?move=1")
    await expect(page.get_by_role("region", name="Analysis")).to_contain_text("Move 1")
    await page.get_by_role("button", name="Play on from here").click()
    await expect(page.get_by_role("link", name="Played on from move 1 of Guest")).to_be_visible()
    whole.set()
    await page.unroute_all(behavior="wait")


@pytest.mark.browser
async def test_a_player_is_told_whether_the_game_can_still_be_won_and_how(seated: Seated, analyst: None) -> None:
    seat = await seated("klondike", FEW_CARDS, PHONE)
    page = seat.page
    answer = page.locator(".winnable")
    await page.get_by_role("button", name="Still winnable?").click()
    await expect(answer).to_contain_text("Yes: this can still be won.")
    await answer.get_by_role("button", name="Show a move").click()
    await expect(page.locator(".outline")).not_to_have_count(0)
    await answer.get_by_role("button", name="Show the way").click()
    way = page.get_by_role("dialog", name=re.compile(r"^A way to win: \d+ moves$"))
    await way.get_by_role("button", name="Last position").click()
    await expect(way.locator(".figures")).to_contain_text("208 of 208")
    await way.get_by_role("button", name="Back to the game").click()
    await page.get_by_role("button", name="Hint").click()
    await expect(page.get_by_text("The game can still be won after it.")).to_be_visible()
    await seat.person.play("deal")
    await expect(answer).to_be_empty()
    await seat.person.play("tableau.1/tableau.0")
    await page.get_by_role("button", name="Still winnable?").click()
    await expect(answer).to_contain_text("No: this is lost.")
    assert await violations(page, RULES) == []
    await answer.get_by_role("button", name="Take back", exact=True).click()
    await expect(answer).to_be_empty()
    await seat.shows("tableau.1", "top card jack of hearts")


@pytest.mark.browser
@WINDOWS
async def test_from_a_lost_position_one_gets_back_to_the_last_that_is_known_to_be_winnable(
    seated: Seated, analyst: None, window: ViewportSize
) -> None:
    seat = await seated("klondike", FEW_CARDS, window)
    page = seat.page
    answer = page.locator(".winnable")
    await page.get_by_role("button", name="Still winnable?").click()
    await expect(answer).to_contain_text("Yes: this can still be won.")
    for move in LOSING_MOVES:
        await seat.person.play(move)
    await page.get_by_role("button", name="Still winnable?").click()
    await expect(answer).to_contain_text("No: this is lost.")
    await answer.get_by_role("button", name="Take back 2 moves: winnable there").click()
    await expect(answer).to_be_empty()
    await seat.shows("tableau.1", "top card jack of hearts")
    await seat.shows("waste", "top card ten of clubs, 1 more face up")
    await seat.person.hears_of_version(len(LOSING_MOVES) + 3)
    assert (await seat.sitting()).version == len(LOSING_MOVES) + 3


@pytest.mark.browser
async def test_nobody_asks_whether_a_ranked_run_can_still_be_won(seated: Seated) -> None:
    seat = await seated("klondike", FEW_CARDS)
    await expect(seat.page.get_by_role("button", name="Still winnable?")).to_be_visible()
    await seat.person.go("")
    await seat.person.begin_daily("Canfield or Klondike")
    await expect(seat.page.get_by_role("button", name="Hint")).to_be_visible()
    await expect(seat.page.get_by_role("button", name="Still winnable?")).to_be_hidden()


@pytest.mark.browser
async def test_two_runs_are_compared_by_what_their_difference_cost(seated: Seated, analyst: None) -> None:
    seat = await seated("klondike", FEW_CARDS)
    page = seat.page
    await lose(seat)
    await seat.person.go(f"replay/{seat.game}?move=1")
    await page.get_by_role("button", name="Play on from here").click()
    await page.wait_for_url("**/play/*")
    other = page.url.rpartition("/")[2]
    seat.person.game = other
    await seat.person.go(f"play/{other}")
    await expect(page.locator(".card").first).to_be_visible()
    await seat.person.play("waste/foundation.3")
    await seat.person.resign()
    await seat.person.go(f"compare/{seat.game},{other}")
    panel = page.locator(".cost")
    await expect(panel).to_contain_text("They went together for 1 move. An analysis would say")
    await panel.get_by_role("button", name="Analyse both runs").click()
    await expect(panel).to_contain_text("They went together for 1 move. The game could be won then.")
    runs = panel.get_by_role("listitem")
    await expect(runs.nth(0)).to_contain_text("lost the win here")
    await expect(runs.nth(0)).to_contain_text("Lost here: move 2")
    await expect(runs.nth(1)).to_contain_text("kept the win here")
    assert await violations(page, RULES) == []
    await runs.nth(0).get_by_role("link", name="Replay from there").click()
    await page.wait_for_url(f"**/replay/{seat.game}?move=2")


@pytest.mark.browser
@WINDOWS
async def test_the_level_of_a_certified_deal_stands_with_the_analysis_when_its_day_has_closed(
    browser: Browser, sqlite_template: Path, window: ViewportSize
) -> None:
    async with fixed_server.open_fixed_server(sqlite_template, "caesar") as serving:
        await certify_today(serving)
        ann = await fixed_server.person(serving, "ann")
        game = await ann.enter()
        await play_and_resign(ann, game, moves=1)
        await close_day(serving)
        visitor = await Person.away(browser, f"{serving.url}/", window, 0)
        await visitor.go(f"replay/{game}")
        band = visitor.page.get_by_role("region", name="Analysis")
        await expect(band.get_by_text(re.compile(r"Certified\. Par: \d+ moves · This deal: Easy"))).to_be_visible()
        assert await is_as_wide_as_its_window(visitor.page)


async def lose(seat: Seat) -> None:
    """Plays on from the few cards until the game is lost, and gives it up."""
    for move in LOSING_MOVES:
        await seat.person.play(move)
    await seat.person.resign()


async def shares(pieces: Locator) -> list[int]:
    """How many steps each piece of the strip stands for."""
    found: list[int] = await pieces.evaluate_all("(all) => all.map((one) => Number(one.style.flexGrow))")
    return found


async def is_as_wide_as_its_window(page: Page) -> bool:
    """Whether nothing has to be scrolled sideways."""
    found: bool = await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return found
