"""An arena in real browsers: deal after deal, with the standing on the page and on the wall."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.club import Clubs
from tests.e2e.person import Person
from tests.e2e.test_evenings import MINUTE, WALL, sit_down
from tests.harness.chromium import DESKTOP, PHONE


async def give_up(person: Person) -> None:
    """Resign the game that is open."""
    await expect(person.page.locator(".evening-band")).to_contain_text("Arena")
    await person.page.get_by_role("button", name="Resign").click()
    await person.page.get_by_role("dialog").get_by_role("button", name="Resign").click()


@pytest.mark.browser
async def test_guests_play_one_deal_after_the_other_and_the_wall_shows_their_points(
    clubs: Clubs, browser: Browser
) -> None:
    club = await clubs({"gentle": "quatorze"})
    leader, rosa = await club.newcomer(browser, DESKTOP), await club.newcomer(browser, PHONE)
    wall = await club.newcomer(browser, WALL)
    await leader.ask("/session/guest", {})
    group = await leader.ask("/groups", {"name": "Thursdays"})
    await leader.go("evenings")
    await leader.page.get_by_label("Name", exact=True).fill("The fast hour")
    form = leader.page.locator("form", has_text="Make an evening")
    await form.get_by_text("More choices").click()
    await form.get_by_label("Rounds").select_option("Arena, 60 minutes")
    for field in ("Time for each round", "Final", "Only deals that can", "Teams", "Best results", "Hide the last"):
        await expect(form.get_by_label(field)).to_be_hidden()
    await form.get_by_label("Who may enter").select_option(f"group:{group['id']}")
    wanted = {"title": "The fast hour", "starts_at": club.clock() + 10 * MINUTE, "games": ["quatorze", "klondike"]}
    arena = await leader.ask("/evenings", {**wanted, "arena_minutes": 60, "entry": "link", "group": group["id"]})
    await wall.go(f"screen/{arena['id']}")
    await expect(wall.page.get_by_text(arena["code"], exact=True)).to_be_visible()
    await sit_down(rosa, arena["code"], "Rosa")
    await expect(rosa.page.get_by_text("The arena begins in")).to_be_visible()

    club.clock.turn_to(arena["arena"]["opens_at"] + 1000)
    await rosa.page.reload()
    await rosa.page.get_by_role("button", name="Play deal 1").click()
    again = rosa.page.locator("button.again")  # it would give up the only run of this deal
    await expect(again).to_be_attached()
    await expect(again).to_be_hidden()
    await give_up(rosa)
    ending = rosa.page.get_by_role("dialog")
    await expect(ending.get_by_role("link", name="These cards again")).to_have_count(0)
    await ending.get_by_role("button", name="Next deal").click()
    await expect(ending).to_have_count(0)
    await give_up(rosa)
    await ending.get_by_role("link", name="To the standing").click()
    await expect(rosa.page.get_by_role("button", name="Play deal 3")).to_be_visible()
    await rosa.page.get_by_role("button", name="0 0").click()
    await expect(rosa.page.get_by_role("dialog").get_by_role("link", name="Replay")).to_have_count(2)
    await rosa.page.get_by_role("dialog").get_by_role("button", name="Close").click()
    await wall.page.reload()
    await expect(wall.page.locator(".wall-rows li")).to_have_count(1)
    await expect(wall.page.locator(".wall-state")).to_contain_text("Arena: ")

    await rosa.page.get_by_role("button", name="Play deal 3").click()
    await expect(rosa.page.locator(".evening-band")).to_contain_text("Arena")
    club.clock.turn_to(arena["arena"]["closes_at"] + 1000)
    await give_up(rosa)
    await expect(ending.get_by_role("button", name="Next deal")).to_have_count(0)
    await ending.get_by_role("link", name="To the standing").click()
    await rosa.page.reload()
    await expect(rosa.page.get_by_text("The arena is over.")).to_be_visible()
    await expect(rosa.page.get_by_role("link", name="Standing for a spreadsheet")).to_be_visible()
    session = await rosa.page.evaluate("async () => (await fetch('/api/v1/session')).json()")
    await rosa.go(f"players/{session['player']['id']}")
    await expect(rosa.page.get_by_text("An evening · ")).to_have_count(3)
