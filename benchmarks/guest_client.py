"""Guests of a running server: create one, and start games for it over HTTP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import aiohttp

DEFAULT_GAMES = ("besieged-city", "carpet", "klondike", "maze", "maze-wraparound", "olga", "quatorze", "red-and-black")
"""The games that guests play by default. The list stays fixed, so that results over time are comparable."""


@dataclass(frozen=True)
class Guest:
    """A player without an account: the server's URL, the guest's bearer token, and the HTTP session to use."""

    url: str
    token: str
    http: aiohttp.ClientSession

    async def start_game(self, rules: str, nonce: str) -> str:
        """Deal a casual game by these rules, start it, and return its id. Raises ClientError if refused."""
        deal = (await self._post("/deals", {"rules": rules}))["deal"]
        return str((await self._post("/games", {"deal": deal, "nonce": nonce}))["game"]["id"])

    async def enter_daily(self) -> str:
        """Start today's first deal, or find the game already started; return its id. Raises ClientError if refused."""
        return str((await self._post("/dailies/today/deals/1/games", {}))["game"]["id"])

    async def _post(self, path: str, body: dict[str, str]) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"}
        async with self.http.post(
            f"{self.url}/api/v1{path}", json=body, headers=headers, raise_for_status=True
        ) as answer:
            return await answer.json()


async def create_guest(http: aiohttp.ClientSession, url: str) -> Guest:
    """Create a new guest at the server with this URL. Raises ClientError if refused."""
    async with http.post(f"{url}/api/v1/session/guest", raise_for_status=True) as answer:
        return Guest(url, (await answer.json())["token"], http)
