"""The time between frames while all cards of a large game move, compared with the time while nothing moves.

    python -m benchmarks.frame_times --game house-in-the-wood --slowdown 4

Needs Chromium, and throttles its processor. When a game is dealt, every card moves; House in the Wood shows all its 104
cards at once, the most of any game. Frames are timed for one second from the first card on, and for one second in which
nothing moves. Prints the medians and their ratio (1 is as smooth as the browser can draw), the 95th percentile over all
deals and of the deal with the lowest one, and the longest time.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
from pathlib import Path

from playwright.async_api import Page, async_playwright

from tests.harness.chromium import ARGUMENTS, PHONE, chromium
from tests.harness.server_process import NO_RATE_LIMIT, ServerProcess

FRAME_TIMES_SCRIPT = """(milliseconds) => new Promise((done) => {
  const times = [];
  const frame = (now) => {
    times.push(now);
    if (now - times[0] < milliseconds) requestAnimationFrame(frame);
    else done(times.slice(1).map((time, index) => time - times[index]));
  };
  requestAnimationFrame(frame);
})"""
DEAL_SCRIPT = """(milliseconds) => new Promise((done) => {
  const frameTimes = FRAME_TIMES_SCRIPT;
  const observer = new MutationObserver(() => {
    if (!document.querySelector(".card")) return;
    observer.disconnect();
    done(frameTimes(milliseconds));
  });
  observer.observe(document.body, { childList: true, subtree: true });
  document.querySelector(".deal-panel button").click();
})""".replace("FRAME_TIMES_SCRIPT", FRAME_TIMES_SCRIPT)


async def deal(page: Page, address: str) -> tuple[list[float], list[float], int]:
    """Deal a new game on this page.

    Returns the milliseconds between frames while the cards move, and while nothing moves, and the number of cards.
    """
    await page.goto(address, wait_until="networkidle")
    moving = await page.evaluate(DEAL_SCRIPT, 1000)
    await page.wait_for_timeout(1500)
    still = await page.evaluate(FRAME_TIMES_SCRIPT, 1000)
    return moving, still, await page.locator(".card").count()


async def main() -> None:
    """Measure as the command line specifies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="house-in-the-wood")
    parser.add_argument("--slowdown", type=float, default=4)
    parser.add_argument("--deals", type=int, default=5)
    options = parser.parse_args()
    moving: list[list[float]] = []
    still: list[list[float]] = []
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(f"sqlite:///{folder}/club.db", Path(folder) / "server.log", NO_RATE_LIMIT)
        server.command("migrate")
        async with server, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
            context = await browser.new_context(viewport=PHONE, device_scale_factor=2, has_touch=True)
            page = await context.new_page()
            session = await context.new_cdp_session(page)
            await session.send("Emulation.setCPUThrottlingRate", {"rate": options.slowdown})
            for _ in range(options.deals):
                moving_times, still_times, cards = await deal(page, f"{server.url}/games/{options.game}")
                moving.append(moving_times)
                still.append(still_times)
            await browser.close()
    print(f"{options.game}: {cards} cards, {options.deals} deals, processor slowed down {options.slowdown:g} times")
    medians = []
    for name, deals in (("moving", moving), ("still", still)):
        frames = [frame for frames in deals for frame in frames]
        medians.append(statistics.median(frames))
        least = min(map(_percentile_95, deals))
        print(f"  {name}: median {medians[-1]:.1f} ms between frames, longest {max(frames):.0f}")
        print(f"    95th percentile {_percentile_95(frames):.1f}, lowest of a deal {least:.1f}")
    print(f"  ratio of the medians {medians[0] / medians[1]:.2f}")


def _percentile_95(frames: list[float]) -> float:
    return sorted(frames)[int(0.95 * len(frames))]


if __name__ == "__main__":
    asyncio.run(main())
