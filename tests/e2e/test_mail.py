"""Recovery by mail in a browser, through a real SMTP server: an address is confirmed, and a link comes to it."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, expect

from cadogan.server.core import dates
from tests.e2e.club import Clubs
from tests.e2e.lively import CARD
from tests.e2e.looks import LooksWell
from tests.e2e.test_admin import PASSWORD
from tests.harness.chromium import DESKTOP, PHONE
from tests.harness.smtp_server import Post, open_post


async def link_in(post: Post) -> str:
    """The link in the next mail."""
    found = re.search(r"http://\S+", (await post.next()).get_content())
    assert found is not None
    return found[0]


@pytest.mark.browser
async def test_an_address_is_confirmed_and_gets_a_link_for_a_new_password(
    clubs: Clubs, browser: Browser, looks_well: LooksWell
) -> None:
    async with open_post({}) as post:
        club = await clubs(CARD, smtp_url=post.url)
        ada = await club.newcomer(browser, PHONE)
        page = ada.page
        await ada.claims("Ada")
        await ada.go("account")
        panel = page.locator("section", has=page.get_by_role("heading", name="Address for mails"))
        await panel.get_by_label("Address").fill("ada@mail.example")
        await panel.get_by_role("button", name="Send a link to confirm it").click()
        again = page.get_by_role("dialog", name="This cannot be undone")
        await again.get_by_label("Current password").fill(PASSWORD)
        await again.get_by_role("button", name="Confirm").click()
        await expect(panel.get_by_role("status")).to_contain_text("not confirmed yet")
        await panel.scroll_into_view_if_needed()
        await looks_well(page, "mail")
        await page.goto(await link_in(post))
        await looks_well(page, "mail-confirm")
        await page.get_by_role("button", name="This is my address").click()
        await expect(page.get_by_role("heading", name="Your address is confirmed.")).to_be_visible()

        other = await club.newcomer(browser, PHONE)
        await other.go("forgot")
        form = other.page.locator("form", has=other.page.get_by_role("heading", name="By mail"))
        await form.get_by_label("Address").fill("ada@mail.example")
        await form.get_by_role("button", name="Send a link").click()
        await expect(form.get_by_role("status")).to_contain_text("a mail is on its way")
        await form.scroll_into_view_if_needed()
        await looks_well(other.page, "mail-forgot")
        await other.page.goto(await link_in(post))
        await other.page.get_by_label("Password").fill("nine black knaves")
        await other.page.get_by_role("button", name="Set password").click()
        await expect(other.page.get_by_text("You are signed in as Ada.")).to_be_visible()


@pytest.mark.browser
async def test_a_digest_is_switched_on_comes_on_monday_and_is_ended_by_its_link(
    clubs: Clubs, browser: Browser, looks_well: LooksWell
) -> None:
    async with open_post({}) as post:
        club = await clubs(CARD, smtp_url=post.url, has_origin=True)
        ada = await club.newcomer(browser, PHONE)
        page = ada.page
        await ada.claims("Ada")
        await ada.go("account")
        panel = page.locator("section", has=page.get_by_role("heading", name="Address for mails"))
        await panel.get_by_label("Address").fill("ada@mail.example")
        await panel.get_by_role("button", name="Send a link to confirm it").click()
        again = page.get_by_role("dialog", name="This cannot be undone")
        await again.get_by_label("Current password").fill(PASSWORD)
        await again.get_by_role("button", name="Confirm").click()
        await expect(panel.get_by_role("status")).to_contain_text("not confirmed yet")
        switch = panel.get_by_label("Send me a digest of the week, every Monday")
        await expect(switch).to_have_count(0)
        await page.goto(await link_in(post))
        await page.get_by_role("button", name="This is my address").click()
        await expect(page.get_by_role("heading", name="Your address is confirmed.")).to_be_visible()
        await ada.go("account")
        await expect(switch).not_to_be_checked()
        async with page.expect_response(lambda answer: answer.request.method == "PUT"):
            await switch.check()
        await page.reload()
        await expect(switch).to_be_checked()
        await panel.scroll_into_view_if_needed()
        await looks_well(page, "digest-switch")

        club.clock.turn_to(dates.day_times("2026-11-23", 0).opens_at + 7 * 3_600_000)
        body = (await post.next()).get_body(("plain",))
        assert body is not None
        link = re.search(r"http://\S+/digest/\S+", body.get_content())
        assert link is not None
        stranger = await club.newcomer(browser, PHONE)
        await stranger.page.goto(link[0])
        await looks_well(stranger.page, "digest-end")
        await ada.go("account")
        await expect(switch).to_be_checked()
        await stranger.page.get_by_role("button", name="Send me no more of them").click()
        await expect(stranger.page.get_by_role("heading", name="You get no more digests.")).to_be_visible()
        await looks_well(stranger.page, "digest-ended")
        await ada.go("account")
        await expect(switch).not_to_be_checked()


@pytest.mark.browser
async def test_without_an_smtp_server_no_page_offers_mails(clubs: Clubs, browser: Browser) -> None:
    club = await clubs(CARD)
    ada = await club.newcomer(browser, DESKTOP)
    await ada.claims("Ada")
    await ada.go("account")
    await expect(ada.page.get_by_role("heading", name="Your data")).to_be_visible()
    await expect(ada.page.get_by_role("heading", name="Address for mails")).to_have_count(0)
    await ada.go("forgot")
    await expect(ada.page.get_by_label("Recovery code")).to_be_visible()
    await expect(ada.page.get_by_role("heading", name="By mail")).to_have_count(0)
