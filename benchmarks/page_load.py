"""The first page on a local link: how many bytes it brings, and how soon it is drawn, against an empty page.

    python -m benchmarks.page_load --visits 9

Needs Chromium. Each visit is a new browser profile with an empty cache. Prints medians and their ratio; the aim is a
page under 150,000 bytes that is drawn within a second.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from tests.e2e.conftest import ARGUMENTS, chromium
from tests.e2e.person import PHONE
from tests.harness.server_process import ServerProcess

EMPTY = "/healthz"
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
BROUGHT = """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""


async def visit(browser: Browser, address: str) -> tuple[float, int]:
    """Milliseconds to the first painted content, and the bytes of all bodies, on a first visit by phone."""
    context = await browser.new_context(viewport=PHONE)
    try:
        page = await context.new_page()
        await page.goto(address, wait_until="networkidle")
        return await page.evaluate(PAINTED), await page.evaluate(BROUGHT)
    finally:
        await context.close()


async def main() -> None:
    """Reads the command line, visits, and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visits", type=int, default=9)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(f"sqlite:///{folder}/club.db", Path(folder) / "server.log")
        server.command("migrate")
        async with server, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
            full, empty = [], []
            for _ in range(options.visits):
                full.append(await visit(browser, server.url))
                empty.append(await visit(browser, server.url + EMPTY))
            await browser.close()
    drawn, blank = (statistics.median(painted for painted, _ in visits) for visits in (full, empty))
    print(f"{options.visits} first visits: {full[0][1]:,} bytes")
    print(f"drawn after {drawn:.0f} ms (median), an empty page after {blank:.0f} ms: ratio {drawn / blank:.1f}")


if __name__ == "__main__":
    asyncio.run(main())
