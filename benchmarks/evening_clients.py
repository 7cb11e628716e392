"""Those who play evenings in the load tests: they open the deal, resign, and ask for the standing as the page does."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from typing import Any

import aiohttp
import msgspec

from benchmarks.guest_client import Guest, create_guest
from benchmarks.load_clients import Measurements, PlayerClient
from benchmarks.player_process import GameState

POLL_SECONDS = 3.0
"""How often the page of an evening asks while a round is open."""
RETRY_SECONDS = 1.0
BUSY = 503
"""The status with which a server refuses what it has no time for."""
EVENINGS_OF_A_LEADER = 10
PLAYED = b'"how":"played"'
"""What a standing has once for each run that has ended."""
HOUR_MILLISECONDS = 3_600_000


class EveningPlayer(PlayerClient):
    """A guest who plays one evening. It sends the tags of what it has, and repeats what was refused."""

    def __init__(self, guest: Guest, measured: Measurements, evening: str, crowd: int, name: str) -> None:
        """`crowd` is how many play this evening."""
        super().__init__(guest, measured)
        self._name = name
        self._path = f"/evenings/{evening}"
        self._crowd = crowd
        self._tag, self._played = "", 0
        self._entrants = ""

    async def enter(self, port: int) -> None:
        """Enter the evening, and open the socket."""
        await self._ask("PUT", f"{self._path}/entrants/me", {"name": self._name})
        await self.connect(port)

    async def opens_at(self) -> float:
        """Return when the first round opens, in seconds since 1970; 0 if the server says nothing about it."""
        rounds = (await self._ask("GET", self._path)).get("rounds", [])
        return rounds[0]["opens_at"] / 1000 if rounds else 0.0

    async def open_deal(self) -> GameState:
        """Ask for the evening, whose round has just opened, then for its deal; return the first cards."""
        started = time.perf_counter()
        await self._read_page()
        opened = await self._ask("POST", f"{self._path}/games", {})
        state = await self.subscribe(str(opened["game"]))
        self.measured.record("first cards", started)
        return state

    async def resign_deal(self, state: GameState) -> None:
        """End the run."""
        started = time.perf_counter()
        await self.request("resign", game=self.game, version=state.version)
        self.measured.record("finish", started)

    async def wait_for_standing(self) -> None:
        """Ask again and again, until the standing has the run of everybody."""
        while True:
            asked_at = time.perf_counter()
            await self._read_page()
            self.measured.record("page", asked_at)
            if self._played >= self._crowd:
                return
            await asyncio.sleep(max(0.0, asked_at + POLL_SECONDS - time.perf_counter()))

    async def _read_page(self) -> None:
        await asyncio.gather(self._read_evening(), self._read_standing())

    async def _read_evening(self) -> None:
        known = f"?entrants={self._entrants}" if self._entrants else ""
        self._entrants = (await self._ask("GET", self._path + known)).get("entrants_tag", "")

    async def _read_standing(self) -> None:
        headers = {"If-None-Match": self._tag} if self._tag else {}
        status, tag, body = await self._request("GET", f"{self._path}/standing", headers)
        self.measured.count("standings")
        self.measured.count("standings unchanged", status == 304)
        if status == 200:
            self._tag, self._played = tag, body.count(PLAYED)

    async def _ask(self, method: str, path: str, body: object = None) -> Any:
        return msgspec.json.decode((await self._request(method, path, {}, body))[2])

    async def _request(
        self, method: str, path: str, headers: dict[str, str], body: object = None
    ) -> tuple[int, str, bytes]:
        """Send a request, again and again while the server is too busy; return status, entity tag and body."""
        signed = {"Authorization": f"Bearer {self.guest.token}", **headers}
        url = f"{self.guest.url}/api/v1{path}"
        while True:
            async with self.guest.http.request(method, url, json=body, headers=signed) as answer:
                if answer.status != BUSY:
                    answer.raise_for_status()
                    self.measured.count("bytes received", answer.content_length or 0)
                    return answer.status, answer.headers.get("ETag", ""), await answer.read()
            self.measured.count("busy")
            await asyncio.sleep(RETRY_SECONDS)


async def play_round(players: Sequence[EveningPlayer], measured: Measurements, rng: random.Random) -> None:
    """Let all open the deal within a second, resign within a second, and wait until the standing is right."""

    async def begin(player: EveningPlayer) -> GameState:
        await asyncio.sleep(rng.random())
        return await player.open_deal()

    async def end(player: EveningPlayer, state: GameState) -> None:
        await asyncio.sleep(rng.random())
        await player.resign_deal(state)
        ended.append(time.perf_counter())
        await player.wait_for_standing()

    ended: list[float] = []
    states = await asyncio.gather(*map(begin, players))
    await asyncio.gather(*map(end, players, states))
    measured.record("standing right", max(ended))


class Leaders:
    """Guests who lead groups, and with them evenings of one round of ten minutes, on the server with this URL."""

    def __init__(self, http: aiohttp.ClientSession, url: str) -> None:
        self._http, self._url = http, url
        self._led: list[tuple[Guest, str]] = []

    async def announce(self, count: int) -> list[str]:
        """Make so many evenings, which begin in an hour; return their ids."""
        for first in range(0, count, EVENINGS_OF_A_LEADER):
            leader = await create_guest(self._http, self._url)
            group = (await self._send(leader, "POST", "/groups", {"name": "Thursdays"}))["id"]
            new = {"title": "Thursday", "entry": "link", "group": group, "rounds": 1, "games": ["klondike"]}
            for _ in range(min(EVENINGS_OF_A_LEADER, count - first)):
                made = await self._send(leader, "POST", "/evenings", new | {"starts_at": _later(HOUR_MILLISECONDS)})
                self._led.append((leader, made["id"]))
        return [id for _, id in self._led]

    async def begin_after(self, milliseconds: int) -> None:
        """Let the evenings begin so much later than now."""
        wanted = {"starts_at": _later(milliseconds)}
        await asyncio.gather(*(self._send(leader, "PUT", f"/evenings/{id}", wanted) for leader, id in self._led))

    async def _send(self, leader: Guest, method: str, path: str, body: object) -> Any:
        headers = {"Authorization": f"Bearer {leader.token}"}
        url = f"{self._url}/api/v1{path}"
        async with self._http.request(method, url, json=body, headers=headers, raise_for_status=True) as answer:
            return await answer.json()


def _later(milliseconds: int) -> int:
    return time.time_ns() // 1_000_000 + milliseconds
