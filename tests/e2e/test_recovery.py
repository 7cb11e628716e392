"""Recovery codes and sessions by device: a player forgets the password, comes back, and signs another device out."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.club import Clubs
from tests.e2e.lively import CARD
from tests.e2e.looks import LooksWell
from tests.e2e.test_admin import PASSWORD
from tests.harness.chromium import DESKTOP, PHONE


@pytest.mark.browser
async def test_a_forgotten_password_is_replaced_with_a_recovery_code(
    clubs: Clubs, browser: Browser, looks_well: LooksWell
) -> None:
    club = await clubs(CARD)
    ada = await club.newcomer(browser, PHONE)
    page = ada.page
    await ada.go("account")
    form = page.locator("form", has=page.get_by_role("heading", name="Create account"))
    await form.get_by_label("Name").fill("Ada")
    await form.get_by_label("Password").fill(PASSWORD)
    await form.get_by_role("button", name="Create account", exact=True).click()
    await expect(page.locator("#account-link")).to_have_text("Ada")
    notice = page.get_by_role("status").filter(has_text="Keep these recovery codes")
    await expect(notice.locator("code")).to_have_count(10)
    code = await notice.locator("code").nth(3).inner_text()
    await looks_well(page, "codes")
    await page.get_by_role("button", name="I have kept them").click()
    await expect(notice).to_have_count(0)
    await expect(page.get_by_text("You have 10 codes left.")).to_be_visible()

    other = await club.newcomer(browser, DESKTOP)
    await other.go("account")
    await looks_well(other.page, "sign-in")
    await other.page.set_viewport_size(PHONE)
    await other.page.get_by_role("link", name="Forgot your password?").click()
    form = other.page.locator("form")
    await form.get_by_label("Name").fill("Ada")
    await form.get_by_label("Recovery code").fill("aaaa-bbbb")
    await form.get_by_label("Password").fill("nine black knaves")
    await form.get_by_role("button", name="Set password").click()
    await expect(form.get_by_role("alert")).to_have_text("No player has this name and recovery code.")
    await looks_well(other.page, "forgot")
    await form.get_by_label("Recovery code").fill(code.upper())
    await form.get_by_role("button", name="Set password").click()
    await expect(other.page.get_by_text("You are signed in as Ada.")).to_be_visible()
    await expect(other.page.get_by_text("You have 9 codes left.")).to_be_visible()
    await page.reload()
    await expect(page.get_by_role("button", name="Play as a guest")).to_be_visible()

    await other.page.get_by_role("button", name="Make new codes").click()
    await other.page.get_by_role("dialog").get_by_role("button", name="Make new codes").click()
    again = other.page.get_by_role("dialog", name="This cannot be undone")
    await again.get_by_label("Current password").fill("nine black knaves")
    await again.get_by_role("button", name="Confirm").click()
    await expect(other.page.locator(".codes code")).to_have_count(10)
    await looks_well(other.page, "new-codes")


@pytest.mark.browser
async def test_another_device_is_signed_out(clubs: Clubs, browser: Browser, looks_well: LooksWell) -> None:
    club = await clubs(CARD)
    here, there = await club.newcomer(browser, PHONE), await club.newcomer(browser, PHONE)
    await here.claims("Ada")
    await there.go("account")
    form = there.page.locator("form", has=there.page.get_by_role("heading", name="Sign in"))
    await form.get_by_label("Name").fill("Ada")
    await form.get_by_label("Password").fill(PASSWORD)
    await form.get_by_role("button").click()
    await expect(there.page.get_by_text("You are signed in as Ada.")).to_be_visible()
    await here.go("account")
    sessions = here.page.locator("section", has=here.page.get_by_role("heading", name="Where you are signed in"))
    await expect(sessions.get_by_role("listitem")).to_have_count(2)
    await expect(sessions.get_by_role("listitem").filter(has_text="this one")).to_contain_text("Chrome on Linux")
    await sessions.scroll_into_view_if_needed()
    await looks_well(here.page, "sessions")
    await sessions.get_by_role("button", name="Sign out Chrome on Linux").click()
    await expect(sessions.get_by_role("status")).to_have_text("It is signed out.")
    await expect(sessions.get_by_role("listitem")).to_have_count(1)
    await there.page.reload()
    await expect(there.page.get_by_role("button", name="Play as a guest")).to_be_visible()
