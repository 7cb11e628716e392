"""An evening in real browsers: by the code, under a first name, to the standing, and on the wall."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest
from playwright.async_api import Browser, ViewportSize, expect

from tests.e2e.club import Club, Clubs
from tests.e2e.person import Person
from tests.harness.chromium import DESKTOP, PHONE

MINUTE = 60_000
WALL = ViewportSize(width=1920, height=1080)


async def announce(club: Club, leader: Person) -> dict[str, Any]:
    """Let somebody who leads a group make an evening of two rounds that begins in ten minutes."""
    await leader.ask("/session/guest", {})
    group = await leader.ask("/groups", {"name": "Thursdays"})
    wanted = {"title": "Thursday", "starts_at": club.clock() + 10 * MINUTE, "games": ["quatorze"] * 2, "rounds": 2}
    made: dict[str, Any] = await leader.ask("/evenings", {**wanted, "entry": "link", "group": group["id"]})
    return made


async def sit_down(person: Person, code: str, name: str) -> None:
    """Enter by the code, under a first name."""
    await person.go(f"e/{code}")
    await person.page.get_by_label("Your first name").fill(name)
    await person.page.get_by_role("button", name="Enter").click()
    await expect(person.page.get_by_role("heading", name="Who is in")).to_be_visible()


@pytest.mark.browser
async def test_guests_sit_down_by_a_code_play_and_see_what_their_numbers_are_made_of(
    clubs: Clubs, browser: Browser
) -> None:
    club = await clubs({"gentle": "quatorze"})
    leader, rosa = await club.newcomer(browser, DESKTOP), await club.newcomer(browser, PHONE)
    wall = await club.newcomer(browser, WALL)
    evening = await announce(club, leader)
    await wall.go(f"screen/{evening['id']}")
    await expect(wall.page.get_by_text(evening["code"], exact=True)).to_be_visible()
    await leader.go(f"evenings/{evening['id']}")
    for page in (wall.page, leader.page):
        await page.evaluate("document.body.prepend(Object.assign(document.createElement('div'), {id: 'announcement'}))")
    await expect(wall.page.locator("#announcement")).to_have_css("display", "none")
    await expect(leader.page.locator("#announcement")).to_have_css("display", "flex")
    await leader.page.emulate_media(media="print")
    await expect(leader.page.locator("#announcement")).to_have_css("display", "none")
    await leader.page.emulate_media(media="screen")
    for person in (wall, leader):
        empty = person.page.get_by_text("Nobody has entered.")
        await expect(empty).to_contain_text(f"/e/{evening['code']}. A first name is enough.")
    await sit_down(rosa, evening["code"], "Rosa")
    await leader.go(f"evenings/{evening['id']}")
    await leader.page.get_by_role("button", name="Enter").click()
    await leader.page.get_by_label("Your first name").fill("Emil")
    await leader.page.get_by_role("button", name="Enter").click()
    await expect(leader.page.get_by_role("button", name="Leave")).to_be_visible()
    await wall.page.reload()
    await expect(wall.page.locator(".wall-names li")).to_have_text(["Rosa", "Emil"])

    club.clock.turn_to(evening["rounds"][0]["opens_at"] + 1000)
    late = await club.newcomer(browser, DESKTOP)
    await late.go(f"evenings/{evening['id']}")
    await expect(late.page.get_by_role("button", name="Enter")).to_be_visible()
    await expect(late.page.get_by_role("button", name="Play round 1")).to_have_count(0)
    for person in (leader, rosa):
        await person.page.reload()
        await person.page.get_by_role("button", name="Play round 1").click()
        await expect(person.page.locator(".card").first).to_be_visible()
    await expect(rosa.page.locator(".evening-band")).to_contain_text("Round 1")
    await rosa.page.get_by_role("button", name="Resign").click()
    await rosa.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    ending = rosa.page.get_by_role("dialog")
    await expect(ending.get_by_role("link", name="Replay")).to_be_visible()
    await expect(ending.get_by_role("link", name="Download the record")).to_have_count(0)
    await ending.get_by_role("link", name="To the standing").click()
    await expect(rosa.page.locator(".evening-table tbody tr")).to_have_count(1)
    await expect(rosa.page.get_by_text("You have finished this deal.")).to_be_visible()
    await expect(rosa.page.get_by_role("button", name="Go on with round 1")).to_have_count(0)

    club.clock.turn_to(evening["rounds"][0]["closes_at"] + 1000)
    await rosa.page.reload()
    await rosa.page.get_by_role("button", name="Round 1").first.click()
    dialog = rosa.page.get_by_role("dialog")
    await expect(dialog.locator("li")).to_have_count(2)
    await expect(dialog).to_contain_text("better than")
    await expect(dialog.get_by_text("does not count")).to_have_count(0)
    await wall.page.reload()
    await expect(wall.page.locator(".wall-rows li")).to_have_count(2)


@pytest.mark.browser
async def test_an_entrant_objects_on_the_page_and_the_leader_answers(clubs: Clubs, browser: Browser) -> None:
    club = await clubs({"gentle": "quatorze"})
    leader, rosa = await club.newcomer(browser, DESKTOP), await club.newcomer(browser, PHONE)
    evening = await announce(club, leader)
    await sit_down(rosa, evening["code"], "Rosa")
    club.clock.turn_to(evening["rounds"][0]["opens_at"] + 1000)
    await rosa.ask(f"/evenings/{evening['id']}/games", {})
    club.clock.turn_to(evening["rounds"][1]["closes_at"] + 1000)
    await rosa.go(f"evenings/{evening['id']}")
    await expect(rosa.page.get_by_label("Which run?").locator("option")).to_have_text(["The round as a whole", "Rosa"])
    await rosa.page.get_by_label("Which run?").select_option(label="Rosa")
    await rosa.page.get_by_role("button", name="Object").click()
    await expect(rosa.page.get_by_text("Round 1, the run of Rosa")).to_be_visible()
    await expect(rosa.page.get_by_text("not answered yet")).to_be_visible()
    await leader.go(f"evenings/{evening['id']}")
    await expect(leader.page.get_by_role("button", name="Dismiss")).to_be_visible()
    await leader.page.get_by_role("button", name="Uphold").click()
    await expect(leader.page.get_by_text("upheld")).to_be_visible()
    await leader.page.get_by_role("button", name="Let round 1 count for nobody").click()
    await leader.page.get_by_role("dialog").get_by_role("button", name="Yes").click()
    await expect(leader.page.get_by_role("button", name="Let round 1 count for nobody")).to_have_count(0)


async def print_out(person: Person, name: str) -> int:
    """Print the page that is open; return how many pages of A4 it has. Keep them where PICTURES names a folder."""
    folder = os.environ.get("PICTURES")
    printed = await person.page.pdf(prefer_css_page_size=True, path=f"{folder}/{name}.pdf" if folder else None)
    boxes = re.findall(rb"/MediaBox \[([\d. ]+)\]", printed)
    sizes = {tuple(round(float(one) / 72 * 25.4) for one in box.split()) for box in boxes}
    assert sizes == {(0, 0, 210, 297)}
    return len(boxes)


@pytest.mark.browser
async def test_a_sheet_for_the_notice_board_and_certificates_are_printed_on_one_page_each(
    clubs: Clubs, browser: Browser
) -> None:
    club = await clubs({"gentle": "quatorze"})
    leader, rosa, late = [await club.newcomer(browser, size) for size in (DESKTOP, PHONE, PHONE)]
    evening = await announce(club, leader)
    await leader.go(f"evenings/{evening['id']}")
    await leader.page.get_by_role("link", name="Sheet for the notice board").click()
    sheet = leader.page.locator(".sheet")
    await expect(sheet).to_contain_text("2 rounds of 10 min each")
    await expect(sheet.locator(".code")).to_have_text(evening["code"])
    assert await print_out(leader, "notice") == 1

    await sit_down(rosa, evening["code"], "Rosa")
    club.clock.turn_to(evening["rounds"][0]["opens_at"] + 1000)
    for person in (leader, rosa):
        await person.ask(f"/evenings/{evening['id']}/games", {})
    club.clock.turn_to(evening["final_at"] + 1000)
    await late.go(f"e/{evening['code']}")
    await expect(late.page.get_by_text("The standing is final.")).to_be_visible()
    await expect(late.page.get_by_role("button", name="Enter")).to_have_count(0)
    await rosa.go(f"evenings/{evening['id']}")
    await rosa.page.get_by_role("link", name="Certificates").click()
    await expect(rosa.page.locator(".certificate")).to_have_count(2)
    await expect(rosa.page.locator(".certificate h2", has_text="Rosa")).to_be_visible()
    boxes = [
        await rosa.page.locator(f".certificate {one}").first.bounding_box()
        for one in ("h2", "p:nth-child(3)", "p:nth-child(4)")
    ]
    tops = [box["y"] for box in boxes if box]
    assert tops == sorted(tops)
    assert len(tops) == 3
    assert await print_out(rosa, "certificates") == 2


@pytest.mark.browser
async def test_the_wall_goes_on_after_its_network_was_lost_and_says_that_an_evening_is_unknown(
    clubs: Clubs, browser: Browser
) -> None:
    club = await clubs({"gentle": "quatorze"})
    leader, wall = await club.newcomer(browser, DESKTOP), await club.newcomer(browser, WALL)
    evening = await announce(club, leader)
    await wall.go("screen/aaaaaaaaaaaaaaaa")
    await expect(wall.page.get_by_text("There is no such evening.")).to_be_visible()
    await wall.go(f"screen/{evening['id']}")
    await expect(wall.page.locator(".wall-state")).to_contain_text("begins in")
    await wall.page.context.set_offline(True)
    club.clock.turn_to(evening["rounds"][0]["opens_at"] + 1000)
    await wall.page.context.set_offline(False)
    await expect(wall.page.locator(".wall-state")).to_contain_text("Round 1 of 2")


@pytest.mark.browser
async def test_somebody_who_was_not_there_plays_a_final_evening_as_if_they_had_been(
    clubs: Clubs, browser: Browser
) -> None:
    club = await clubs({"gentle": "quatorze"})
    leader, rosa, late = [await club.newcomer(browser, DESKTOP) for _ in range(3)]
    evening = await announce(club, leader)
    await rosa.ask("/session/guest", {})
    for one in evening["rounds"]:
        club.clock.turn_to(one["opens_at"] + 1000)
        for person in (leader, rosa):
            await person.ask(f"/evenings/{evening['id']}/games", {})
    club.clock.turn_to(evening["rounds"][-1]["closes_at"] + 31 * MINUTE)
    await late.go(f"evenings/{evening['id']}")
    await late.page.get_by_role("button", name="Play it as if you had been there").click()
    await late.page.get_by_role("dialog").get_by_role("button", name="Play it as if you had been there").click()
    await late.page.get_by_role("button", name="Play round 1").click()
    await expect(late.page.locator(".card").first).to_be_visible()
    await expect(late.page.locator(".evening-band")).to_contain_text("Round 1: ")
    await late.page.get_by_role("link", name="To the standing").click()
    await expect(late.page.get_by_role("button", name="Go on with round 1")).to_be_visible()
    club.clock.turn_to(club.clock() + 60 * MINUTE)
    await late.page.reload()
    await expect(late.page.get_by_text("You would have been in place 3 of 3")).to_be_visible()


@pytest.mark.browser
async def test_an_evening_is_made_for_every_week_and_its_leader_ends_the_series(clubs: Clubs, browser: Browser) -> None:
    club = await clubs({"gentle": "quatorze"})
    leader = await club.newcomer(browser, PHONE)
    page = leader.page
    await leader.ask("/session/guest", {})
    await leader.ask("/groups", {"name": "Thursdays"})
    await leader.go("evenings")
    await page.get_by_label("Name", exact=True).fill("Thursday")
    await page.get_by_text("More choices").last.click()
    await page.get_by_label("How often").select_option(label="Every Friday")
    await page.get_by_label("Games", exact=True).select_option(label="Golf")
    await page.get_by_label("Bots", exact=True).select_option(label="none")
    await page.get_by_label("What counts").select_option(label="points")
    await page.get_by_label("Final", exact=True).select_option(label="Final for the best 4")
    await expect(page.get_by_label("Who may enter").locator("option")).to_have_text(["Thursdays"])
    await page.get_by_role("button", name="Announce it").click()
    await expect(page.get_by_text("Every Friday")).to_be_visible()
    id = page.url.rpartition("/")[2]
    made = await page.evaluate("async (id) => (await fetch(`/api/v1/evenings/${id}`)).json()", id)
    assert ({one["game"] for one in made["rounds"]}, len(made["rounds"]), made["scoring"]) == ({"golf"}, 7, "points")
    code = await page.locator("p.code").inner_text()
    club.clock.turn_to(club.clock() + 60 * MINUTE)
    await page.reload()
    await page.get_by_role("link", name="The next evening").click()
    await expect(page.locator("p.code")).to_have_text(code)
    await page.get_by_role("button", name="End the series").click()
    await page.get_by_role("dialog").get_by_role("button", name="Yes").click()
    await expect(page.get_by_text("This is the last evening of the series.")).to_be_visible()
