"""An evening of a host: becomes the first one, invites, renames, bans, helps who forgot the password, reads the log."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from playwright.async_api import Browser, Page, ViewportSize, expect
from standardwebhooks import Webhook

from cadogan.server.core.clock import now
from cadogan.server.core.database.connections import Database
from cadogan.server.subjects.admin.roles import Roles
from tests.e2e.club import FIRST_DAY, Club, Clubs
from tests.e2e.lively import CARD
from tests.e2e.looks import LooksWell
from tests.harness.chromium import DESKTOP, PHONE
from tests.harness.webhook_receiver import receiver

PASSWORD = "a long password"
FRAMED = ("embed/today", "")
"""What another page tries to show: the card, and the first page."""


async def first_host(club: Club, sqlite_url: str, browser: Browser, viewport: ViewportSize) -> Page:
    """The page of somebody who has opened the link that the server prints."""
    database = Database(sqlite_url)
    code = await Roles(database, now).first_host_code()
    await database.close()
    ada = await club.newcomer(browser, viewport)
    await ada.claims("Ada")
    await ada.go(f"house/claim/{code}")
    await ada.page.get_by_role("button", name="Become the host").click()
    await expect(ada.page.get_by_role("heading", name="Hosts and moderators")).to_be_visible()
    return ada.page


async def act_on(page: Page, name: str, act: str) -> None:
    """Choose an act in the dialog about a player."""
    await page.get_by_role("button", name=f"Do something about {name}").press("Enter")
    await page.get_by_label("What to do").select_option(label=act)


@pytest.mark.browser
async def test_a_host_looks_after_the_players_by_the_page(
    clubs: Clubs, browser: Browser, sqlite_url: str, looks_well: LooksWell
) -> None:
    club = await clubs(CARD)
    page = await first_host(club, sqlite_url, browser, PHONE)
    bob = await club.newcomer(browser, DESKTOP)
    await bob.go(f"house/claim/{'x' * 20}")
    await expect(bob.page.get_by_role("link", name="Create account")).to_be_visible()
    await bob.claims("Rowdy")
    await bob.go("account")
    await expect(bob.page.locator("#account-link")).to_have_text("Rowdy")
    await expect(bob.page.get_by_role("link", name="Hosts and moderators")).to_have_count(0)
    await page.goto(f"{club.url}account")
    await page.get_by_role("link", name="Hosts and moderators").click()
    await expect(page.get_by_role("link", name="Rowdy")).to_be_visible()
    await looks_well(page, "players")

    await act_on(page, "Rowdy", "Give another name")
    await looks_well(page, "rename")
    await page.get_by_label("New name").fill("Rowan")
    await page.get_by_label("Note for the other hosts").fill("Said hello with it.")
    await page.get_by_role("button", name="Confirm").click()
    again = page.get_by_role("dialog", name="This cannot be undone")
    await again.get_by_label("Current password").fill("not the password")
    await again.get_by_role("button", name="Confirm").click()
    await expect(again.get_by_role("alert")).to_have_text("This is not your password.")
    await looks_well(page, "password")
    await again.get_by_label("Current password").fill(PASSWORD)
    await again.get_by_role("button", name="Confirm").click()
    await expect(page.get_by_role("status").filter(has_text="Done.")).to_be_visible()
    await expect(page.get_by_role("link", name="Rowan")).to_be_visible()

    await act_on(page, "Rowan", "Make a link for a new password")
    await page.get_by_role("button", name="Confirm").click()
    link = await page.get_by_role("dialog").locator("code").inner_text()
    await looks_well(page, "link")
    await page.get_by_role("button", name="Close").click()
    await bob.page.goto(link)
    await looks_well(bob.page, "access")
    await bob.page.get_by_label("Password").fill("nine black knaves")
    await bob.page.get_by_role("button", name="Set password").click()
    await expect(bob.page.get_by_text("You are signed in as Rowan.")).to_be_visible()

    await act_on(page, "Rowan", "Ban for good")
    await page.get_by_label("Why").select_option(label="Cheating")
    await page.get_by_role("button", name="Confirm").click()
    await expect(page.get_by_text("Banned · Here since")).to_be_visible()
    await looks_well(page, "banned")
    await bob.go("account")
    await expect(bob.page.get_by_role("alert").filter(has_text="This account is banned.")).to_be_visible()
    await bob.page.get_by_role("button", name="Sign out").click()
    await expect(bob.page.get_by_role("button", name="Play as a guest")).to_be_visible()

    await page.get_by_role("button", name="Log", exact=True).press("Enter")
    await expect(page.get_by_text("“Said hello with it.”")).to_be_visible()
    await expect(page.get_by_role("listitem")).to_have_count(4)
    await looks_well(page, "log")


@pytest.mark.browser
async def test_a_closed_house_is_entered_by_invitation(
    clubs: Clubs, browser: Browser, sqlite_url: str, looks_well: LooksWell
) -> None:
    club = await clubs(CARD)
    page = await first_host(club, sqlite_url, browser, DESKTOP)
    await page.get_by_role("button", name="Entry", exact=True).press("Enter")
    await page.get_by_label("Who can create an account").select_option(label="Only with an invitation")
    await page.get_by_label("People can play as guests").uncheck()
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    await page.get_by_role("button", name="Create invitation").click()
    link = await page.locator(".secret code").inner_text()
    await looks_well(page, "entry")

    carol = await club.newcomer(browser, PHONE)
    await carol.go("account")
    await expect(carol.page.get_by_text("New players come in by invitation only.")).to_be_visible()
    await expect(carol.page.get_by_role("button", name="Create account")).to_have_count(0)
    await expect(carol.page.get_by_role("button", name="Play as a guest")).to_have_count(0)
    await carol.page.goto(link)
    await looks_well(carol.page, "invited-390")
    await carol.page.get_by_label("Name").fill("Carol")
    await carol.page.get_by_label("Password").fill(PASSWORD)
    await carol.page.get_by_role("button", name="Create account").click()
    await expect(carol.page.locator("#account-link")).to_have_text("Carol")
    await carol.go("house")
    await expect(carol.page.get_by_text("This page is for hosts and moderators only.")).to_be_visible()
    await page.get_by_role("button", name="Entry", exact=True).click()
    await expect(page.get_by_text("for 1 person")).to_have_count(0)


@pytest.mark.browser
async def test_a_host_gives_the_house_a_name_a_look_and_rules(
    clubs: Clubs, browser: Browser, sqlite_url: str, looks_well: LooksWell
) -> None:
    club = await clubs(CARD)
    page = await first_host(club, sqlite_url, browser, DESKTOP)
    await page.get_by_role("button", name="The house", exact=True).press("Enter")
    await page.get_by_label("Name of the house").fill("The Thursday Club")
    await page.get_by_label("Announcement above every page").fill("No games next Thursday.")
    await page.get_by_label("Text on the first page").fill("We meet at **eight**, in the *Green Room*.")
    await page.get_by_label("Rules of the house").fill("1. Be kind.\n2. Lose well.")
    await page.get_by_label("Colours of its own").check()
    await page.get_by_label("The bar at the top").fill("#c0c0c0")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("alert").filter(has_text="#c0c0c0 is too hard to read")).to_be_visible()
    for label, colour in (("The bar at the top", "#3b1f4a"), ("Links and buttons, light", "#5a2f73")):
        await page.get_by_label(label).fill(colour)
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    crest = Path(__file__).parents[2] / "clients" / "web" / "icons" / "icon-192.png"
    await page.get_by_label("Choose a picture").set_input_files(crest)
    await expect(page.get_by_role("img", name="The crest of the house")).to_be_visible()
    await looks_well(page, "profile")
    await page.get_by_role("button", name="Log", exact=True).press("Enter")
    await expect(page.get_by_text("name, announcement, text on the first page, rules, colours")).to_be_visible()

    carol = await club.newcomer(browser, PHONE)
    await carol.go("")
    await expect(carol.page).to_have_title("The Thursday Club")
    await expect(carol.page.get_by_text("eight", exact=True)).to_be_visible()
    bar = await carol.page.evaluate("getComputedStyle(document.getElementById('bar')).backgroundColor")
    assert bar == "rgb(59, 31, 74)"
    await looks_well(carol.page, "house-home")
    await carol.page.get_by_role("button", name="Close the announcement").click()
    await expect(carol.page.get_by_text("No games next Thursday.")).to_have_count(1)
    await expect(carol.page.get_by_text("No games next Thursday.")).to_be_hidden()
    await carol.page.get_by_role("link", name="Rules of the house").first.click()
    await expect(carol.page.get_by_text("Lose well.")).to_be_visible()
    await expect(carol.page).to_have_title("About this house · The Thursday Club")
    await looks_well(carol.page, "about")
    await carol.page.reload()
    await expect(carol.page.get_by_text("No games next Thursday.")).to_be_hidden()


@pytest.mark.browser
async def test_a_host_sees_the_days_before_they_are_saved(
    clubs: Clubs, browser: Browser, sqlite_url: str, looks_well: LooksWell
) -> None:
    club = await clubs(CARD)
    page = await first_host(club, sqlite_url, browser, DESKTOP)
    await page.get_by_role("button", name="Days", exact=True).press("Enter")
    await page.get_by_label("Choose the games here").check()
    await page.get_by_role("button", name="Add a deal").click()
    deal = page.locator(".deals > li").last
    await deal.get_by_label("How hard it is").fill("Ours")
    await page.get_by_role("button", name="Show the days before saving").click()
    await expect(page.get_by_role("alert").filter(has_text="Each deal needs at least one game.")).to_be_visible()
    await deal.get_by_text("0 games take turns").click()
    await deal.locator("input[id$='-carpet']").check()
    await page.get_by_label("Choose the time to finish here").check()
    await page.get_by_label("Minutes after the end of a day").fill("90")
    save = page.get_by_role("button", name="Save", exact=True)
    await expect(save).to_be_hidden()
    await page.get_by_role("button", name="Show the days before saving").click()
    await expect(page.get_by_role("listitem").filter(has_text="90 minutes to finish").first).to_contain_text("Ours")
    await expect(page.get_by_role("listitem").filter(has_text="announced: stays as it is")).to_have_count(8)
    await looks_well(page, "days")
    await save.click()
    await expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    await page.get_by_role("button", name="Log", exact=True).click()
    await expect(page.get_by_text("calendar, time to finish")).to_be_visible()


@pytest.mark.browser
async def test_a_host_strikes_a_run_and_who_watches_the_board_sees_why(
    clubs: Clubs, browser: Browser, sqlite_url: str, looks_well: LooksWell
) -> None:
    club = await clubs(CARD)
    bob = await club.newcomer(browser, PHONE)
    await bob.claims("Bob")
    await bob.has_played(slot=2)
    game = bob.game
    page = await first_host(club, sqlite_url, browser, PHONE)
    await bob.go(f"board/deal:{FIRST_DAY}/2")
    await expect(bob.page.locator(".ranking tbody tr")).to_have_count(1)

    await page.get_by_role("button", name="Runs", exact=True).press("Enter")
    await page.get_by_label("Link or id of the run").fill(f"{club.url}replay/{game}?move=3")
    await page.get_by_role("button", name="Find", exact=True).click()
    await expect(page.get_by_text("resigned · score")).to_be_visible()
    await page.get_by_role("button", name="Take off the leaderboards").click()
    await expect(page.get_by_label("Why")).to_have_value("cheating")
    await looks_well(page, "strike")
    await page.get_by_role("button", name="Confirm").click()
    await expect(page.get_by_role("status").filter(has_text="Done.")).to_be_visible()
    await expect(page.get_by_text("A host has taken this run off the leaderboards: Cheating")).to_be_visible()
    await looks_well(page, "struck")

    await expect(bob.page.get_by_role("heading", name="Taken off this leaderboard")).to_be_visible()
    await expect(bob.page.locator(".ranking tbody tr")).to_have_count(0)
    await looks_well(bob.page, "board")
    await bob.go(f"replay/{game}")
    await expect(bob.page.get_by_text("A host has taken this run off the leaderboards: Cheating")).to_be_visible()

    await page.get_by_role("button", name="Put back on the leaderboards").click()
    await page.get_by_role("button", name="Confirm").click()
    await expect(page.get_by_role("button", name="Take off the leaderboards")).to_be_visible()
    await bob.go(f"board/deal:{FIRST_DAY}/2")
    await expect(bob.page.locator(".ranking tbody tr")).to_have_count(1)


@pytest.mark.browser
async def test_a_host_sends_news_to_a_program(
    clubs: Clubs, browser: Browser, sqlite_url: str, looks_well: LooksWell
) -> None:
    club = await clubs(CARD)
    page = await first_host(club, sqlite_url, browser, DESKTOP)
    await page.get_by_role("button", name="News", exact=True).press("Enter")
    async with receiver() as program:
        await page.get_by_label("Where to").select_option(label="Your own program")
        await page.get_by_label("Name").fill("My program")
        await page.get_by_label("Address").fill(program.url)
        await page.get_by_role("button", name="Add a webhook").click()
        secret = await page.locator(".secret code").inner_text()
        await page.get_by_role("button", name="Send a test: My program").click()
        await expect(page.get_by_text("Delivered:")).to_be_visible()
    (sent,) = program.received
    headers = {name.lower(): value for name, value in sent.headers.items()}
    at = datetime.fromtimestamp(int(headers["webhook-timestamp"]), UTC)
    assert headers["webhook-signature"] == Webhook(secret).sign(headers["webhook-id"], at, sent.body.decode())
    await looks_well(page, "news")
    await page.get_by_role("button", name="Remove: My program").click()
    await page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    await expect(page.get_by_text("No webhooks yet.")).to_be_visible()
    await page.get_by_role("button", name="Log", exact=True).click()
    await expect(page.get_by_text("Webhook removed")).to_be_visible()


@pytest.mark.browser
async def test_the_page_of_a_club_shows_the_card_of_today_and_no_other_page(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)

    async def show(request: web.Request) -> web.Response:
        frames = "".join(f'<iframe src="{club.url}{path}" width="360" height="320"></iframe>' for path in FRAMED)
        return web.Response(text=f"<!doctype html><title>Our club</title>{frames}", content_type="text/html")

    elsewhere = web.Application()
    elsewhere.router.add_get("/", show)
    async with TestServer(elsewhere) as other:
        context = await browser.new_context(viewport=PHONE, color_scheme="light")
        page = await context.new_page()
        await page.goto(str(other.make_url("/")))
        card = page.frame_locator("iframe").first
        await expect(card.get_by_role("heading", name="Cadogan")).to_be_visible()
        await expect(card.get_by_text("Quatorze")).to_be_visible()
        await expect(page.frame_locator("iframe").last.get_by_role("link", name="Calendar")).to_have_count(0)
        if shots := os.environ.get("CADOGAN_SHOTS"):
            await page.screenshot(path=Path(shots) / "embed-390.png")
        async with context.expect_page() as opened:
            await card.get_by_role("link", name="Today’s deals").click()
        await expect((await opened.value).get_by_role("link", name="Calendar")).to_be_visible()
        await context.close()


@pytest.mark.browser
async def test_a_report_is_settled_and_who_reported_sees_it(
    clubs: Clubs, browser: Browser, sqlite_url: str, looks_well: LooksWell
) -> None:
    club = await clubs(CARD)
    page = await first_host(club, sqlite_url, browser, PHONE)
    bob, cat = await club.newcomer(browser, DESKTOP), await club.newcomer(browser, PHONE)
    await bob.claims("Bob")
    await cat.claims("Cat")
    await bob.go("account")
    await bob.page.get_by_role("link", name="Your page").click()
    await cat.page.goto(bob.page.url)
    await cat.page.get_by_role("button", name="Report").click()
    await cat.page.get_by_label("What happened").fill("The name is rude.")
    await looks_well(cat.page, "report")
    await cat.page.get_by_role("button", name="Send").click()
    await expect(cat.page.get_by_text("Reported. You will find it")).to_be_visible()

    await page.get_by_role("button", name="Reports", exact=True).press("Enter")
    await expect(page.get_by_text("“The name is rude.”")).to_be_visible()
    await looks_well(page, "reports")
    await page.get_by_role("button", name="Settled: nothing to do").click()
    await looks_well(page, "settle")
    await page.get_by_role("button", name="Confirm").click()
    await expect(page.get_by_text("There are no reports.")).to_be_visible()
    await cat.go("account")
    await expect(cat.page.get_by_text("nothing had to be done")).to_be_visible()
    await looks_well(cat.page, "my-reports")


@pytest.mark.browser
async def test_the_findings_of_a_day_are_there_once_it_has_closed(
    clubs: Clubs, browser: Browser, sqlite_url: str, looks_well: LooksWell
) -> None:
    club = await clubs(CARD)
    page = await first_host(club, sqlite_url, browser, DESKTOP)
    await page.get_by_role("button", name="Suspicious runs", exact=True).press("Enter")
    await page.get_by_label("Closed day").fill(FIRST_DAY)
    await page.get_by_role("button", name="Look").click()
    await expect(page.get_by_role("alert").filter(has_text="when it has closed")).to_be_visible()
    await looks_well(page, "findings")
    club.close_day(FIRST_DAY)
    await page.request.get(f"{club.url}api/v1/dailies")  # whoever asks has the close written
    await page.get_by_role("button", name="Look").click()
    await expect(page.get_by_text("0 runs compared, and nothing found.")).to_be_visible()
