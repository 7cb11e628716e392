"""A whole day in real browsers: played, watched live, ranked, and proved from the downloaded record."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from playwright.async_api import Browser, ViewportSize, expect

from cadogan import engine
from cadogan.server.core import dates
from tests.e2e.club import FIRST_DAY, SETTLED, Clubs
from tests.e2e.person import Person, choose
from tests.harness.chromium import DESKTOP, PHONE
from tests.harness.server_process import COMMAND


@pytest.mark.browser
@pytest.mark.parametrize(
    ("slug", "viewport", "moves"), [("quatorze", DESKTOP, 120), ("klondike", PHONE, 30)], ids=["desktop", "phone"]
)
async def test_a_day_is_played_watched_ranked_and_proven(
    clubs: Clubs, browser: Browser, tmp_path: Path, slug: str, viewport: ViewportSize, moves: int
) -> None:
    club = await clubs({"gentle": "louis", "stern": slug})
    name = engine.game(slug).name
    player = await club.visitor(browser, viewport, has_motion=True)
    await player.begin_daily(name)
    seen: Counter[str] = Counter()
    await play(player, seen, most=5)

    watcher = await club.visitor(browser, viewport, has_motion=True)
    await may_not_see(watcher, player)
    await watcher.page.goto(club.url)
    await watcher.begin_daily(name)
    await watcher.resign()
    await watcher.page.goto(club.url)
    await watcher.page.get_by_role("group", name="Which deal").get_by_text("Hard").click()
    await watcher.page.locator(f'.meters a[href="/watch/{player.game}"]').click()
    await sees_what(watcher, player)
    await play(player, seen, most=5)
    await sees_what(watcher, player)
    await play(player, seen, most=moves)
    await end(player)
    await sees_what(watcher, player)

    await player.page.get_by_role("dialog").get_by_role("link", name="Board").click()
    rows = player.page.locator(".ranking tbody tr")
    await expect(rows).to_have_count(1)  # the watcher gave up without a move
    await expect(rows.filter(has_text="(you)")).to_have_count(1)

    await player.page.goto(f"{club.url}replay/{player.game}")
    await expect(player.page.get_by_role("button", name="Last position")).to_be_visible()
    await expect(player.page.get_by_role("link", name="Download the record")).to_have_count(0)
    club.close_day(FIRST_DAY)
    record = await download(player, tmp_path)
    prove_and_refute(record)


async def play(player: Person, seen: Counter[str], most: int) -> None:
    """Plays until the game is over, or so many moves are played."""
    for _ in range(most):
        if player.status != "playing" or not player.legal:
            return
        await player.play(choose(player.legal, seen))


async def end(player: Person) -> None:
    """Sees how the game ended, or ends it."""
    if player.status in ("playing", "stuck"):
        await player.resign()
    else:
        await player.sees_the_end(player.status.capitalize())


async def may_not_see(watcher: Person, player: Person) -> None:
    """Somebody who has yet to finish the day's deal sees how far the other is, and no card."""
    await watcher.page.goto(f"{watcher.url}watch/{player.game}")
    await expect(watcher.page.get_by_text("The cards are hidden for now.")).to_be_visible()
    covered = watcher.page.locator(".covered")
    await expect(covered).to_contain_text(f"{player.moves} moves")
    score, maximum = (await covered.locator(".large-figure").inner_text()).replace("−", "-").split(" of ")
    filled = await covered.locator(".gauge > span").evaluate("(one) => parseFloat(one.style.width)")
    assert filled == pytest.approx(100 * max(0, int(score)) / int(maximum), abs=0.01)
    await expect(watcher.page.locator("[data-pile]")).to_have_count(0)


async def sees_what(watcher: Person, player: Person) -> None:
    """The watcher's page shows the same piles as the player's."""
    await watcher.shows_moves(player.moves)
    assert await watcher.board() == await player.board()


async def download(player: Person, folder: Path) -> Path:
    """The record, by the link on the page of the game."""
    await player.page.reload()
    async with player.page.expect_download() as started:
        await player.page.get_by_role("link", name="Download the record").click()
    path = folder / "record.json"
    await (await started.value).save_as(path)
    return path


def prove_and_refute(record: Path) -> None:
    """The record is accepted, and refused with one byte changed, naming the event."""
    assert verify(record).returncode == 0, verify(record).stdout
    whole = record.read_bytes()
    events = msgspec.json.decode(whole)["events"]
    digest = events[len(events) // 2]["hash"].encode()
    changed = digest[:-1] + (b"0" if digest[-1:] != b"0" else b"1")
    record.write_bytes(whole.replace(digest, changed))
    refused = verify(record)
    assert refused.returncode == 1
    assert f"event {len(events) // 2 + 1}:" in refused.stdout


def verify(record: Path) -> subprocess.CompletedProcess[str]:
    """What `cadogan verify` says."""
    return subprocess.run([COMMAND, "verify", str(record)], capture_output=True, text=True)


@pytest.mark.browser
async def test_who_plays_past_the_end_of_a_day_is_told_until_when_and_that_a_run_it_ended_counts_nowhere(
    clubs: Clubs, browser: Browser
) -> None:
    club = await clubs({"gentle": "klondike"})
    ends = dates.day_times(FIRST_DAY, 0).closes_at
    club.clock.turn_to(ends - SETTLED)
    late = await club.visitor(browser, PHONE)
    await late.begin_daily("Canfield or Klondike")
    await late.play("deal")
    club.clock.turn_to(ends + SETTLED)
    later = await club.visitor(browser, DESKTOP)
    await later.go(f"daily/{FIRST_DAY}")
    await expect(later.page.get_by_text("Nobody can start any more.")).to_be_visible()
    await expect(later.page.get_by_text("you can start before")).to_have_count(0)
    club.close_day(FIRST_DAY)
    ending = late.page.get_by_role("dialog")
    await expect(ending.get_by_text("The day closed before this game was over. It counts nowhere.")).to_be_visible()
    await expect(ending.get_by_role("link", name="Replay")).to_be_visible()
    await expect(ending.get_by_text("Your first finished game")).to_have_count(0)
