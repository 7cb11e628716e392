"""Teams of an evening in real browsers: chosen with the name, assigned by the leader, and standing on page and wall."""

from __future__ import annotations

import os
from typing import Any

import pytest
from playwright.async_api import Browser, ViewportSize, expect

from tests.e2e.club import Clubs
from tests.e2e.person import Person
from tests.e2e.test_evenings import MINUTE, WALL, print_out
from tests.harness.chromium import DESKTOP, PHONE

SIZES = {"phone": PHONE, "lying": ViewportSize(width=844, height=390), "desk": ViewportSize(width=1280, height=800)}


async def take_pictures(person: Person, name: str) -> None:
    """Keep pictures of the page where PICTURES names a folder."""
    folder = os.environ.get("PICTURES")
    for size, viewport in SIZES.items() if folder else ():
        await person.page.set_viewport_size(viewport)
        await person.page.screenshot(path=f"{folder}/{name}-{size}.png", full_page=True)


async def give_up(person: Person, evening: str) -> None:
    """Open the deal of the open round, and resign."""
    await person.go(f"evenings/{evening}")
    await person.page.get_by_role("button", name="Play round 1").click()
    await person.page.get_by_role("button", name="Resign").click()
    await person.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    await person.page.get_by_role("dialog").get_by_role("link", name="To the standing").click()
    await expect(person.page.locator(".evening-state")).to_be_visible()


@pytest.mark.browser
async def test_a_guest_chooses_a_team_with_the_name_and_the_leader_puts_another_one_into_theirs(
    clubs: Clubs, browser: Browser
) -> None:
    club = await clubs({"gentle": "quatorze"})
    leader, rosa = await club.newcomer(browser, DESKTOP), await club.newcomer(browser, PHONE)
    wall = await club.newcomer(browser, WALL)
    await leader.ask("/session/guest", {})
    await leader.ask("/groups", {"name": "Thursdays"})
    await leader.go("evenings")
    await leader.page.get_by_label("Name", exact=True).fill("Thursday")
    await leader.page.locator("form", has_text="Make an evening").get_by_text("More choices").click()
    await leader.page.get_by_label("Who may enter").select_option(label="Thursdays")
    await leader.page.get_by_label("Rounds").select_option("1")
    await leader.page.get_by_label("Teams, one name on each line").fill("Elms\nOaks")
    await leader.page.get_by_label("Best results of a team").select_option("1")
    await take_pictures(leader, "teams-make")
    await leader.page.set_viewport_size(DESKTOP)
    await leader.page.get_by_role("button", name="Announce it").click()
    await expect(leader.page.get_by_role("heading", name="Who is in")).to_be_visible()
    id = leader.page.url.rpartition("/")[2]
    evening: dict[str, Any] = await leader.page.evaluate(
        "async (id) => (await fetch(`/api/v1/evenings/${id}`)).json()", id
    )
    await rosa.ask("/session/guest", {})
    await rosa.go(f"e/{evening['code']}")
    await expect(rosa.page.get_by_text("This evening is for the members of a group.")).to_be_visible()
    await expect(rosa.page.get_by_label("Your first name")).to_have_count(0)
    groups = await leader.page.evaluate("async () => (await fetch('/api/v1/groups')).json()")
    await rosa.ask("/groups/join", {"token": groups["groups"][0]["token"]})
    for person, name, team in ((rosa, "Rosa", "Elms"), (leader, "Emil", "No team")):
        await person.go(f"e/{evening['code']}")
        await person.page.get_by_label("Your first name").fill(name)
        await person.page.get_by_label("Your team").select_option(label=team)
        await take_pictures(person, f"teams-sit-{name}")
        await person.page.get_by_role("button", name="Enter").click()
        await expect(person.page.get_by_role("heading", name="Who is in")).to_be_visible()
    await leader.page.set_viewport_size(DESKTOP)
    await leader.page.get_by_label("The team of Emil").select_option(label="Oaks")
    await take_pictures(leader, "teams-entered")

    club.clock.turn_to(evening["rounds"][0]["opens_at"] + MINUTE // 60)
    for person in (rosa, leader):
        await give_up(person, id)
    await rosa.page.reload()
    await expect(rosa.page.locator("section.panel section .evening-table tbody tr")).to_have_count(2)
    await expect(rosa.page.get_by_label("The team of Emil")).to_have_count(0)
    await take_pictures(rosa, "teams-standing")
    await wall.go(f"screen/{id}")
    for who, shown in (("Elms", "Teams"), ("Emil", "People")):
        await expect(wall.page.locator(".wall-rows li").filter(has_text=who)).to_be_visible()
        await expect(wall.page.locator(".wall-round")).to_contain_text(shown)

    club.clock.turn_to(evening["final_at"] + 1000)
    await leader.go(f"evenings/{id}/print")
    elms = leader.page.locator(".certificate").filter(has=leader.page.get_by_role("heading", name="Elms"))
    await expect(elms).to_contain_text("1st of 2")
    await expect(elms.get_by_text("Rosa", exact=True)).to_be_visible()
    await expect(elms).to_contain_text("50.00\u00a0% in 1 round")
    assert await print_out(leader, "teams-certificates") == 4
