"""A browser seated at a game whose cards a test has laid out, or whose deal is drawn like any other."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest_asyncio
from aiohttp import web
from aiohttp.test_utils import TestServer
from msgspec.structs import replace
from playwright.async_api import Browser, Locator, Page, ViewportSize, expect

from cadogan import engine
from cadogan.server.core.eventlog.events import GameDealt
from cadogan.server.core.fairness.sealed_deals import SealedDeal
from cadogan.server.core.games.competition import make_deal_event
from cadogan.server.core.games.game_state import GameState
from cadogan.server.core.web.requests import SERVER
from tests.e2e.club import open_club
from tests.e2e.person import Person
from tests.harness.chromium import DESKTOP


@dataclass
class Seat:
    """Somebody at a table of their own, and the server that has it."""

    person: Person
    app: web.Application
    game: str

    @property
    def page(self) -> Page:
        """The page with the table."""
        return self.person.page

    def pile(self, name: str) -> Locator:
        """The button that stands for a pile."""
        return self.page.locator(f'[data-pile="{name}"]')

    async def shows(self, pile: str, cards: str) -> None:
        """Waits until the page says so of a pile's cards, after its name."""
        await expect(self.pile(pile)).to_have_attribute("aria-label", re.compile(rf"^[^,]+, {re.escape(cards)}$"))

    async def sitting(self) -> GameState:
        """The game as the server has it."""
        return await self.app[SERVER].cache.get(self.game)

    async def top(self, pile: str) -> tuple[float, float]:
        """A point on the top card of a pile, where it comes to lie."""
        await self.person.sees_all()
        await self.pile(pile).scroll_into_view_if_needed()
        box = await self.pile(pile).bounding_box()
        assert box is not None
        return box["x"] + box["width"] - 6, box["y"] + box["height"] - 6

    async def drag(self, source: str, target: str) -> None:
        """Drags the top card of one pile onto another with the mouse."""
        start, (x, y) = await self.top(source), await self.top(target)
        await self.page.mouse.move(*start)
        await self.page.mouse.down()
        await self.page.mouse.move(x - 12, y - 12, steps=4)
        await self.page.mouse.move(x, y)
        await self.page.mouse.up()


Seated = Callable[..., Awaitable[Seat]]
"""Seats somebody at a game: its rules, its piles unless they are drawn, the screen's size, the way to the server.

Only with `has_motion` do the cards move.
"""


def laid(deal: SealedDeal, player: str, piles: dict[str, list[str]] | None, *, ranked: bool = False) -> GameDealt:
    """A casual game with this deal: its own cards, or, if there are piles, those and nothing else."""
    own = make_deal_event(deal, player, nonce="own words", ranked=ranked)
    if piles is None:
        return own
    game = engine.game(deal.game)
    state = game.read_state(piles)
    return replace(own, piles=game.write_piles(state), counters=game.write_counters(state))


@pytest_asyncio.fixture(loop_scope="session")
async def seated(browser: Browser, sqlite_url: str, tmp_path: Path) -> AsyncIterator[Seated]:
    """Opens a server and seats a guest at a game there, whose page is the first that the guest opens."""
    serving, clock = open_club(sqlite_url, tmp_path, {"gentle": "klondike"})
    async with serving:

        async def seat(
            slug: str,
            piles: dict[str, list[str]] | None = None,
            viewport: ViewportSize = DESKTOP,
            via: Callable[[TestServer], Awaitable[str]] | None = None,
            ranked: bool = False,
            has_motion: bool = False,
        ) -> Seat:
            url = await via(serving) if via else str(serving.make_url("/"))
            person = await Person.away(browser, url, viewport, clock.ahead, has_motion=has_motion)
            answer = await person.page.request.post(f"{url}api/v1/session/guest", data={})
            guest: dict[str, Any] = await answer.json()
            player = guest["player"]["id"]
            deal = await serving.app[SERVER].casual_games.seal(slug)
            dealt = laid(deal, player, piles, ranked=ranked)
            await serving.app[SERVER].commands.deal(deal.id, dealt, deal.secret, clock())
            person.game = deal.id
            await person.go(f"play/{deal.id}")
            await expect(person.page.locator(".card").first).to_be_visible()
            return Seat(person, serving.app, deal.id)

        yield seat
