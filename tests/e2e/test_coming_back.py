"""The second day in real browsers: what somebody who comes back is told, and the collection of what they have won."""

from __future__ import annotations

import aiohttp
import pytest
from playwright.async_api import Browser, Page, expect

from cadogan import engine
from cadogan.server.core import dates
from cadogan.server.core.database.connections import open_database
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.core.web.requests import SESSION_COOKIE
from tests.e2e.club import FIRST_DAY, Club, Clubs
from tests.harness.chromium import DESKTOP, PHONE
from tests.harness.daily_actions import play_and_resign
from tests.harness.finished_games import finish
from tests.harness.people import Person

CARD = {"gentle": "quatorze", "stern": "klondike"}
COLLECTION = {"de": "Sammlung", "hu": "Gyűjtemény", "tr": "Koleksiyon"}


async def arrive(session: aiohttp.ClientSession, club: Club, name: str) -> Person:
    """A new player with a name."""
    person = await Person(club.url.rstrip("/"), session).arrive()
    assert (await person.post("/account", {"name": name, "password": "a long password"}))[0] == 200
    return person


async def open_page(browser: Browser, club: Club, person: Person, path: str = "") -> Page:
    """A page of the club, on the phone of this player."""
    context = await browser.new_context(viewport=PHONE, service_workers="block")
    await context.add_cookies([{"name": SESSION_COOKIE, "value": person.token, "url": club.url}])
    page = await context.new_page()
    await page.goto(club.url + path)
    return page


@pytest.mark.browser
async def test_who_was_here_yesterday_reads_how_it_went_with_friends_before_the_house(
    clubs: Clubs, browser: Browser
) -> None:
    club = await clubs(CARD)
    async with aiohttp.ClientSession() as session:
        ada, ben, eve = [await arrive(session, club, name) for name in ("Ada", "Ben", "Eve")]
        await ada.ask("PUT", "/friends/Ben")
        for person, moves in ((ada, 12), (ben, 14), (eve, 11)):
            await play_and_resign(person, await person.enter(slot=1), moves)
        await play_and_resign(ben, await ben.enter(slot=2), 5)
        club.close_day(FIRST_DAY)
        _, told = await ada.get("/home/yesterday")
        page = await open_page(browser, club, ada)
        panel = page.locator(".yesterday")
        places = panel.locator(".lead > span")
        await expect(places).to_have_count(3)
        friends, house, points = [await places.nth(number).inner_text() for number in range(3)]
        assert friends.startswith("Friends ")
        assert friends.endswith(" of 2")
        assert house.startswith("Everybody ")
        assert house.endswith(" of 3")
        assert points == f"{told['points']} points"
        rows = panel.locator("> .rows li")
        await expect(rows).to_have_count(2)
        await expect(rows.nth(0)).to_contain_text("0 of 3 runs won")
        await expect(rows.nth(1)).to_contain_text("You did not play this one")
        await expect(panel).to_contain_text("1 day in a row")
        await panel.get_by_text("Friends, groups and everybody").click()
        await expect(panel.get_by_role("heading", level=3)).to_have_text(["What friends did", "Friends", "Everybody"])
        await expect(panel.locator(".glances section").first.locator("li")).to_have_count(2)
        await expect(page.get_by_role("heading", level=1)).to_have_text("Two deals today")
        alone = (await open_page(browser, club, eve)).locator(".yesterday summary")
        await expect(alone).to_have_text("Everybody")


@pytest.mark.browser
async def test_a_stranger_and_a_player_without_a_yesterday_see_no_panel(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    stranger = await club.visitor(browser, PHONE)
    await expect(stranger.page.locator(".challenge.today")).to_be_visible()
    loaded = await stranger.page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert [name for name in loaded if "/later.js" in name or "yesterday" in name] == []
    async with aiohttp.ClientSession() as session:
        page = await open_page(browser, club, await arrive(session, club, "Ada"))
        await expect(page.locator(".challenge.today")).to_be_visible()
        await expect(page.locator(".yesterday")).to_have_count(0)


@pytest.mark.browser
async def test_the_first_page_is_there_even_if_yesterday_cannot_be_read(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    async with aiohttp.ClientSession() as session:
        page = await open_page(browser, club, await arrive(session, club, "Ada"), "games")
        await page.route(
            "**/api/v1/home/yesterday", lambda route: route.fulfill(status=503, json={"code": "unavailable"})
        )
        await page.goto(club.url)
        await expect(page.locator(".challenge.today")).to_be_visible()


@pytest.mark.browser
@pytest.mark.parametrize(
    "titles",
    [
        pytest.param({}, id="in_english"),
        pytest.param(COLLECTION, id="in_every_language", marks=pytest.mark.heavy),
    ],
)
async def test_a_collection_shows_every_game_and_what_was_won(
    clubs: Clubs, browser: Browser, sqlite_url: str, titles: dict[str, str]
) -> None:
    club = await clubs(CARD)
    won_at = dates.day_times(FIRST_DAY, 0).opens_at + 1
    async with aiohttp.ClientSession() as session, open_database(sqlite_url) as database:
        ada = await arrive(session, club, "Ada")
        store = SqlStore(database)
        await finish(store, ada.id, "maze", at=won_at, score=48, name="aaaabbbbccccdddd")
        await store.close()
        await play_and_resign(ada, await ada.deal("klondike"), 3)
    visitor = await club.newcomer(browser, DESKTOP)
    await visitor.go(f"players/{ada.id}")
    await visitor.page.get_by_role("link", name="Collection").click()
    page = visitor.page
    games = page.locator(".collected > li")
    await expect(games).to_have_count(len(engine.slugs()))
    await expect(page.locator(".collected > li .table-picture rect").first).to_be_visible()
    maze = page.locator(".collected > .won")
    await expect(maze).to_have_count(1)
    await expect(maze).to_contain_text("First won on 20 November 2026")
    await expect(maze).to_contain_text("Best: 80 moves, 1:01")
    await expect(page.locator(".collected li", has_text="Canfield or Klondike")).to_contain_text(
        "Not won yet. Best score"
    )
    await expect(page.locator(".honours li")).to_have_text(["The first here to win Maze20 November 2026"])
    await expect(page.get_by_text(f"1 of {len(engine.slugs())} games won")).to_be_visible()
    for language, title in titles.items():
        context = await browser.new_context(locale=language)
        other = await context.new_page()
        await other.goto(f"{club.url}players/{ada.id}/collection")
        await expect(other.get_by_role("heading", level=1)).to_have_text(title)
        await expect(other.locator(".collected > li")).to_have_count(len(engine.slugs()))
