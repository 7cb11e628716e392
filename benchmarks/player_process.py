"""A process with many players, who each play one game continuously: the load of `benchmarks/move_throughput.py`.

    python -m benchmarks.player_process PORT --games 64 --seconds 5

Prints one line of JSON, a `Figures`.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import aiohttp
import msgspec
import uvloop

from benchmarks.bare_client import BareClient, connect
from benchmarks.guest_client import DEFAULT_GAMES, Guest, create_guest

WARM_UP_SECONDS = 1.0


class GameState(msgspec.Struct):
    """The parts of a message that a player needs: its type, the game's version and status, and the legal moves."""

    type: str
    version: int = 0
    status: str = "playing"
    legal: tuple[str, ...] = ()
    command: str | None = None
    message: str = ""
    id: str | None = None


class Play(msgspec.Struct, tag_field="type", tag="play"):
    """The command `play`, as it is sent."""

    id: str
    game: str
    version: int
    move: str


@dataclass(frozen=True)
class Figures:
    """The moves acknowledged in `seconds`, and the median and the 99th percentile of their latency in milliseconds."""

    moves: int
    seconds: float
    median: float
    percentile_99: float

    @property
    def per_second(self) -> float:
        """Acknowledged moves a second."""
        return self.moves / self.seconds


class BusyPlayer:
    """Sends the next move as soon as the last one is acknowledged, and starts a new game after each one."""

    def __init__(self, guest: Guest, rules: Sequence[str], rng: random.Random) -> None:
        self.latencies: list[float] = []
        self._guest, self._rules, self._rng = guest, rules, rng
        self._client: BareClient
        self._game = ""
        self._sent_at = 0.0
        self._commands = 0
        self._new_game: asyncio.Task[None] | None = None

    async def start(self, port: int) -> None:
        """Connect and start a game. Raises ConnectionError or ClientError if the server refuses."""
        self._client = await connect(port, self._guest.token, self._read)
        await self._start_game()

    async def stop(self) -> None:
        """Stop playing and disconnect."""
        if self._new_game is not None:
            await self._new_game
        self._client.close()
        await self._client.closed

    async def _start_game(self) -> None:
        self._game = await self._guest.start_game(self._rng.choice(self._rules), str(self._rng.random()))
        self._client.send(b'{"type":"subscribe","id":"s","game":"%s"}' % self._game.encode())

    def _read(self, message: bytes) -> None:
        state = STATE_DECODER.decode(message)
        if state.type == "refused":
            raise AssertionError(message)
        if state.command is not None:
            self.latencies.append(time.perf_counter() - self._sent_at)
        elif state.type != "view":
            return
        if state.status == "playing" and state.legal:
            self._play(state)
        else:
            self._new_game = asyncio.get_running_loop().create_task(self._start_game())

    def _play(self, state: GameState) -> None:
        self._commands += 1
        move = state.legal[int(self._rng.random() * len(state.legal))]
        self._sent_at = time.perf_counter()
        self._client.send(ENCODER.encode(Play(str(self._commands), self._game, state.version, move)))


STATE_DECODER = msgspec.json.Decoder(GameState)
ENCODER = msgspec.json.Encoder()


async def play(port: int, games: int, seconds: float, rules: Sequence[str], seed: int) -> Figures:
    """Play this many games concurrently for this many seconds, after a warm-up of one second."""
    async with aiohttp.ClientSession() as http:
        guests = [await create_guest(http, f"http://127.0.0.1:{port}") for _ in range(games)]
        players = [BusyPlayer(guest, rules, random.Random(seed + number)) for number, guest in enumerate(guests)]
        await asyncio.gather(*(player.start(port) for player in players))
        await asyncio.sleep(WARM_UP_SECONDS)
        for player in players:
            player.latencies.clear()
        started = time.perf_counter()
        await asyncio.sleep(seconds)
        elapsed = time.perf_counter() - started
        latencies = sorted(latency for player in players for latency in player.latencies)
        await asyncio.gather(*(player.stop() for player in players))
    median, percentile_99 = (latencies[int(len(latencies) * part)] * 1000 for part in (0.5, 0.99))
    return Figures(len(latencies), elapsed, median, percentile_99)


def main() -> None:
    """Play as the command line specifies, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("port", type=int)
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rules", nargs="*", default=DEFAULT_GAMES)
    parser.add_argument("--seed", type=int, default=1)
    options: dict[str, Any] = vars(parser.parse_args())
    print(msgspec.json.encode(asdict(uvloop.run(play(**options)))).decode())


if __name__ == "__main__":
    main()
