"""Those who come, play and watch in `benchmarks/load.py`: light socket clients, many to a process.

Times are seconds of this machine's one monotonic clock, so that what several processes note can be put together.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec

from benchmarks.bare_client import BareClient, connect
from benchmarks.guest_client import Guest
from benchmarks.player_process import ENCODER, TABLE, Play, Table

FIRST_DELAY, LONGEST_DELAY = 1.0, 15.0
"""How clients come back: at any time of the first second, then of the double."""


class Notes(msgspec.Struct):
    """What a process full of people notes: seconds that things took, by what they were, and how often."""

    took: dict[str, list[float]] = msgspec.field(default_factory=dict)
    counts: dict[str, int] = msgspec.field(default_factory=dict)

    def note(self, what: str, since: float) -> None:
        """Something that began at `since` is over."""
        self.took.setdefault(what, []).append(round(time.perf_counter() - since, 6))

    def count(self, what: str, more: int = 1) -> None:
        """Something happened."""
        self.counts[what] = self.counts.get(what, 0) + more

    def add(self, other: Notes) -> None:
        """Take in what another process noted."""
        for what, seconds in other.took.items():
            self.took.setdefault(what, []).extend(seconds)
        for what, times in other.counts.items():
            self.count(what, times)


class Person:
    """One socket: its answers by id, and whatever else comes, by `heard`. Raises ConnectionError where it must not."""

    def __init__(self, seat: Guest, notes: Notes) -> None:
        self.seat = seat
        self.notes = notes
        self.heard: Callable[[Table, bytes], None] = lambda table, message: None
        self.kinds: Counter[str] = Counter()
        self.client: BareClient
        self._waiting: dict[str, asyncio.Future[Table]] = {}

    async def come(self, port: int) -> None:
        """Open the socket."""
        self.client = await connect(port, self.seat.token, self._read)

    async def ask(self, type: str, **keys: Any) -> Table:
        """Send a message, its type its id, and wait for its answer. Raises AssertionError if it is a refusal."""
        return await self._answer(type, {"type": type, "id": type, **keys})

    async def leave(self) -> None:
        """Close the socket."""
        self.client.close()
        await self.client.closed

    async def _answer(self, id: str, message: object) -> Table:
        answer: asyncio.Future[Table] = asyncio.get_running_loop().create_future()
        self._waiting[id] = answer
        self.client.send(ENCODER.encode(message))
        table = await answer
        assert table.type != "refused", table.message
        return table

    def _read(self, message: bytes) -> None:
        table = TABLE.decode(message)
        self.kinds[table.type] += 1
        self.notes.count("bytes heard", len(message))
        waiting = self._waiting.pop(table.command or table.id or "", None)
        if waiting is not None and not waiting.done():
            waiting.set_result(table)
        self.heard(table, message)


class Player(Person):
    """Plays one game: the next move `think` seconds after the last answer, or later by chance, until it is stopped."""

    def __init__(self, seat: Guest, notes: Notes) -> None:
        super().__init__(seat, notes)
        self.game = ""
        self.sent: dict[int, float] = {}
        """When the move was sent that led to a version."""

    async def sit(self, game: str) -> Table:
        """Follow one's game; its view."""
        self.game = game
        self.sent.clear()
        return await self.ask("subscribe", game=game)

    async def play(self, table: Table, until: float, think: float, dice: random.Random) -> Table:
        """Play a move, and on until that time or until there is nothing to play; the last table."""
        number = 0
        while table.status == "playing" and table.legal and (not number or time.perf_counter() < until):
            if think:
                await asyncio.sleep(dice.uniform(0.5, 1.5) * think)
            number += 1
            self.sent[table.version + 1] = began = time.perf_counter()
            table = await self._move(str(number), table, dice)
            self.notes.note("move", began)
        return table

    async def _move(self, number: str, table: Table, dice: random.Random) -> Table:
        move = table.legal[int(dice.random() * len(table.legal))]
        return await self._answer(number, Play(number, self.game, table.version, move))


class Returner(Person):
    """Watches a game and comes back when it is cut off, as clients do: by chance, later each time, from its version."""

    def __init__(self, seat: Guest, notes: Notes, ports: list[int], game: str, dice: random.Random) -> None:
        super().__init__(seat, notes)
        self._ports, self._game, self._dice = ports, game, dice
        self._version = 0
        self.heard = self._follow

    async def watch(self) -> None:
        """Come for the first time."""
        await self.come(self._ports[0])
        await self.ask("subscribe", game=self._game)

    async def come_back(self, began: float) -> None:
        """Once the socket is lost, come again until it is answered what was missed."""
        await self.client.closed
        self.kinds.clear()
        failures = 0
        while True:
            ceiling = min(LONGEST_DELAY, FIRST_DELAY * 2.0**failures)
            await asyncio.sleep(ceiling * self._dice.random())
            tried = time.perf_counter()
            try:
                async with asyncio.timeout(30):
                    await self.come(self._ports[failures % len(self._ports)])
                    await self.ask("subscribe", game=self._game, since=self._version, sight="board")
                break
            except (OSError, TimeoutError):
                failures += 1
        self.notes.note("resume", tried)
        self.notes.note("away", began)
        self.notes.count("tries that failed", failures)
        self.notes.count("views on coming back", self.kinds["view"])

    def _follow(self, table: Table, message: bytes) -> None:
        if table.type in ("view", "move_played", "move_taken_back"):
            self._version = max(self._version, table.version)
