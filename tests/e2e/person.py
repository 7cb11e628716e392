"""Somebody at a browser: reads the page, and plays by its real controls."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import aiohttp
from playwright.async_api import Browser, Locator, Page, ViewportSize, WebSocket, expect

from tests.harness import people
from tests.harness.chromium import PHONE
from tests.harness.daily_actions import play_and_resign
from tests.harness.patience import soon

SIGNING_IN = ("/account", "/session", "/session/guest")
"""The requests that are answered with a token."""
STEADY = """(ahead, isNew) => {
  const [now, later] = [Date.now, setTimeout];
  Date.now = () => now() + ahead;
  crypto.getRandomValues = (bytes) => bytes.fill(7);
  if (!isNew) localStorage.setItem("cadogan.learned", '["*"]');
  const isShort = (delay) => [550, 2500, 6000].includes(delay);
  globalThis.setTimeout = (run, delay, ...given) => later(run, isShort(delay) ? 3_600_000 : delay, ...given);
}"""
"""Makes a browser's clock run so many milliseconds ahead and its part in a deal always the same; and however slow the
machine is, no press is a long one and words stay until others are said."""


class Person:
    """One page in a browser of its own, and the last the server told it about a game: version, legal moves, status.

    What the page holds is read from the frames that reach its socket; nothing is asked of the page's insides. On a
    phone it is played with taps, on a desktop with clicks, by keys where a tap could be taken for a double one.
    """

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.game = ""
        self.version = 0
        self.moves = 0
        self.status = "playing"
        self.legal: list[str] = []
        self._counts = False
        self._token = ""
        self._last_tapped = ""
        self._news = asyncio.Event()
        page.on("websocket", self._listen)

    @classmethod
    async def at(
        cls,
        browser: Browser,
        url: str,
        viewport: ViewportSize,
        ahead: int = 0,
        offline: bool = False,
        is_new: bool = False,
        has_motion: bool = False,
    ) -> Person:
        """A person who has never been here, at the first page; `away` has the parameters."""
        person = await cls.away(browser, url, viewport, ahead, offline, is_new, has_motion)
        await person.page.goto(url)
        await expect(person.page.get_by_role("heading", level=1)).to_be_visible()
        return person

    @classmethod
    async def away(
        cls,
        browser: Browser,
        url: str,
        viewport: ViewportSize,
        ahead: int = 0,
        offline: bool = False,
        is_new: bool = False,
        has_motion: bool = False,
    ) -> Person:
        """A person who has never been here and has opened no page; the browser's clock is so many milliseconds ahead.

        Only with `offline` does the browser run the worker for the time without a connection, which slows every page.
        Only somebody who `is_new` to the games is shown how they are played. Only with `has_motion` do the cards move:
        drawing sixty frames a second costs more than all else that a move needs.
        """
        context = await browser.new_context(
            viewport=viewport,
            has_touch=viewport == PHONE,
            accept_downloads=True,
            reduced_motion="no-preference" if has_motion else "reduce",
            service_workers="allow" if offline else "block",
        )
        await context.add_init_script(f"({STEADY})({ahead}, {str(is_new).lower()})")
        return cls(await context.new_page(), url)

    async def begin_daily(self, game: str) -> None:
        """Begins the deal of today's card that plays this game from the first page, and sees the cards."""
        await self.page.get_by_role("button", name=f"Play: {game}").click()
        await self.takes_a_seat()

    async def takes_a_seat(self) -> None:
        """Sees the cards of a game of one's own."""
        await self.page.wait_for_url("**/play/*")
        self.game = self.page.url.rpartition("/")[2].partition("?")[0]
        await expect(self.page.locator(".card").first).to_be_visible()

    async def resign(self) -> None:
        """Ends the game by the page's own button."""
        await self.page.get_by_role("button", name="Resign").click()
        await self.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
        await self.sees_the_end("Resigned")

    async def plays_and_resigns(self) -> None:
        """Plays one move, so that a ranked run counts, and resigns."""
        await self.play(self.legal[0])
        await self.resign()

    async def claims(self, name: str) -> None:
        """Creates an account, without a page: `test_recovery` does it by the form."""
        await self.ask("/account", {"name": name, "password": "a long password"})

    async def signs_in(self, name: str) -> None:
        """Signs in to an account that `claims` has created, without a page: `test_account` does it by the form."""
        await self.ask("/session", {"name": name, "password": "a long password"})

    async def has_played(self, slot: int = 1, moves: int = 1, choice: int = 0) -> None:
        """Plays a deal of the day without a page, and gives it up: a guest, unless there is an account already."""
        if not self._token:
            await self.ask("/session/guest", {})
        async with aiohttp.ClientSession() as session:
            player = people.Person(self.url.rstrip("/"), session)
            player.token = self._token
            self.game = await player.enter(slot=slot)
            await play_and_resign(player, self.game, moves, choice)

    async def ask(self, path: str, body: object) -> Any:
        """Sends a request as this browser does, whatever page is open; the answer. Signing in is remembered."""
        headers = {"Origin": self.url.rstrip("/")}
        answer = await self.page.request.post(f"{self.url}api/v1{path}", data=body, headers=headers)
        found = await answer.json()
        assert answer.ok, found
        self._token = found.get("token", "") if path in SIGNING_IN else self._token
        return found

    async def go(self, path: str) -> None:
        """Opens a page by its address, as ``board/today``."""
        await self.page.goto(self.url + path)

    async def sees_the_end(self, word: str) -> None:
        """Waits for the panel that says how the game ended."""
        await expect(self.page.get_by_role("dialog").get_by_role("heading", name=word)).to_be_visible()

    async def board(self) -> dict[str, str]:
        """Each pile's name and the words that the page has for its cards."""
        await self.sees_all()
        piles = self.page.locator("[data-pile]")
        labels = await piles.evaluate_all("(all) => all.map((one) => [one.dataset.pile, one.ariaLabel])")
        return {pile: words.removesuffix(", can go here") for pile, words in labels}

    async def sees_all(self) -> None:
        """Waits until the table shows all that has happened."""
        await expect(self.page.locator(".board")).not_to_have_attribute("aria-busy", "true")

    async def play(self, move: str) -> None:
        """Plays a legal move with hand or keys, and waits until the page shows it."""
        moves = self.moves
        await self._touch_for(move)
        await self.hears_of_moves(moves + 1)
        assert self.moves == moves + 1
        await self.shows_moves(self.moves)

    async def hears_of_moves(self, moves: int) -> None:
        """Waits until the server has told the page of so many moves, or more."""
        await self._hears(lambda: self.moves >= moves)

    async def hears_of_version(self, version: int) -> None:
        """Waits until the server has told the page of this version, or a later one: the page may show it before."""
        await self._hears(lambda: self.version >= version)

    async def _hears(self, holds: Callable[[], bool]) -> None:
        while not holds():
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), soon())

    async def shows_moves(self, moves: int) -> None:
        """Waits until the page counts so many moves."""
        await expect(self.page.locator(".stats div", has_text="Moves").locator("dd").first).to_have_text(str(moves))

    async def _touch_for(self, move: str) -> None:
        joint = next((sign for sign in "+~" if sign in move), None)
        if joint is not None:
            return await self._tap_all(move.split(joint))
        source, *rest = move.split("/")
        if not rest:
            return await self._act(source)
        if len(rest) == 2 and int(rest[1]) != self._fewest(source):
            await self._pile(source).press(rest[1])
            return await self._pile(rest[0]).press("Enter")
        return await self._tap_all([source, rest[0]])

    async def _act(self, verb: str) -> None:
        """Presses the verb's button, or taps the stock where the page has none for it."""
        button = self.page.locator(".verbs button").get_by_text(verb, exact=False)
        if await button.count():
            await button.first.click()
            if self._counts and verb == "redeal":
                await self.page.locator("dialog.ask").get_by_role("button", name="Redeal").click()
        else:
            await self._tap_all(["stock"])

    def _only(self, pile: str) -> bool:
        """Whether a tap on the pile's top card plays at once, as the only thing that can be done with it."""
        fewest = self._fewest(pile)
        return sum(pile in _handles(move) and (_cards(move) or fewest) == fewest for move in self.legal) == 1

    async def _tap_all(self, piles: list[str]) -> None:
        for pile in piles[:1] if self._only(piles[0]) else piles:
            if pile == self._last_tapped:
                await self._pile(pile).press("Enter")
            else:
                await self._tap(self._pile(pile))
                self._last_tapped = pile

    async def _tap(self, pile: Locator) -> None:
        """Touches the pile's last card, once nothing moves any more: the lower right corner of its place."""
        await self.sees_all()
        await pile.scroll_into_view_if_needed()
        box = await pile.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] - 5, box["y"] + box["height"] - 5
        if self.page.viewport_size == PHONE:
            await self.page.touchscreen.tap(x, y)
        else:
            await self.page.mouse.click(x, y)

    def _pile(self, name: str) -> Locator:
        return self.page.locator(f'[data-pile="{name}"]')

    def _fewest(self, source: str) -> int:
        """How many cards a tap on the top one picks up: as few as may go."""
        parts = [move.split("/") for move in self.legal if move.startswith(f"{source}/")]
        return min((int(part[2]) if len(part) == 3 else 1 for part in parts), default=1)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._hear)

    def _hear(self, payload: str | bytes) -> None:
        message: dict[str, Any] = json.loads(payload)
        card = message.get("game")
        game = card["id"] if isinstance(card, dict) else card
        if game is None or (self.game and game != self.game) or "version" not in message:
            return
        if message["type"] == "winnability":
            return
        if isinstance(card, dict):
            self._counts = bool(card.get("ranked") or card.get("race"))
        self.version = message["version"]
        self.moves = message.get("moves", self.moves)
        self.status = message.get("status") or message.get("result") or self.status
        self.legal = message.get("legal", [])
        self._news.set()


def _handles(move: str) -> list[str]:
    """The piles that a hand takes hold of in a move."""
    joint = next((sign for sign in "+~" if sign in move), None)
    return move.split(joint) if joint else [move.split("/")[0]]


def _cards(move: str) -> int | None:
    """How many cards a transfer takes; nothing for other moves."""
    parts = move.split("/")
    if len(parts) == 1:
        return None
    return int(parts[2]) if len(parts) == 3 else 1


def choose(legal: list[str], seen: Counter[str]) -> str:
    """A move that was played least often so far, the first of several: a bot that gets on."""
    move = min(legal, key=lambda move: seen[move])
    seen[move] += 1
    return move
