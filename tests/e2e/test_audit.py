"""The audit page in a real browser: a record is checked there, and a changed file is refuted where it was changed."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from cadogan.server.operations.host_keys import rotate_key
from tests.e2e.club import FIRST_DAY, Clubs
from tests.harness.chromium import DESKTOP, PHONE
from tests.harness.daily_actions import play_and_resign
from tests.harness.logging_ends import log_ends
from tests.harness.running_server import TEST_SETTINGS, open_server

RECORDS = Path(__file__).parents[1] / "web" / "records"


def verdict(page: Page) -> Locator:
    """What the page says of the record as a whole."""
    return page.locator(".verdict h2")


ATTESTED = re.compile(r"Attested: entry \d+ of \d+ in the log \w+ \(a server without an address\), signed by")


@pytest.mark.browser
async def test_a_finished_game_is_consistent_in_the_browser_and_stepped_through(clubs: Clubs, browser: Browser) -> None:
    club = await clubs({"gentle": "quatorze", "stern": "klondike"})
    player = await club.newcomer(browser, DESKTOP)
    await player.has_played(slot=2, moves=3)
    await player.go(f"audit/{player.game}")
    await expect(player.page.get_by_role("alert")).not_to_be_empty()
    await expect(player.page.locator(".verdict")).to_have_count(0)

    club.close_day(FIRST_DAY)
    await player.page.goto(f"{club.url}replay/{player.game}")
    await player.page.get_by_role("link", name="Every step of the check").click()
    await expect(verdict(player.page)).to_contain_text("Consistent with its rules and its seal")
    await expect(player.page.locator(".checks > li.broken, .checks > li.open")).to_have_count(0)
    await expect(player.page.locator(".events tbody tr")).to_have_count(5)
    await player.page.get_by_role("button", name="Show the table after event 4").click()
    await expect(player.page.locator(".where")).to_contain_text("3 of 3")


@pytest.mark.browser
async def test_a_file_is_consistent_and_a_changed_one_refuted_at_its_event(
    clubs: Clubs, browser: Browser, tmp_path: Path
) -> None:
    club = await clubs({"gentle": "quatorze"})
    page = (await club.newcomer(browser, PHONE)).page
    await page.goto(f"{club.url}audit")
    chosen = page.get_by_label("Drop the file of a record")
    await chosen.set_input_files(RECORDS / "shuffled-again.json")
    await expect(verdict(page)).to_contain_text("Consistent with its rules and its seal")
    await expect(page.locator(".checks li", has_text="Later shuffles")).to_contain_text("Later shuffles in order")

    changed = tmp_path / "changed.json"
    changed.write_bytes((RECORDS / "casual.json").read_bytes().replace(b'"move":"deal"', b'"move":"daal"', 1))
    await chosen.set_input_files(changed)
    await expect(verdict(page)).to_contain_text("The first error is at event")
    finding = page.locator(".findings li").first
    await expect(finding).to_contain_text("The hash does not fit")
    await expect(finding.locator("dd code")).to_have_count(2)
    await expect(page.locator(".events tr.broken")).to_have_count(1)

    await chosen.set_input_files(RECORDS / "klondike.rules.json")
    await expect(page.get_by_role("alert")).to_contain_text("not a valid record")
    await expect(page.locator(".verdict")).to_have_count(0)


@pytest.mark.browser
async def test_after_the_close_a_run_says_who_checked_it_and_is_checked_again_at_one_press(
    clubs: Clubs, browser: Browser
) -> None:
    club = await clubs({"gentle": "klondike"})
    player = await club.newcomer(browser, DESKTOP)
    page = player.page
    await player.has_played()
    await page.goto(f"{club.url}replay/{player.game}")
    await expect(page.locator(".about-run .actions")).to_be_visible()
    await expect(page.locator(".run-check")).to_have_count(0)

    club.close_day(FIRST_DAY)
    await page.wait_for_function(LOGGED, arg=player.game)
    await page.reload()
    line = page.locator(".run-check .line")
    await expect(line).to_contain_text("Checked by this server: every move by the rules")
    await expect(line).to_contain_text(ATTESTED)
    await expect(line).to_contain_text("Not witnessed")
    await page.get_by_role("button", name="Check again here").click()
    await expect(line).to_contain_text("Checked by this browser just now: Consistent with its rules and its seal")
    await expect(line).to_contain_text(ATTESTED)

    await page.route("**/record", lambda route: route.fulfill(path=RECORDS / "casual.json"))
    await page.route("**/.well-known/cadogan.json", lambda route: route.fulfill(json={"keys": [], "witnesses": []}))
    await page.get_by_role("button", name="Check again here").click()
    await expect(line).to_contain_text("Not attested: the record has no proof")

    await page.goto(f"{club.url}account")
    own = page.locator(".own-runs li")
    await expect(own).to_have_count(1)
    await expect(own).to_contain_text("Number 1")
    await expect(own.get_by_role("link")).to_have_attribute("href", f"/replay/{player.game}")


@pytest.mark.browser
async def test_an_archive_is_checked_record_by_record(clubs: Clubs, browser: Browser, tmp_path: Path) -> None:
    club = await clubs({"gentle": "quatorze"})
    page = (await club.newcomer(browser, DESKTOP)).page
    await page.goto(f"{club.url}audit")
    chosen = page.get_by_label("Drop the file of a record or an archive")
    lines = [json.dumps(json.loads((RECORDS / name).read_bytes())).encode() for name in ("casual.json", "daily.json")]
    whole, broken, cut = tmp_path / "whole.gz", tmp_path / "broken.gz", tmp_path / "cut.gz"
    whole.write_bytes(archive_of(lines))
    broken.write_bytes(archive_of([lines[0].replace(b'"move": "deal"', b'"move": "daal"', 1), lines[1]]))
    cut.write_bytes(whole.read_bytes()[:-30])
    await chosen.set_input_files(whole)
    await expect(verdict(page)).to_contain_text("All 2 records in the archive are in order")
    await expect(page.locator(".verdict")).to_contain_text("An archive of 2 games from before 2026-12-01.")
    await expect(page.locator(".verdict")).to_contain_text("Attested by the log of this server: 0 of 2.")
    await chosen.set_input_files(broken)
    await expect(verdict(page)).to_contain_text("1 of 2 records is broken")
    await expect(page.locator(".findings")).to_contain_text("The hash does not fit")
    await chosen.set_input_files(cut)
    await expect(page.get_by_role("alert")).to_contain_text("not a valid record")


LOGGED = "async (game) => (await (await fetch(`/api/v1/games/${game}/attestation`)).json()).entry !== undefined"
"""Whether a game is in the log of the server."""


def archive_of(records: list[bytes]) -> bytes:
    """An archive with these records."""
    lines = [b'{"format":"cadogan archive 1","before":"2026-12-01"}', *records]
    text = b"".join(line + b"\n" for line in lines)
    end = {"games": len(records), "sha256": sha256(text).hexdigest()}
    return gzip.compress(text + json.dumps(end, separators=(",", ":")).encode() + b"\n")


@pytest.mark.browser
async def test_the_page_shows_the_key_of_the_server_and_those_from_which_it_was_rotated(
    sqlite_url: str, browser: Browser
) -> None:
    async with open_server(replace(TEST_SETTINGS, database_url=sqlite_url)) as club:
        ann = await club.guest()
        await play_and_resign(ann, await ann.deal())
        first = await log_ends(club.server)
        second = (await rotate_key(club.server.database, club.server.host_key)).key
        page = await browser.new_page(viewport=PHONE)
        await page.goto(f"{club.url}/audit")
        keys = page.get_by_role("region", name="Keys of this server")
        await expect(keys.locator("dt")).to_have_text(
            ["Signs the log now", re.compile(r"Signed the log up to entry \d+")]
        )
        await expect(keys.locator("code")).to_have_text([second.text, first.text])
        await expect(keys.get_by_role("alert")).to_have_count(0)
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await page.close()
