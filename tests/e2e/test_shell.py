"""What stands around the pages, in a real browser: light, all our own, with titles, honest when cut off."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, Request, expect

from cadogan.engine import slugs
from tests.e2e.club import FIRST_DAY, Clubs
from tests.harness.chromium import DESKTOP, PHONE

CARD = {"gentle": "quatorze", "stern": "klondike"}


@pytest.mark.browser
async def test_every_page_has_a_title_and_asks_nobody_else_for_anything(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    player = await club.visitor(browser, DESKTOP)
    asked: list[str] = []

    def ask(request: Request) -> None:
        asked.append(request.url)

    player.page.context.on("request", ask)
    await player.begin_daily("Quatorze")
    await player.resign()
    titles = {}
    for path in visited(player.game):
        await player.go(path)
        await expect(player.page.get_by_role("heading", level=1)).to_be_visible()
        await expect(player.page).to_have_title(re.compile(" · Cadogan$" if path else "^Cadogan$"))
        await player.page.wait_for_load_state("networkidle")
        titles[path] = await player.page.title()
    foreign = [url for url in asked if not url.startswith((club.url, "data:", "blob:"))]
    assert foreign == []
    assert len(asked) > len(titles)
    assert len(set(titles.values())) == len(titles)


def visited(game: str) -> list[str]:
    """An address of every kind."""
    return [
        "",
        "games",
        "games/klondike",
        "winnability",
        "calendar",
        f"daily/{FIRST_DAY}",
        "seal",
        "board/today",
        f"board/deal:{FIRST_DAY}/1",
        "boards/how",
        "races",
        "people",
        "account",
        "settings",
        f"replay/{game}",
        "audit",
        "no/such/page",
    ]


@pytest.mark.browser
async def test_cut_off_from_the_server_a_page_says_so_and_comes_back(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    page = (await club.newcomer(browser, PHONE, offline=True)).page
    await page.goto(club.url)
    await page.get_by_role("link", name="Games").click()
    await page.evaluate("navigator.serviceWorker.ready.then(({ active }) => active.scriptURL)")
    await page.wait_for_function("navigator.serviceWorker.controller !== null")
    await page.context.set_offline(True)
    await page.goto(f"{club.url}calendar")
    await expect(page.get_by_role("heading", name="Not connected")).to_be_visible()
    stored = await page.evaluate(
        "caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((one) => one.keys()))))"
        ".then((stores) => stores.flat().map(({ url }) => new URL(url).pathname))"
    )
    assert "/offline.html" in stored
    assert [path for path in stored if path.startswith(("/api", "/ws"))] == []
    await page.context.set_offline(False)
    await expect(page.get_by_role("heading", name="November 2026")).to_be_visible()


@pytest.mark.browser
async def test_the_way_back_leads_to_where_a_list_was_left(clubs: Clubs, browser: Browser) -> None:
    club = await clubs({"gentle": "klondike"})
    page = (await club.newcomer(browser, PHONE)).page
    await page.goto(f"{club.url}games")
    last = page.locator("main a[href='/games/zodiac']")
    await last.scroll_into_view_if_needed()
    left = await page.evaluate("scrollY")
    assert left > 500
    await last.click()
    await expect(page.get_by_role("heading", level=1, name="Zodiac")).to_be_visible()
    assert await page.evaluate("scrollY") == 0
    await page.go_back()
    await expect(last).to_be_in_viewport()
    await page.wait_for_function("(left) => scrollY === left", arg=left)


@pytest.mark.browser
async def test_a_game_is_found_on_the_shelf_and_the_address_keeps_the_choice(clubs: Clubs, browser: Browser) -> None:
    club = await clubs({"gentle": "klondike"})
    page = (await club.newcomer(browser, PHONE)).page
    await page.goto(f"{club.url}games")
    found, games = page.get_by_role("status").first, page.locator(".shelf > li")
    await expect(found).to_have_text(f"{len(slugs())} games")
    assert await page.locator(".shelf .table-picture:has(rect)").count() == len(slugs())
    await page.get_by_role("searchbox").fill("klondike")
    await expect(games.get_by_role("heading")).to_have_text(
        ["Canfield or Klondike", "Klondike, draw one", "Klondike, draw three"]
    )
    await page.get_by_label("Shelf").select_option("Lady Cadogan’s book")
    await expect(games.get_by_role("heading")).to_have_text(["Canfield or Klondike"])
    await page.get_by_label("Shelf").select_option("All games")
    await page.get_by_role("searchbox").fill("")
    await page.get_by_label("Level").select_option("Easy")
    await page.get_by_label("Packs").select_option("1 pack")
    await page.get_by_label("Order").select_option("Shortest first")
    easy = await games.get_by_role("heading").all_inner_texts()
    assert easy[0] == "Caesar"
    await expect(found).to_have_text(f"{len(easy)} games")
    await games.get_by_role("link").last.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(easy[-1])
    await page.go_back()
    await expect(games.get_by_role("heading")).to_have_text(easy)
    assert page.url.endswith("/games?level=gentle&packs=1&order=short")
    await page.get_by_role("searchbox").fill("nothing is called so")
    await expect(found).to_have_text("No game fits this choice.")
    await page.get_by_role("button", name="Show all games").click()
    await expect(games).to_have_count(len(slugs()))
    assert page.url.endswith("/games")
