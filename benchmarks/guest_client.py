"""Guests of a running server: how a program gets a seat, a game and an open socket."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import aiohttp

PLAYED = ("besieged-city", "carpet", "klondike", "maze", "maze-wraparound", "olga", "quatorze", "red-and-black")
"""What guests play unless told otherwise: always the same, so that figures can be compared from year to year."""


@dataclass(frozen=True)
class Guest:
    """Somebody who plays without an account: the server's address, their bearer token, the HTTP session they use."""

    url: str
    token: str
    http: aiohttp.ClientSession

    async def begin(self, rules: str, nonce: str) -> str:
        """Deals a casual game of `rules` and takes its seat: the game's id. Raises ClientError if refused."""
        deal = (await self._post("/deals", {"rules": rules}))["deal"]
        return str((await self._post("/games", {"deal": deal, "nonce": nonce}))["game"]["id"])

    async def enter(self) -> str:
        """Begins today's challenge, or finds the run begun: the game's id. Raises ClientError if refused."""
        return str((await self._post("/dailies/today/deals/1/games", {}))["game"]["id"])

    async def _post(self, path: str, body: dict[str, str]) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"}
        async with self.http.post(
            f"{self.url}/api/v1{path}", json=body, headers=headers, raise_for_status=True
        ) as answer:
            return await answer.json()


async def guest(http: aiohttp.ClientSession, url: str) -> Guest:
    """A new guest of the server at `url`. Raises ClientError if refused."""
    async with http.post(f"{url}/api/v1/session/guest", raise_for_status=True) as answer:
        return Guest(url, (await answer.json())["token"], http)
