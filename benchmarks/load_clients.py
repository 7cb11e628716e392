"""The clients of the load tests: lightweight socket clients, many per process.

Times are seconds of this machine's monotonic clock, so times of several processes can be combined.
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
from benchmarks.player_process import ENCODER, STATE_DECODER, GameState, Play

BASE_DELAY_SECONDS, MAX_DELAY_SECONDS = 1.0, 15.0
"""The backoff of a reconnecting client: a random part of the first value, doubled after each failure."""


class Measurements(msgspec.Struct):
    """A process's measurements: the durations in seconds, by name, and counters."""

    seconds: dict[str, list[float]] = msgspec.field(default_factory=dict)
    counts: dict[str, int] = msgspec.field(default_factory=dict)

    def record(self, name: str, started: float) -> None:
        """Record the duration since `started`."""
        self.seconds.setdefault(name, []).append(round(time.perf_counter() - started, 6))

    def count(self, name: str, more: int = 1) -> None:
        """Increase a counter."""
        self.counts[name] = self.counts.get(name, 0) + more

    def add(self, other: Measurements) -> None:
        """Add the measurements of another process."""
        for name, seconds in other.seconds.items():
            self.seconds.setdefault(name, []).extend(seconds)
        for name, more in other.counts.items():
            self.count(name, more)


class SocketClient:
    """One socket. It matches responses to requests by id, and passes every message to `on_message`."""

    def __init__(self, guest: Guest, measured: Measurements) -> None:
        self.guest = guest
        self.measured = measured
        self.on_message: Callable[[GameState, bytes], None] = lambda state, message: None
        self.received: Counter[str] = Counter()
        """The number of received messages of each type."""
        self.socket: BareClient
        self._waiting: dict[str, asyncio.Future[GameState]] = {}

    async def connect(self, port: int) -> None:
        """Open the socket. Raises ConnectionError if the server refuses."""
        self.socket = await connect(port, self.guest.token, self._read)

    async def request(self, type: str, **keys: Any) -> GameState:
        """Send a message, with its type as its id, and wait for the response. Raises AssertionError if refused."""
        return await self._send(type, {"type": type, "id": type, **keys})

    async def disconnect(self) -> None:
        """Close the socket."""
        self.socket.close()
        await self.socket.closed

    async def _send(self, id: str, message: object) -> GameState:
        answer: asyncio.Future[GameState] = asyncio.get_running_loop().create_future()
        self._waiting[id] = answer
        self.socket.send(ENCODER.encode(message))
        state = await answer
        assert state.type != "refused", state.message
        return state

    def _read(self, message: bytes) -> None:
        state = STATE_DECODER.decode(message)
        self.received[state.type] += 1
        self.measured.count("bytes received", len(message))
        waiting = self._waiting.pop(state.command or state.id or "", None)
        if waiting is not None and not waiting.done():
            waiting.set_result(state)
        self.on_message(state, message)


class PlayerClient(SocketClient):
    """Plays one game by random moves."""

    def __init__(self, guest: Guest, measured: Measurements) -> None:
        super().__init__(guest, measured)
        self.game = ""
        self.sent_at: dict[int, float] = {}
        """For each version of the game, when the move that led to it was sent."""

    async def subscribe(self, game: str) -> GameState:
        """Subscribe to the player's game and return its view."""
        self.game = game
        self.sent_at.clear()
        return await self.request("subscribe", game=game)

    async def play(self, state: GameState, until: float, think_seconds: float, rng: random.Random) -> GameState:
        """Play at least one move, then more until this time or the end of the game; return the last state.

        The player waits before each move, on average `think_seconds`.
        """
        number = 0
        while state.status == "playing" and state.legal and (not number or time.perf_counter() < until):
            if think_seconds:
                await asyncio.sleep(rng.uniform(0.5, 1.5) * think_seconds)
            number += 1
            self.sent_at[state.version + 1] = started = time.perf_counter()
            state = await self._move(str(number), state, rng)
            self.measured.record("move", started)
        return state

    async def _move(self, number: str, state: GameState, rng: random.Random) -> GameState:
        move = state.legal[int(rng.random() * len(state.legal))]
        return await self._send(number, Play(number, self.game, state.version, move))


class ReconnectingClient(SocketClient):
    """Watches a game. When disconnected it reconnects like real clients: with backoff, and from its last version."""

    def __init__(self, guest: Guest, measured: Measurements, ports: list[int], game: str, rng: random.Random) -> None:
        super().__init__(guest, measured)
        self._ports, self._game, self._rng = ports, game, rng
        self._version = 0
        self.on_message = self._note_version

    async def spectate(self) -> None:
        """Connect for the first time and subscribe to the game."""
        await self.connect(self._ports[0])
        await self.request("subscribe", game=self._game)

    async def reconnect(self, disconnected_at: float) -> None:
        """Wait until the socket is lost, then reconnect and subscribe, with retries."""
        await self.socket.closed
        self.received.clear()
        failures = 0
        while True:
            max_delay = min(MAX_DELAY_SECONDS, BASE_DELAY_SECONDS * 2.0**failures)
            await asyncio.sleep(max_delay * self._rng.random())
            started = time.perf_counter()
            try:
                async with asyncio.timeout(30):
                    await self.connect(self._ports[failures % len(self._ports)])
                    await self.request("subscribe", game=self._game, since=self._version, sight="board")
                break
            except (OSError, TimeoutError):
                failures += 1
        self.measured.record("resume", started)
        self.measured.record("away", disconnected_at)
        self.measured.count("failed attempts", failures)
        self.measured.count("views after reconnecting", self.received["view"])

    def _note_version(self, state: GameState, message: bytes) -> None:
        if state.type in ("view", "move_played", "move_taken_back"):
            self._version = max(self._version, state.version)
