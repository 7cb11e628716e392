"""The bytes and the first contentful paint of the first page load, compared with an empty page.

    python -m benchmarks.page_load --visits 9

Needs Chromium. Each visit is a new browser profile with an empty cache, at a server on this machine. Prints the medians
of the first contentful paint and their ratio. The aim is a page of less than 150,000 bytes, painted within a second.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from tests.harness.chromium import ARGUMENTS, PHONE, chromium
from tests.harness.server_process import ServerProcess

EMPTY_PAGE = "/healthz"
FIRST_PAINT_SCRIPT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
TRANSFERRED_BYTES_SCRIPT = """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""


async def visit(browser: Browser, address: str) -> tuple[float, int]:
    """Load a page for the first time, in a phone-sized window.

    Returns the milliseconds until the first contentful paint, and the bytes of all response bodies.
    """
    context = await browser.new_context(viewport=PHONE)
    try:
        page = await context.new_page()
        await page.goto(address, wait_until="networkidle")
        return await page.evaluate(FIRST_PAINT_SCRIPT), await page.evaluate(TRANSFERRED_BYTES_SCRIPT)
    finally:
        await context.close()


async def main() -> None:
    """Measure as the command line specifies."""
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
                empty.append(await visit(browser, server.url + EMPTY_PAGE))
            await browser.close()
    page, baseline = (statistics.median(painted for painted, _ in visits) for visits in (full, empty))
    print(f"{options.visits} first visits: {full[0][1]:,} bytes")
    print(f"first paint after {page:.0f} ms (median), empty page {baseline:.0f} ms, ratio {page / baseline:.1f}")


if __name__ == "__main__":
    asyncio.run(main())
