"""Frames while every card of a large game glides at once, on a slowed-down machine, against a page where nothing moves.

    python -m benchmarks.frame_times --game house-in-the-wood --slowdown 4

Needs Chromium. The opening deal lets every card glide; House in the Wood draws all its 104 at once, and no game deals
more that are seen. For a second from the first card on, the time from frame to frame is taken, and then for a second in
which all lies still. Prints the medians and their ratio (1 is as smooth as the browser draws at all), the 95th
percentiles over several deals and of the least disturbed one, and the longest.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
from pathlib import Path

from playwright.async_api import Page, async_playwright

from tests.e2e.conftest import ARGUMENTS, chromium
from tests.e2e.person import PHONE
from tests.harness.server_process import NO_RATE_LIMIT, ServerProcess

WATCH = """(milliseconds) => new Promise((done) => {
  const times = [];
  const frame = (now) => {
    times.push(now);
    if (now - times[0] < milliseconds) requestAnimationFrame(frame);
    else done(times.slice(1).map((time, index) => time - times[index]));
  };
  requestAnimationFrame(frame);
})"""
DEALT = """(milliseconds) => new Promise((done) => {
  const watch = WATCH;
  const seen = new MutationObserver(() => {
    if (!document.querySelector(".card")) return;
    seen.disconnect();
    done(watch(milliseconds));
  });
  seen.observe(document.body, { childList: true, subtree: true });
  document.querySelector(".deal-panel button").click();
})""".replace("WATCH", WATCH)


async def deal(page: Page, address: str) -> tuple[list[float], list[float], int]:
    """The milliseconds between frames while a new game is dealt, and afterwards; and the cards that are drawn."""
    await page.goto(address, wait_until="networkidle")
    moving = await page.evaluate(DEALT, 1000)
    await page.wait_for_timeout(1500)
    still = await page.evaluate(WATCH, 1000)
    return moving, still, await page.locator(".card").count()


async def main() -> None:
    """Reads the command line, deals, and prints."""
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
                glided, lay, cards = await deal(page, f"{server.url}/games/{options.game}")
                moving.append(glided)
                still.append(lay)
            await browser.close()
    print(
        f"{options.game}: {cards} cards drawn, {options.deals} deals, processor slowed down {options.slowdown:g} times"
    )
    medians = []
    for name, deals in (("gliding", moving), ("still", still)):
        frames = [frame for frames in deals for frame in frames]
        medians.append(statistics.median(frames))
        least = min(map(_last, deals))
        print(f"  {name}: median {medians[-1]:.1f} ms a frame, longest {max(frames):.0f}")
        print(f"    95th percentile {_last(frames):.1f}, of the least disturbed deal {least:.1f}")
    print(f"  ratio of the medians {medians[0] / medians[1]:.2f}")


def _last(frames: list[float]) -> float:
    """The 95th percentile."""
    return sorted(frames)[int(0.95 * len(frames))]


if __name__ == "__main__":
    asyncio.run(main())
