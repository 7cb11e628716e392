"""A process full of players, each with one game and one move under way: the load of `benchmarks/move_throughput.py`.

    python -m benchmarks.player_process PORT --games 64 --seconds 5

Prints one line of JSON: moves acknowledged, seconds measured, and the latencies in milliseconds.
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


class Table(msgspec.Struct):
    """What a player needs of a message: its kind, the version it tells, and what may be played now."""

    type: str
    version: int = 0
    status: str = "playing"
    legal: tuple[str, ...] = ()
    command: str | None = None
    message: str = ""
    id: str | None = None


class Play(msgspec.Struct, tag_field="type", tag="play"):
    """The command, as it goes over the wire."""

    id: str
    game: str
    version: int
    move: str


@dataclass(frozen=True)
class Figures:
    """Moves acknowledged in `seconds`, and how long the median and the slowest hundredth took, in milliseconds."""

    moves: int
    seconds: float
    median: float
    slowest_hundredth: float

    @property
    def per_second(self) -> float:
        """Durable moves per second."""
        return self.moves / self.seconds


class Player:
    """One seat: sends the next move as soon as the last is acknowledged, and deals anew when a game is over."""

    def __init__(self, seat: Guest, rules: Sequence[str], dice: random.Random) -> None:
        self.latencies: list[float] = []
        self._seat, self._rules, self._dice = seat, rules, dice
        self._client: BareClient
        self._game = ""
        self._sent_at = 0.0
        self._commands = 0
        self._dealing: asyncio.Task[None] | None = None

    async def sit(self, port: int) -> None:
        """Opens the socket and begins; raises ConnectionError or ClientError if the server will not have it."""
        self._client = await connect(port, self._seat.token, self._read)
        await self._deal()

    async def leave(self) -> None:
        """Stops playing."""
        if self._dealing is not None:
            await self._dealing
        self._client.close()
        await self._client.closed

    async def _deal(self) -> None:
        self._game = await self._seat.start_game(self._dice.choice(self._rules), str(self._dice.random()))
        self._client.send(b'{"type":"subscribe","id":"s","game":"%s"}' % self._game.encode())

    def _read(self, message: bytes) -> None:
        table = TABLE.decode(message)
        if table.type == "refused":
            raise AssertionError(message)
        if table.command is not None:
            self.latencies.append(time.perf_counter() - self._sent_at)
        elif table.type != "view":
            return
        if table.status == "playing" and table.legal:
            self._play(table)
        else:
            self._dealing = asyncio.get_running_loop().create_task(self._deal())

    def _play(self, table: Table) -> None:
        self._commands += 1
        move = table.legal[int(self._dice.random() * len(table.legal))]
        self._sent_at = time.perf_counter()
        self._client.send(ENCODER.encode(Play(str(self._commands), self._game, table.version, move)))


TABLE = msgspec.json.Decoder(Table)
ENCODER = msgspec.json.Encoder()


async def play(port: int, games: int, seconds: float, rules: Sequence[str], seed: int) -> Figures:
    """Plays `games` games at once for `seconds` after a warm-up of one."""
    async with aiohttp.ClientSession() as http:
        seats = [await create_guest(http, f"http://127.0.0.1:{port}") for _ in range(games)]
        players = [Player(seat, rules, random.Random(seed + number)) for number, seat in enumerate(seats)]
        await asyncio.gather(*(player.sit(port) for player in players))
        await asyncio.sleep(WARM_UP_SECONDS)
        for player in players:
            player.latencies.clear()
        began = time.perf_counter()
        await asyncio.sleep(seconds)
        elapsed = time.perf_counter() - began
        latencies = sorted(latency for player in players for latency in player.latencies)
        await asyncio.gather(*(player.leave() for player in players))
    middle, slow = (latencies[int(len(latencies) * part)] * 1000 for part in (0.5, 0.99))
    return Figures(len(latencies), elapsed, middle, slow)


def main() -> None:
    """Plays, and prints the figures."""
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
