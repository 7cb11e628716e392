"""A season in a real browser: one's own division first, oneself marked, and who would rise and fall."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from cadogan.server.core import dates
from cadogan.server.core.web.requests import SESSION_COOKIE
from tests.e2e.person import DESKTOP, Person
from tests.harness.evening_actions import open_room
from tests.harness.finished_games import finish
from tests.harness.hosts import with_role


@pytest.mark.browser
async def test_a_season_shows_ones_own_division_first_with_who_rises_and_falls(
    database_url: str, browser: Browser
) -> None:
    async with open_room(database_url, count=1) as room:
        node = room.first
        reader = await Person.at(browser, f"{node.url}/", DESKTOP, 0)
        page = reader.page
        await reader.go("season")
        await expect(page.get_by_text("There is no season here yet.")).to_be_visible()
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
        rows = page.get_by_role("row")
        await expect(rows).to_have_count(20)
        await expect(page.locator("tbody").first.locator("tr.own")).to_have_count(1)
        await expect(page.get_by_text("↑ rises")).to_have_count(1)
        await expect(page.get_by_text("↓ falls")).to_have_count(1)
