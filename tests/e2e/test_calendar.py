"""Days gone by in a real browser: found in the calendar, checked, played as practice and against a recorded pace."""

from __future__ import annotations

from hashlib import sha256

import pytest
from playwright.async_api import Browser, expect

from cadogan.server.core.fairness import commit_reveal
from tests.e2e.club import FIRST_DAY, Clubs
from tests.harness.chromium import DESKTOP, PHONE


@pytest.mark.browser
async def test_a_day_gone_by_is_checked_practised_and_its_runs_raced(clubs: Clubs, browser: Browser) -> None:
    club = await clubs({"gentle": "quatorze", "stern": "klondike"})
    first = await club.newcomer(browser, DESKTOP)
    await first.has_played(slot=2)
    club.close_day(FIRST_DAY)

    late = await club.newcomer(browser, PHONE)
    await late.go("calendar")
    await late.page.get_by_role("link", name="20 November 2026").click()
    seal = late.page.locator(".sealed > code")
    await expect(seal).to_have_count(2)
    commitment, secret = await seal.all_text_contents()
    assert sha256(b"cadogan/commitment/1\0" + bytes.fromhex(secret)).hexdigest() == commitment
    await expect(late.page.locator(".sealed .fits")).to_be_visible()
    seeds = await late.page.locator(".sealed li code").all_text_contents()
    assert seeds[1] == commit_reveal.seed("klondike", f"{FIRST_DAY}.2", bytes.fromhex(secret)).hex()

    await late.page.get_by_role("button", name="Practise Quatorze").click()
    await late.takes_a_seat()
    await expect(late.page.get_by_role("link", name="Practice")).to_be_visible()
    await late.go(f"daily/{FIRST_DAY}")
    await late.page.locator(f'.meters a[href="/replay/{first.game}"]').click()
    await late.page.get_by_role("button", name="Race this run").click()
    await late.page.wait_for_url("**/play/*")
    ghost = late.page.locator(".ghost")
    await expect(ghost.locator("strong")).to_have_text("Tied")
    await expect(ghost).to_contain_text("resigned")
