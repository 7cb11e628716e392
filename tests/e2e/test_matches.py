"""A duplicate match in real browsers: challenged from the page of a player, accepted on a phone, played by both."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.club import Clubs
from tests.e2e.test_teams import give_up, take_pictures
from tests.harness.chromium import DESKTOP, PHONE


@pytest.mark.browser
async def test_a_player_is_challenged_from_their_page_accepts_and_both_play(clubs: Clubs, browser: Browser) -> None:
    club = await clubs({"gentle": "quatorze"})
    ada, bob = await club.newcomer(browser, DESKTOP), await club.newcomer(browser, PHONE)
    await ada.claims("Ada")
    await bob.claims("Bob")
    session = await (await bob.page.request.get(f"{club.url}api/v1/session")).json()
    await ada.go(f"players/{session['player']['id']}")
    await take_pictures(ada, "match-profile")
    await ada.page.set_viewport_size(DESKTOP)
    await ada.page.get_by_role("link", name="Challenge").click()
    await expect(ada.page.get_by_label("Name of the player")).to_have_value("Bob")
    await ada.page.locator(".panel", has_text="Matches of two").get_by_text("More choices").click()
    await ada.page.get_by_label("Deals").select_option("1")
    await take_pictures(ada, "match-form")
    await ada.page.set_viewport_size(DESKTOP)
    await bob.go("")
    await expect(bob.page.locator(".meters, .today").first).to_be_visible()
    await ada.page.get_by_role("button", name="Challenge").click()
    await expect(ada.page.get_by_role("heading", name="Ada – Bob")).to_be_visible()
    await expect(ada.page.locator(".evening-state")).to_contain_text("Waiting for Bob")
    await expect(ada.page.get_by_role("button", name="Withdraw")).to_be_visible()
    await expect(ada.page.locator(".rounds")).not_to_contain_text(":")
    await expect(ada.page.locator(".rounds")).to_contain_text("10 min")
    id = ada.page.url.rpartition("/")[2]

    await expect(bob.page.get_by_role("link", name="Look at the challenge")).to_be_visible()
    await take_pictures(bob, "match-home")
    await bob.go("evenings")
    await expect(bob.page.get_by_text("challenges you")).to_be_visible()
    await take_pictures(bob, "match-lobby")
    await bob.page.set_viewport_size(PHONE)
    await bob.page.get_by_role("link", name="Ada – Bob").click()
    await expect(bob.page.get_by_role("button", name="Decline")).to_be_visible()
    await expect(bob.page.locator(".evening-state")).to_contain_text("Waiting for you")
    await take_pictures(bob, "match-challenged")
    await bob.page.set_viewport_size(PHONE)
    await ada.go("")
    await expect(ada.page.locator(".meters, .today").first).to_be_visible()
    await bob.page.get_by_role("button", name="Accept").click()
    await expect(bob.page.locator(".evening-state")).to_contain_text("begins in")
    await expect(bob.page.locator(".rounds")).to_contain_text(":")
    await ada.page.locator(".continue li", has_text="Ada – Bob").get_by_role("link", name="To the standing").click()
    await expect(ada.page.locator(".evening-state")).to_contain_text("begins in")

    begins = await bob.page.evaluate(
        "async (id) => (await (await fetch(`/api/v1/evenings/${id}`)).json()).rounds[0].opens_at", id
    )
    club.clock.turn_to(begins + 1000)
    for person in (ada, bob):
        await give_up(person, id)
    await bob.page.reload()
    await expect(bob.page.locator(".evening-state")).to_have_text("The standing is final.")
    await expect(bob.page.locator(".evening-table tbody tr")).to_have_count(2)
    await take_pictures(bob, "match-final")
    await bob.page.get_by_role("button", name="Rematch").click()
    await expect(bob.page.locator(".evening-state")).to_contain_text("Waiting for Ada")


@pytest.mark.browser
async def test_a_guest_takes_a_match_behind_a_link(clubs: Clubs, browser: Browser) -> None:
    club = await clubs({"gentle": "quatorze"})
    ada, rosa = await club.newcomer(browser, DESKTOP), await club.newcomer(browser, PHONE)
    await ada.go("evenings")
    await ada.page.get_by_label("Against").select_option(label="Whoever has the link")
    await ada.page.get_by_role("button", name="Challenge").click()
    code = await ada.page.locator(".code-panel .code").inner_text()
    await rosa.go("e/AAAAAA")
    await rosa.page.locator("main").get_by_role("link", name="Evenings").click()
    await expect(rosa.page.get_by_label("The code on the screen or sheet")).to_be_visible()
    await rosa.go(f"e/{code}")
    await rosa.page.get_by_label("Your first name").fill("Rosa")
    await rosa.page.get_by_role("button", name="Accept").click()
    await expect(rosa.page.locator(".evening-state")).to_contain_text("begins in")
    await ada.page.reload()
    await expect(ada.page.get_by_role("heading", level=1)).to_contain_text("– Rosa")
    await expect(ada.page.locator(".code-panel")).to_be_hidden()
    id = ada.page.url.rpartition("/")[2]
    begins = (await (await ada.page.request.get(f"{club.url}api/v1/evenings/{id}")).json())["rounds"][0]["opens_at"]
    club.clock.turn_to(begins + 1000)
    await rosa.page.reload()
    await rosa.page.get_by_role("button", name="Play round 1").click()
    pair = rosa.page.locator(".strip").get_by_role("link", name="Against Guest")
    await expect(pair).to_be_visible()
    await pair.click()
    await rosa.page.get_by_role("button", name="Leave").click()
    await rosa.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    await expect(rosa.page.get_by_role("button", name="Enter")).to_be_visible()
