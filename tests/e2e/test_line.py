"""A line that goes silent or away, in a real browser: the page says so, shows what is pending, and loses nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from aiohttp.test_utils import TestServer
from playwright.async_api import expect

from tests.e2e.seated import Seated, seated
from tests.harness.chromium import DESKTOP, PHONE
from tests.harness.network_proxy import NetworkProxy

__all__ = ["seated"]

PILES = {"tableau.0": ["7H"], "tableau.1": ["8S"], "tableau.5": ["KD"], "stock": ["-2D", "-3D", "-4D"]}
"""A Klondike in which the seven of hearts goes on the eight of spades, and more is to do."""


@pytest_asyncio.fixture(loop_scope="session")
async def proxies() -> AsyncIterator[list[NetworkProxy]]:
    """The proxies that a test has started; they are stopped after it."""
    started: list[NetworkProxy] = []
    yield started
    for proxy in started:
        await proxy.__aexit__(None, None, None)


@pytest.mark.browser
async def test_a_move_without_an_answer_is_pending_and_told_and_is_played_once_when_the_line_is_back(
    seated: Seated, proxies: list[NetworkProxy]
) -> None:
    async def behind_proxy(server: TestServer) -> str:
        assert server.port is not None
        proxies.append(await NetworkProxy(server.port).__aenter__())
        return f"{proxies[0].url}/"

    seat = await seated("klondike", PILES, PHONE, behind_proxy)
    pending = seat.page.locator(".card.pending")
    proxies[0].silence()
    await seat.drag("tableau.0", "tableau.1")
    await expect(pending).to_have_count(1)
    await expect(seat.page.get_by_text("No answer yet").last).to_be_visible()
    proxies[0].mend()
    await seat.person.hears_of_moves(1)
    await expect(pending).to_have_count(0)
    await expect(seat.page.locator(".line-notice.late")).to_be_hidden()
    await seat.person.sees_all()
    assert (await seat.sitting()).moves == 1


@pytest.mark.browser
async def test_a_lost_network_is_told_at_once(seated: Seated) -> None:
    seat = await seated("klondike", PILES, DESKTOP)
    notice = seat.page.locator(".line-notice.not_connected")
    await seat.page.evaluate("dispatchEvent(new Event('offline'))")
    assert await notice.is_visible()
    await seat.page.evaluate("dispatchEvent(new Event('online'))")
    await expect(notice).to_be_hidden()
