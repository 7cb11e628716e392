"""An evening of a host: becomes the first one, invites, renames, bans, helps who forgot the password, reads the log."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from server.core.clock import now
from server.database.connections import Database
from server.house.roles import Roles
from tests.e2e.club import Club, Clubs
from tests.e2e.lively import CARD
from tests.e2e.person import DESKTOP, PHONE
from tests.e2e.test_axe import RULES, violations

PASSWORD = "a long password"
LYING = ViewportSize(width=844, height=390)


async def looks_well(page: Page, name: str) -> None:
    """The page, as it is now: axe finds nothing, and it is no wider than its window."""
    assert await violations(page, RULES) == [], name
    width = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0, name
    if shots := os.environ.get("CADOGAN_SHOTS"):
        await page.screenshot(path=Path(shots) / f"{name}.png")


async def first_host(club: Club, sqlite_url: str, browser: Browser, viewport: ViewportSize) -> Page:
    """The page of somebody who has opened the link that the server prints."""
    database = Database(sqlite_url)
    code = await Roles(database, now).first_host_code()
    await database.close()
    ada = await club.visitor(browser, viewport)
    await ada.go(f"house/claim/{code}")
    await expect(ada.page.get_by_role("link", name="Create account")).to_be_visible()
    await ada.claims("Ada")
    await ada.go(f"house/claim/{code}")
    await ada.page.get_by_role("button", name="Become the host").click()
    await expect(ada.page.get_by_role("heading", name="Hosts and moderators")).to_be_visible()
    return ada.page


async def act_on(page: Page, name: str, act: str, shot: str = "") -> None:
    """Choose an act in the dialog about a player."""
    await page.get_by_role("button", name=f"Do something about {name}").press("Enter")
    await page.get_by_label("What to do").select_option(label=act)
    if shot:
        await looks_well(page, shot)


@pytest.mark.browser
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE, LYING], ids=["desktop", "phone", "lying"])
async def test_a_host_looks_after_the_players_by_the_page(
    clubs: Clubs, browser: Browser, sqlite_url: str, viewport: ViewportSize
) -> None:
    club = await clubs(CARD)
    size = f"{viewport['width']}"
    page = await first_host(club, sqlite_url, browser, viewport)
    bob = await club.visitor(browser, DESKTOP)
    await bob.claims("Rowdy")
    await expect(bob.page.get_by_role("link", name="Hosts and moderators")).to_have_count(0)
    await page.goto(f"{club.url}account")
    await page.get_by_role("link", name="Hosts and moderators").click()
    await expect(page.get_by_role("link", name="Rowdy")).to_be_visible()
    await looks_well(page, f"players-{size}")

    await act_on(page, "Rowdy", "Give another name", f"rename-{size}")
    await page.get_by_label("New name").fill("Rowan")
    await page.get_by_label("Note for the other hosts").fill("Said hello with it.")
    await page.get_by_role("button", name="Do it").click()
    again = page.get_by_role("dialog", name="This cannot be undone")
    await again.get_by_label("Current password").fill("not the password")
    await again.get_by_role("button", name="Confirm").click()
    await expect(again.get_by_role("alert")).to_have_text("This is not your password.")
    await looks_well(page, f"password-{size}")
    await again.get_by_label("Current password").fill(PASSWORD)
    await again.get_by_role("button", name="Confirm").click()
    await expect(page.get_by_role("status").filter(has_text="Done.")).to_be_visible()
    await expect(page.get_by_role("link", name="Rowan")).to_be_visible()

    await act_on(page, "Rowan", "Make a link for a new password")
    await page.get_by_role("button", name="Do it").click()
    link = await page.get_by_role("dialog").locator("code").inner_text()
    await looks_well(page, f"link-{size}")
    await page.get_by_role("button", name="Close").click()
    await bob.page.goto(link)
    await looks_well(bob.page, f"access-{size}")
    await bob.page.get_by_label("Password").fill("nine black knaves")
    await bob.page.get_by_role("button", name="Set password").click()
    await expect(bob.page.get_by_text("You are signed in as Rowan.")).to_be_visible()

    await act_on(page, "Rowan", "Ban for good")
    await page.get_by_label("Why").select_option(label="Cheating")
    await page.get_by_role("button", name="Do it").click()
    await expect(page.get_by_text("Banned · Here since")).to_be_visible()
    await looks_well(page, f"banned-{size}")
    await bob.go("account")
    await expect(bob.page.get_by_role("alert").filter(has_text="This account is banned.")).to_be_visible()
    await bob.page.get_by_role("button", name="Sign out").click()
    await expect(bob.page.get_by_role("button", name="Play as a guest")).to_be_visible()

    await page.get_by_role("button", name="Log", exact=True).press("Enter")
    await expect(page.get_by_text("“Said hello with it.”")).to_be_visible()
    await expect(page.get_by_role("listitem")).to_have_count(4)
    await looks_well(page, f"log-{size}")


@pytest.mark.browser
async def test_a_closed_house_is_entered_by_invitation(clubs: Clubs, browser: Browser, sqlite_url: str) -> None:
    club = await clubs(CARD)
    page = await first_host(club, sqlite_url, browser, DESKTOP)
    await page.get_by_role("button", name="Entry", exact=True).press("Enter")
    await page.get_by_label("Who can create an account").select_option(label="Only with an invitation")
    await page.get_by_label("People can play as guests").uncheck()
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    await page.get_by_role("button", name="Create invitation").click()
    link = await page.locator(".secret code").inner_text()
    await looks_well(page, "entry-1440")
    for viewport, name in ((PHONE, "entry-390"), (LYING, "entry-844")):
        await page.set_viewport_size(viewport)
        await looks_well(page, name)

    carol = await club.visitor(browser, PHONE)
    await carol.go("account")
    await carol.page.get_by_role("button", name="Play as a guest").click()
    form = carol.page.locator("form", has=carol.page.get_by_role("heading", name="Create account"))
    await form.get_by_label("Name").fill("Carol")
    await form.get_by_label("Password").fill(PASSWORD)
    await form.get_by_role("button").click()
    await expect(form.get_by_role("alert")).to_have_text("This server takes new players by invitation only.")
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
