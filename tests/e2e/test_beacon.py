"""A day with a beacon in a real browser: it is shuffled when it begins, played, and its record is checked."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from cadogan.server.core import dates
from cadogan.server.core.fairness.commit_reveal import round_at
from cadogan.server.subjects.daily.beacon_days import SEARCH_MILLISECONDS
from tests.e2e.club import FIRST_DAY, Clubs
from tests.e2e.looks import AXE, FIND, RULES
from tests.harness.chromium import PHONE
from tests.harness.drand_server import drand_server
from tests.harness.web_verifier import require_library

DAY = dates.add_days(FIRST_DAY, 1)
MIDNIGHT = dates.day_times(DAY, 0).opens_at


@pytest.mark.browser
@pytest.mark.parametrize(
    "bundled", [pytest.param(True, id="bundled"), pytest.param(False, id="modules", marks=pytest.mark.heavy)]
)
async def test_a_day_is_shuffled_before_ones_eyes_and_its_round_is_checked_where_the_page_has_the_library(
    clubs: Clubs, browser: Browser, bundled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if bundled:
        require_library()
    else:
        monkeypatch.setattr("cadogan.server.http.site.client_files.current_digest", lambda: None)
    async with drand_server() as drand:
        drand.latest = round_at(drand.chain.chain, MIDNIGHT).round - 1
        club = await clubs({"gentle": "quatorze"}, beacon=drand.setting)
        player = await club.newcomer(browser, PHONE)
        page = player.page
        while (await page.request.get(f"{club.url}api/v1/dailies/{DAY}")).status != 200:
            pass  # until the beacon has said what its chain is

        await player.go(f"daily/{DAY}")
        await expect(page.locator(".sealed .beacon")).to_contain_text(f"round {drand.latest + 1}")

        club.clock.turn_to(MIDNIGHT + 10_000)
        await player.go("")
        deal = page.locator(".deal").first
        await expect(deal.locator(".state")).to_have_text("Shuffling…")
        await expect(deal.get_by_role("button", name="Play")).to_have_count(0)
        await page.evaluate(AXE)
        assert await page.evaluate(FIND, RULES) == []

        drand.latest = None
        while "signature" not in (await (await page.request.get(f"{club.url}api/v1/dailies/{DAY}")).json())["beacon"]:
            pass  # until the beacon was asked again
        club.clock.turn_to(MIDNIGHT + 20_000 + SEARCH_MILLISECONDS)
        await expect(deal.get_by_role("button", name="Play")).to_be_visible()
        await player.begin_daily("Quatorze")
        await player.play(player.legal[0])
        await player.resign()

        club.close_day(DAY)
        await player.go(f"daily/{DAY}")
        sealed = page.locator(".sealed .beacon")
        await expect(sealed).to_contain_text(
            "verified the signature" if bundled else "Check the beacon with cadogan verify."
        )
        await player.go(f"audit/{player.game}")
        verdict = page.locator(".verdict .beacon")
        await expect(verdict.first).to_contain_text("The cards follow from")
        state, told = ("holds", 1) if bundled else ("open", 2)
        await expect(verdict).to_have_count(told)
        await expect(verdict.last).to_contain_text(
            "nobody could know them" if bundled else "Check the beacon with cadogan verify FILE."
        )
        await expect(page.locator(f".checks li.{state}", has_text="The beacon")).to_have_count(1)
        await expect(page.locator(".checks > li.broken, .checks > li.open")).to_have_count(0 if bundled else 1)
