"""The browser keeps the receipt of each game that ends in it, and checks on the page of checks whether it was kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect
from sqlalchemy import delete, select

from cadogan.server.core.database.tables import log_entries, log_heads, log_tiles
from cadogan.server.subjects.transparency.transparency_log import TransparencyLog
from tests.e2e.club import Clubs
from tests.harness.chromium import DESKTOP, PHONE
from tests.harness.daily_actions import play_and_resign
from tests.harness.logging_ends import log_ends
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server

KEPT = "() => JSON.parse(localStorage.getItem('cadogan.receipts') ?? '[]').map(({ game }) => game)"
LOGGED = """async (id) => (await (await fetch("/api/v1/account/runs")).json()).runs
  .some(({ game, entry }) => game.id === id && entry !== undefined)"""
"""Whether a game of one's own is in the log of the server."""
KEEP = "(kept) => localStorage.setItem('cadogan.receipts', JSON.stringify([kept]))"


async def check(page: Page, words: str) -> None:
    """Press the button of the one receipt, and expect these words."""
    await page.get_by_role("button", name="Check", exact=True).click()
    await expect(page.locator(".receipts .receipt-verdict")).to_contain_text(words)


@pytest.mark.browser
async def test_the_receipt_of_a_game_is_kept_checked_and_saved(clubs: Clubs, browser: Browser, tmp_path: Path) -> None:
    club = await clubs({"gentle": "quatorze", "stern": "klondike"})
    player = await club.newcomer(browser, PHONE)
    page = player.page
    await page.goto(f"{club.url}audit")
    await expect(page.get_by_label("Drop the file of a record")).to_be_visible()
    await expect(page.locator(".receipts")).to_have_count(0)
    await player.go("")
    await player.begin_daily("Canfield or Klondike")
    await player.play("deal")
    await player.resign()
    await page.wait_for_function(f"(game) => ({KEPT})().includes(game)", arg=player.game)

    await page.goto(f"{club.url}audit")
    row = page.locator(".receipts li")
    await expect(row).to_have_count(1)
    await expect(row.get_by_role("link")).to_have_attribute("href", f"/replay/{player.game}")
    await expect(row).to_contain_text("It is due by 21 Nov")
    await page.wait_for_function(LOGGED, arg=player.game)
    await check(page, "Kept: it is entry")
    async with page.expect_download() as downloading:
        await page.get_by_role("button", name="Save as a file").click()
    saved = tmp_path / "saved.receipt"
    download = await downloading.value
    assert download.suggested_filename == f"{player.game}.receipt"
    await download.save_as(saved)
    assert saved.read_text("utf-8").split("\n")[1] == f"game/{player.game}"
    await page.get_by_label("Drop the file of a record").set_input_files(saved)
    await expect(page.locator(".audited .receipt-verdict")).to_contain_text("Kept: it is entry")


async def withhold(server: RunningServer, game: str) -> None:
    """Leave a game out of the log, and sign the log anew."""
    database, key = server.server.database, server.server.host_key.get()
    async with database.writing() as connection:
        rows = [*await connection.execute(select(log_entries).order_by(log_entries.c.number))]
        for table in (log_entries, log_tiles, log_heads):
            await connection.execute(delete(table))
    others = [(row.stream, row.version, row.entry) for row in rows if row.stream != f"game/{game}"]
    await TransparencyLog(database).append(others, key)


@pytest.mark.browser
async def test_a_game_that_the_server_withholds_is_said_to_break_the_promise(browser: Browser, sqlite_url: str) -> None:
    async with open_server(replace(TEST_SETTINGS, database_url=sqlite_url)) as server:
        ann = await server.guest()
        game = await ann.deal()
        await play_and_resign(ann, game)
        await log_ends(server.server)
        given = (await ann.get(f"/games/{game}/receipt"))[1]
        context = await browser.new_context(viewport=DESKTOP)
        page = await context.new_page()
        await page.goto(f"{server.url}/audit")
        kept = {
            "game": game,
            "name": "Klondike",
            "receipt": given["receipt"],
            "key": given["key"],
            "due": given["due_at"],
        }
        await page.evaluate(KEEP, kept)
        await page.reload()
        await check(page, "Kept: it is entry")
        await withhold(server, game)
        await check(page, "Broken: the log of")
        await page.evaluate(KEEP, {**kept, "receipt": given["receipt"].replace("game/", "game/x")})
        await page.reload()
        await check(page, "Nothing is shown by this")
        await context.close()
