"""A real Chromium for the tests of the page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from cadogan.server.core.fairness import commit_reveal
from deploy.bundle import CLIENT, CannotBundle, make_bundle
from tests.e2e.club import Club, Clubs, open_club
from tests.e2e.looks import looks_well
from tests.harness.chromium import ARGUMENTS, chromium
from tests.harness.patience import soon

__all__ = ["looks_well"]


@pytest.fixture(scope="session", autouse=True)
def bundle() -> None:
    """The client as users have it: bundled, where the bundler is here."""
    with suppress(CannotBundle):
        make_bundle(CLIENT)


@pytest.fixture(autouse=True)
def known_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every deal has the same secret, and so the same cards on every run."""
    monkeypatch.setattr(commit_reveal, "draw_secret", lambda: bytes(range(commit_reveal.SECRET_BYTES)))


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Run every test of this folder in one event loop, the one in which their browser lives.

    A module has the marker before its tests are collected: a marker that a test gets later does not keep the loop, and
    with it the browser, from being closed after each test. The folder itself is too early: pytest begins to collect it
    before it reads this file, unless the folder is named on the command line.
    """
    if isinstance(collector, pytest.Module) and collector.path.parent == Path(__file__).parent:
        collector.add_marker(pytest.mark.asyncio(loop_scope="session"))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def headless_chromium() -> AsyncIterator[Browser]:
    """A headless browser for all tests: to start one takes as long as many a test."""
    expect.set_options(timeout=soon() * 1000)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        browser.on("context", lambda context: context.set_default_timeout(soon() * 1000))
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def browser(headless_chromium: Browser) -> AsyncIterator[Browser]:
    """A browser in which nobody has been; each `new_context` of it is another person, until the test ends."""
    yield headless_chromium
    for context in headless_chromium.contexts:
        await context.close()


@pytest_asyncio.fixture(loop_scope="session")
async def clubs(sqlite_url: str, tmp_path: Path) -> AsyncIterator[Clubs]:
    """Opens a club whose every day has the card it is given: a game for each level."""
    async with AsyncExitStack() as stack:

        async def opened(
            card: dict[str, str],
            smtp_url: str = "",
            oidc_issuer: str = "",
            beacon: str = "",
            has_origin: bool = False,
        ) -> Club:
            serving, clock = open_club(sqlite_url, tmp_path, card, smtp_url, oidc_issuer, beacon, has_origin)
            server = await stack.enter_async_context(serving)
            return Club(str(server.make_url("/")), clock)

        yield opened
