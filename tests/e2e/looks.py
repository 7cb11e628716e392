"""How a page looks: axe finds nothing, and the page is no wider than its window."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.async_api import Page, ViewportSize, expect

from tests.harness.chromium import DESKTOP, PHONE

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
FIND = """async (rules) => {
  const { violations } = await axe.run({ runOnly: rules, resultTypes: ["violations"], preload: false });
  const why = ({ any, all, none }) => [...any, ...all, ...none].map(({ message }) => message).join("; ");
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${why(node)}`));
}"""
LooksWell = Callable[[Page, str], Awaitable[None]]
"""Looks at a page, under the name that its pictures get."""
EVERY_SIZE = (DESKTOP, PHONE, ViewportSize(width=844, height=390))


@pytest.fixture(params=["one_size", pytest.param("every_size", marks=pytest.mark.heavy)])
def looks_well(request: pytest.FixtureRequest) -> LooksWell:
    """Looks at a page as soon as it has its heading: in its own window, and in the heavy lane in windows of every size.

    With CADOGAN_SHOTS it keeps a picture of each size in that folder.
    """

    async def look(page: Page, name: str) -> None:
        await expect(page.get_by_role("heading", level=1).first).to_be_visible()
        own = page.viewport_size
        assert own is not None
        for size in EVERY_SIZE if request.param == "every_size" else (own,):
            await page.set_viewport_size(size)
            assert await violations(page, RULES) == [], (name, size)
            width = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert width <= 0, (name, size)
            if shots := os.environ.get("CADOGAN_SHOTS"):
                await page.screenshot(path=Path(shots) / f"{name}-{size['width']}.png")
        await page.set_viewport_size(own)

    return look


async def violations(page: Page, rules: list[str]) -> list[str]:
    """What axe finds on a page by these rules: the rule, the element and why."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE)
    found: list[str] = await page.evaluate(FIND, rules)
    return found
