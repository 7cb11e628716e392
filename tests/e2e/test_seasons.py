"""A season in a real browser: one's own division first, oneself marked, and who would rise and fall."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from cadogan.server.core import dates
from cadogan.server.core.web.requests import SESSION_COOKIE
from tests.e2e.person import Person
from tests.harness.chromium import DESKTOP, PHONE
from tests.harness.evening_actions import open_room
from tests.harness.finished_games import finish
from tests.harness.hosts import with_role


@pytest.mark.browser
async def test_a_season_shows_ones_own_division_first_with_who_rises_and_falls(
    database_url: str, browser: Browser
) -> None:
    async with open_room(database_url, count=1) as room:
        node = room.first
        reader = await Person.away(browser, f"{node.url}/", DESKTOP, 0)
        page = reader.page
        await reader.go("season")
        await expect(page.get_by_text("There is no season here yet.")).to_be_visible()
        await expect(page.locator("#bar [aria-current]")).to_have_text("Races")
        host = await with_role(node, "Rosamund", "host")
        guests = [await node.guest() for _ in range(18)]
        for number in range(2):
            day = dates.add_days("2026-11-16", number)
            for place, guest in enumerate(guests):
                await finish(node.server.store, guest.id, "maze", "lost", day=day, score=50 - place)
        await room.pass_time(dates.week_begins("2026-W48") - room.clock.at)
        settings = {"on": True, "weeks": 1, "size": 8, "least_sessions": 0}
        status, answer = await host.ask("PUT", "/house/seasons", settings)
        assert status == 200, answer
        status, season = await host.ask("GET", "/seasons/2026-W48")
        assert status == 200, season
        lower = {row["player"]["id"] for row in season["divisions"][1]["rows"]}
        own = next(guest for guest in guests if guest.id in lower)
        cookie = {"name": SESSION_COOKIE, "value": own.token, "url": node.url}
        await page.context.add_cookies([cookie])  # type: ignore[list-item]
        await reader.go("season")
        divisions = page.get_by_role("heading", level=2)
        await expect(divisions).to_have_text(["Division 2", "Division 1"])
        boxes = [await page.locator("section.panel").nth(number).bounding_box() for number in range(2)]
        (above, below) = [box for box in boxes if box]
        assert below["y"] > above["y"] + above["height"]
        rows = page.get_by_role("row")
        await expect(rows).to_have_count(20)
        await expect(page.locator("tbody").first.locator("tr.own")).to_have_count(1)
        await expect(page.get_by_text("↑ rises")).to_have_count(1)
        await expect(page.get_by_text("↓ falls")).to_have_count(1)
        await page.set_viewport_size(PHONE)
        await page.get_by_role("columnheader", name="Sessions").first.click(trial=True)
        await page.get_by_role("button", name="Leave the season").click()
        await page.get_by_role("dialog").get_by_role("button", name="Leave the season").click()
        await expect(page.locator("tbody tr.own")).to_contain_text("has left")
        await expect(page.get_by_role("button", name="Leave the season")).to_have_count(0)
        await page.reload()
        await expect(page.locator("tbody tr.own")).to_contain_text("has left")


@pytest.mark.browser
async def test_a_host_switches_seasons_on_without_demotion_and_off(database_url: str, browser: Browser) -> None:
    async with open_room(database_url, count=1) as room:
        host = await with_role(room.first, "Rosamund", "host")
        person = await Person.away(browser, f"{room.first.url}/", DESKTOP, 0)
        page = person.page
        await page.context.add_cookies([{"name": SESSION_COOKIE, "value": host.token, "url": room.first.url}])
        await person.go("house")
        await page.get_by_role("button", name="Seasons").click()
        await expect(page.get_by_label("Have seasons: when one ends, the next one begins")).to_be_visible()
        await page.reload()
        await page.get_by_label("Have seasons: when one ends, the next one begins").check()
        await page.get_by_label("Players in a division").fill("7")
        await page.get_by_role("button", name="Save").click()
        assert await page.get_by_label("Players in a division").evaluate("field => field.validity.rangeUnderflow")
        await page.get_by_label("Players in a division").fill("9")
        await page.get_by_label("The last of a division fall").uncheck()
        await page.get_by_role("button", name="Save").click()
        await expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
        _, listed = await host.get("/seasons")
        settings = listed["settings"]
        assert (settings["on"], settings["size"], settings["demotion"], len(listed["seasons"])) == (True, 9, False, 1)
        await page.reload()
        await page.get_by_label("Have seasons: when one ends, the next one begins").uncheck()
        await page.get_by_role("button", name="Save").click()
        await expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
        assert not (await host.get("/seasons"))[1]["settings"].get("on", False)


@pytest.mark.browser
async def test_the_owner_of_a_group_switches_its_season_on_and_finds_its_page(
    database_url: str, browser: Browser
) -> None:
    async with open_room(database_url, count=1) as room:
        owner = await room.first.guest()
        _, group = await owner.post("/groups", {"name": "The snug"})
        person = await Person.away(browser, f"{room.first.url}/", DESKTOP, 0)
        page = person.page
        await page.context.add_cookies([{"name": SESSION_COOKIE, "value": owner.token, "url": room.first.url}])
        await person.go(f"groups/{group['id']}")
        await page.get_by_label("Have seasons: when one ends, the next one begins").check()
        await page.get_by_role("button", name="Save").click()
        await expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
        await page.reload()
        await page.get_by_role("link", name="Season", exact=True).click()
        await expect(page.get_by_text("Nobody has played in this season yet.")).to_be_visible()
        await page.reload()
        await expect(page.get_by_role("heading", name="Season", exact=True)).to_be_visible()
        await page.get_by_role("link", name="The snug").click()
        await expect(page.get_by_role("heading", name="The snug")).to_be_visible()
