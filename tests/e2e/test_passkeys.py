"""Passkeys in Chromium, with its virtual authenticator: added, used to sign in and to confirm, and removed."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from tests.e2e.club import Club, Clubs
from tests.e2e.lively import CARD
from tests.e2e.looks import LooksWell
from tests.e2e.person import Person
from tests.e2e.test_admin import PASSWORD
from tests.harness.chromium import DESKTOP, PHONE

INTERNAL = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
"""A device that has keys of its own, and knows its owner."""


async def visitor(club: Club, browser: Browser, viewport: ViewportSize) -> Person:
    """Somebody with such a device, at a page of localhost: browsers have no passkeys for addresses in digits."""
    url = club.url.replace("127.0.0.1", "localhost")
    person = await Person.away(browser, url, viewport, club.clock.ahead)
    device = await person.page.context.new_cdp_session(person.page)
    await device.send("WebAuthn.enable")
    await device.send("WebAuthn.addVirtualAuthenticator", {"options": INTERNAL})
    return person


async def sign_out(page: Page) -> None:
    """Sign out by the page."""
    await page.get_by_role("button", name="Sign out", exact=True).first.click()
    await expect(page.get_by_role("button", name="Play as a guest")).to_be_visible()


@pytest.mark.browser
async def test_a_passkey_is_added_signs_in_confirms_and_is_removed(
    clubs: Clubs, browser: Browser, looks_well: LooksWell
) -> None:
    ada = await visitor(await clubs(CARD), browser, PHONE)
    page = ada.page
    await ada.claims("Ada")
    await ada.go("account")
    panel = page.locator("section", has=page.get_by_role("heading", name="Passkeys"))
    await panel.get_by_label("Name of the passkey").fill("My laptop")
    await panel.get_by_role("button", name="Add a passkey").click()
    again = page.get_by_role("dialog", name="This cannot be undone")
    await looks_well(page, "passkey-confirm")
    await again.get_by_label("Current password").fill(PASSWORD)
    await again.get_by_role("button", name="Confirm").click()
    await expect(panel.get_by_role("status")).to_have_text("The passkey is added.")
    await expect(panel.get_by_role("listitem")).to_contain_text("not used yet")
    await panel.scroll_into_view_if_needed()
    await looks_well(page, "passkeys")

    await sign_out(page)
    await page.get_by_role("button", name="Sign in with a passkey").scroll_into_view_if_needed()
    await looks_well(page, "passkey-sign-in")
    await page.get_by_role("button", name="Sign in with a passkey").click()
    await expect(page.get_by_text("You are signed in as Ada.")).to_be_visible()
    await expect(panel.get_by_role("listitem")).to_contain_text("last used")

    await page.get_by_role("button", name="Make new codes").click()
    await page.get_by_role("dialog").get_by_role("button", name="Make new codes").click()
    await again.get_by_role("button", name="Use a passkey").click()
    await expect(page.locator(".codes code")).to_have_count(10)

    await panel.get_by_role("button", name="Remove My laptop").click()
    await page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    await expect(panel.get_by_role("status")).to_have_text("The passkey is removed.")
    await expect(panel.get_by_role("listitem")).to_have_count(0)
    await sign_out(page)
    await page.get_by_role("button", name="Sign in with a passkey").click()
    await expect(page.get_by_role("alert").filter(has_text="This passkey is not known here")).to_be_visible()


@pytest.mark.browser
async def test_an_account_is_created_with_a_passkey_alone(clubs: Clubs, browser: Browser) -> None:
    ada = await visitor(await clubs(CARD), browser, PHONE)
    page = ada.page
    await ada.go("account")
    create = page.locator("form", has=page.get_by_role("heading", name="Create account"))
    await create.get_by_role("button", name="Create account with a passkey").click()
    await expect(create.get_by_role("alert")).to_have_text("Enter a name first.")
    await create.get_by_label("Name").fill("Ada")
    await create.get_by_role("button", name="Create account with a passkey").click()
    await expect(page.locator("#account-link")).to_have_text("Ada")
    await expect(page.get_by_role("heading", name="Keep these recovery codes")).to_be_visible()
    await sign_out(page)
    await page.get_by_role("button", name="Sign in with a passkey").click()
    await expect(page.get_by_text("You are signed in as Ada.")).to_be_visible()
    await page.get_by_role("button", name="Remove Ada").click()
    await page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    again = page.get_by_role("dialog", name="This cannot be undone")
    await expect(again.get_by_label("Current password")).to_have_count(0)
    await again.get_by_role("button", name="Use a passkey").click()
    refusal = page.get_by_role("alert").filter(has_text="the only way into your account")
    await expect(refusal).to_be_visible()


@pytest.mark.browser
async def test_where_a_browser_has_no_passkeys_the_page_offers_none(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    ada = await club.newcomer(browser, DESKTOP)
    await ada.go("account")
    await expect(page_forms := ada.page.locator("form")).to_have_count(2)
    await expect(page_forms.get_by_role("button", name="passkey")).to_have_count(0)
