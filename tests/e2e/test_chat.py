"""Talk in a group: its owner switches it on, members write and read at once, one reports, and a message is removed."""

from __future__ import annotations

import asyncio

import aiohttp
import pytest
from playwright.async_api import Browser, Route, expect

from cadogan.server.core.web.requests import SESSION_COOKIE
from tests.e2e.club import Clubs
from tests.e2e.lively import CARD
from tests.e2e.looks import LooksWell
from tests.harness.chromium import DESKTOP, PHONE
from tests.harness.daily_actions import play_and_resign
from tests.harness.people import Person

GROUP_TOKEN = "fetch('/api/v1/groups').then((answer) => answer.json()).then(({ groups }) => groups[0].token)"


@pytest.mark.browser
async def test_the_members_of_a_group_write_to_each_other(
    clubs: Clubs, browser: Browser, looks_well: LooksWell
) -> None:
    club = await clubs(CARD)
    ada, bob = await club.newcomer(browser, PHONE), await club.newcomer(browser, DESKTOP)
    await ada.claims("Ada")
    await bob.claims("Bob")
    await ada.go("people")
    await ada.page.get_by_label("Name of a new group").fill("The snug")
    await ada.page.get_by_role("button", name="Create group").click()
    await looks_well(ada.page, "people")
    token = await ada.page.evaluate(
        "fetch('/api/v1/groups').then((answer) => answer.json()).then(({groups}) => groups[0].token)"
    )
    await bob.go(f"join/{token}x")
    await expect(bob.page.get_by_role("heading", name="No group has this link")).to_be_visible()
    await expect(bob.page.get_by_role("button", name="Join")).to_have_count(0)
    await bob.go(f"join/{token}")
    await expect(bob.page.get_by_text("The snug")).to_be_visible()
    await bob.page.get_by_role("button", name="Join").click()
    for person in (ada, bob):
        await person.go("people")
        await person.page.get_by_role("link", name="The snug").click()
        await expect(person.page.get_by_text("Nobody can write in this group")).to_be_visible()
    await looks_well(ada.page, "talk-off")
    await ada.page.get_by_role("button", name="Let members write").click()
    for person, text in ((bob, "Who is there on Thursday? <b>I am</b>"), (ada, "I am! " + "Xy" * 120)):
        await person.page.get_by_role("textbox", name="Message").fill(text)
        await person.page.get_by_role("button", name="Send").click()
        for reader in (ada, bob):
            await expect(reader.page.get_by_role("log").get_by_text(text)).to_be_visible()
    await ada.page.get_by_role("textbox", name="Message").fill("One\u202etwo")
    await ada.page.get_by_role("button", name="Send").click()
    await expect(ada.page.get_by_role("alert")).to_have_text("The message has characters that cannot be shown.")
    await looks_well(ada.page, "talk")

    await ada.page.get_by_role("button", name="Report").click()
    await ada.page.get_by_role("dialog").get_by_role("button", name="Send").click()
    await expect(ada.page.get_by_text("Reported.")).to_be_visible()
    await ada.page.get_by_role("button", name="Remove this message of Bob").click()
    await ada.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    for reader in (ada, bob):
        await expect(reader.page.get_by_role("log").get_by_text("Thursday")).to_have_count(0)
    await ada.page.get_by_role("button", name="Switch off").click()
    await ada.page.get_by_role("dialog").get_by_role("button", name="Switch off").click()
    await expect(bob.page.get_by_text("Nobody can write in this group")).to_be_visible()


@pytest.mark.browser
async def test_a_sign_reaches_who_has_finished_a_game(clubs: Clubs, browser: Browser, looks_well: LooksWell) -> None:
    club = await clubs(CARD)
    ada, bob = await club.newcomer(browser, PHONE), await club.newcomer(browser, DESKTOP)
    await bob.claims("Bob")
    async with aiohttp.ClientSession() as session:
        player = await Person(club.url.rstrip("/"), session).arrive()
        game = await player.deal("klondike")
        await ada.page.context.add_cookies([{"name": SESSION_COOKIE, "value": player.token, "url": club.url}])
        await play_and_resign(player, game, 2)
    await ada.go(f"play/{game}")
    await expect(ada.page.get_by_role("button", name="A star")).to_be_visible()
    earlier, is_given = asyncio.Event(), asyncio.Event()

    async def hold(route: Route) -> None:
        answer = await route.fetch()
        earlier.set()
        await is_given.wait()
        await route.fulfill(response=answer)

    await bob.page.route("**/signs", hold)  # the answer from before the sign comes after it
    await bob.go(f"replay/{game}")
    await earlier.wait()
    await bob.page.get_by_role("button", name="Well played!").click()
    await expect(bob.page.get_by_role("list", name="Signs").get_by_text("Well played!")).to_be_visible()
    async with bob.page.expect_response("**/signs") as late:
        is_given.set()
    await (await late.value).finished()
    await bob.page.evaluate("new Promise(requestAnimationFrame)")
    for reader in (ada, bob):
        await expect(reader.page.get_by_role("list", name="Signs").get_by_text("Well played!")).to_be_visible()
    await ada.page.get_by_role("button", name="A star").click()
    await expect(ada.page.get_by_role("list", name="Signs").get_by_role("img", name="A star")).to_be_visible()
    await looks_well(ada.page, "ending-signs")
    await bob.page.set_viewport_size(PHONE)
    await looks_well(bob.page, "replay-signs")
