"""A race in two real browsers, from the waiting room to the rematch."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.club import Clubs
from tests.e2e.person import Person
from tests.harness.chromium import DESKTOP, PHONE


@pytest.mark.browser
async def test_two_race_one_comes_back_and_they_race_again(clubs: Clubs, browser: Browser) -> None:
    club = await clubs({"gentle": "quatorze"})
    host, guest = await club.newcomer(browser, DESKTOP), await club.newcomer(browser, PHONE)
    await make_race(host)
    await guest.go("races")
    await guest.page.locator(".races li a").first.click()
    await guest.page.get_by_role("button", name="Join the race").click()
    counts = guest.page.wait_for_function("() => document.querySelector('.countdown:not([hidden])')")
    await asyncio.gather(counts, host.page.get_by_role("button", name="Start the race").click())
    for person in (host, guest):
        await expect(person.page.locator(".card").first).to_be_visible()

    await host.play("deal")
    await guest.go("")
    await guest.page.get_by_role("link", name="Back to the race").click()
    await expect(guest.page.locator(".card").first).to_be_visible()
    await give_up(guest)
    await expect(host.page.locator(".racers li", has_text="resigned")).to_have_count(1)
    await give_up(host)
    for person in (host, guest):
        await expect(person.page.locator(".podium li")).to_have_count(2)

    await host.page.get_by_role("link", name="Replays side by side").click()
    await expect(host.page.locator(".side .board")).to_have_count(2)
    await guest.page.get_by_role("button", name="Rematch").click()
    await expect(guest.page.get_by_text("a place is kept", exact=True)).to_be_visible()
    await host.page.go_back()
    await host.page.get_by_role("button", name="Join the rematch").click()
    await expect(host.page.locator(".waiting .rows li")).to_have_count(2)
    await expect(guest.page.get_by_role("button", name="Start the race")).to_be_enabled()


async def make_race(host: Person) -> None:
    """Makes an open race of Klondike."""
    await host.go("races")
    await host.page.get_by_label("Game", exact=True).select_option("klondike")
    await host.page.get_by_label("Countdown").select_option("5")
    size, time = [await host.page.get_by_label(name).bounding_box() for name in ("Maximum number of players", "Time")]
    assert size
    assert time
    assert size["y"] == time["y"]
    await host.page.get_by_role("button", name="Create race").click()
    await expect(host.page.get_by_role("button", name="Copy the link")).to_be_visible()


async def give_up(racer: Person) -> None:
    """Resigns in a race, which then goes on for the others."""
    await racer.page.get_by_role("button", name="Resign").click()
    await racer.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
