"""Signing in by the organisation's provider in a browser, which really goes there and comes back."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.club import Clubs
from tests.e2e.lively import CARD
from tests.e2e.looks import LooksWell
from tests.e2e.test_admin import PASSWORD
from tests.harness.chromium import DESKTOP, PHONE
from tests.harness.oidc_provider import open_provider


@pytest.mark.browser
async def test_who_signs_in_by_the_provider_chooses_a_name_and_is_known_from_then_on(
    clubs: Clubs, browser: Browser, looks_well: LooksWell
) -> None:
    async with open_provider() as oidc_provider:
        club = await clubs(CARD, oidc_issuer=oidc_provider.url)
        oidc_provider.now = club.clock
        ada = await club.newcomer(browser, PHONE)
        page = ada.page
        await ada.go("account")
        sign_in = page.get_by_role("button", name="Sign in with 127.0.0.1")
        await expect(sign_in).to_be_visible()
        await looks_well(page, "provider-sign-in")
        await sign_in.click()
        await expect(page.get_by_text("You are signed in, and new here.")).to_be_visible()
        await page.get_by_label("Name").fill("Ada")
        await looks_well(page, "provider-name")
        assert "code=" not in page.url
        await page.get_by_role("button", name="Create account").click()
        await expect(page.get_by_text("You are signed in as Ada.")).to_be_visible()
        await expect(page.locator(".codes code")).to_have_count(10)
        panel = page.locator("section", has=page.get_by_role("heading", name="Sign-in by your organisation"))
        await expect(panel).to_contain_text("Your account is linked")
        await panel.scroll_into_view_if_needed()
        await looks_well(page, "provider-linked")
        await page.get_by_role("button", name="Sign out", exact=True).first.click()
        await sign_in.click()
        await expect(page.get_by_text("You are signed in as Ada.")).to_be_visible()


@pytest.mark.browser
async def test_an_account_is_linked_and_the_link_is_removed(clubs: Clubs, browser: Browser) -> None:
    async with open_provider() as oidc_provider:
        club = await clubs(CARD, oidc_issuer=oidc_provider.url)
        oidc_provider.now = club.clock
        ada = await club.newcomer(browser, DESKTOP)
        page = ada.page
        await ada.claims("Ada")
        await ada.go("account")
        panel = page.locator("section", has=page.get_by_role("heading", name="Sign-in by your organisation"))
        await panel.get_by_role("button", name="Link with 127.0.0.1").click()
        again = page.get_by_role("dialog", name="This cannot be undone")
        await again.get_by_label("Current password").fill(PASSWORD)
        await again.get_by_role("button", name="Confirm").click()
        await expect(panel).to_contain_text("Your account is linked")
        await panel.get_by_role("button", name="Remove the link").click()
        await page.get_by_role("dialog").get_by_role("button", name="Remove the link").click()
        await expect(panel.get_by_role("button", name="Link with 127.0.0.1")).to_be_visible()


@pytest.mark.browser
async def test_who_has_no_password_confirms_by_the_provider_and_comes_back_to_where_they_were(
    clubs: Clubs, browser: Browser, looks_well: LooksWell
) -> None:
    async with open_provider() as oidc_provider:
        club = await clubs(CARD, oidc_issuer=oidc_provider.url)
        oidc_provider.now = club.clock
        ada = await club.newcomer(browser, PHONE)
        page = ada.page
        await ada.go("account")
        await page.get_by_role("button", name="Sign in with 127.0.0.1").click()
        await expect(page.get_by_text("You are signed in, and new here.")).to_be_visible()
        await page.get_by_label("Name").fill("Ada")
        await page.get_by_role("button", name="Create account").click()
        await expect(page.get_by_text("You are signed in as Ada.")).to_be_visible()
        await ada.go("account?from=here")
        erase = page.get_by_role("button", name="Erase my account")
        again = page.get_by_role("dialog", name="This cannot be undone. Confirm that it is you.")

        oidc_provider.subject = "bob"
        await erase.click()
        await page.get_by_role("dialog").get_by_role("button", name="Erase my account").click()
        await expect(again.get_by_role("button")).to_have_text(["Cancel", "Confirm with 127.0.0.1"])
        await expect(again.get_by_label("Current password")).to_have_count(0)
        await looks_well(page, "confirm-provider")
        await again.get_by_role("button", name="Confirm with 127.0.0.1").click()
        await expect(page.get_by_role("alert")).to_have_text(
            "You have signed in there as somebody else. Sign in as who you are here."
        )
        await looks_well(page, "confirm-provider-refused")
        await page.get_by_role("link", name="Back to where you were").click()

        oidc_provider.subject = "ada"
        await erase.click()
        await page.get_by_role("dialog").get_by_role("button", name="Erase my account").click()
        await again.get_by_role("button", name="Confirm with 127.0.0.1").click()
        note = page.get_by_role("dialog", name="You have confirmed that it is you.")
        await expect(note).to_be_visible()
        assert page.url.endswith("/account?from=here")
        await expect(erase).to_be_visible()
        await looks_well(page, "confirm-provider-done")
        await note.get_by_role("button", name="Close").click()
        await erase.click()
        await page.get_by_role("dialog").get_by_role("button", name="Erase my account").click()
        await expect(page.get_by_role("heading", name="Your account is erased.")).to_be_visible()


@pytest.mark.browser
async def test_who_was_not_signed_in_there_reads_so(clubs: Clubs, browser: Browser) -> None:
    async with open_provider() as oidc_provider:
        club = await clubs(CARD, oidc_issuer=oidc_provider.url)
        ada = await club.newcomer(browser, DESKTOP)
        await ada.go("account/provider?error=access_denied&state=x")
        await expect(ada.page.get_by_role("alert")).to_contain_text("You were not signed in there.")
        await ada.page.get_by_role("link", name="Account").last.click()
        await expect(ada.page.get_by_role("button", name="Sign in with 127.0.0.1")).to_be_visible()
