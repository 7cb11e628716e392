"""Time in which the server sends a move to a thousand spectators, compared with plain writes to the same sockets.

    python -m benchmarks.broadcast_latency --spectators 1000 --moves 50

The server is one process (`benchmarks/instrumented_server.py`), the player and the spectators are another. The baseline
is one `os.write` of the same frame per spectator, after every move, so that both run under the same conditions. Prints
the medians of both and their ratio, broadcast divided by baseline: lower is better, 1 is the best. Also prints the time
from the player's send until the last spectator has received the move, which includes the commit, encoding, the network
and reading.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import aiohttp
import msgspec
import uvloop

from benchmarks.bare_client import BareClient, connect
from benchmarks.guest_client import Guest, create_guest
from benchmarks.player_process import ENCODER, STATE_DECODER, GameState, Play
from benchmarks.temporary_database import temporary_database
from tests.harness.server_process import NO_RATE_LIMIT, ServerProcess

GAME = "maze"  # random moves hardly ever end it
CONCURRENT_CONNECTS = 50
INSTRUMENTED = (sys.executable, "-m", "benchmarks.instrumented_server")


class Spectators:
    """Many sockets that watch one game, and a way to wait until all of them have received the next message."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.frame = b""
        self._kind = b""
        self._missing = 0
        self._received_by_all = asyncio.Event()

    async def open(self, port: int, token: str, game: str) -> None:
        """Connect all sockets and subscribe to the game."""
        received_by_all = self.expect(b'"view"')
        subscription = b'{"type":"subscribe","id":"s","game":"%s"}' % game.encode()
        for first in range(0, self.count, CONCURRENT_CONNECTS):
            opening = range(first, min(self.count, first + CONCURRENT_CONNECTS))
            for client in await asyncio.gather(*(connect(port, token, self._read) for _ in opening)):
                client.send(subscription)
        await received_by_all

    def expect(self, kind: bytes) -> asyncio.Task[bool]:
        """Return a task that is done when every spectator has received a new message of this type."""
        self._kind, self._missing = kind, self.count
        self._received_by_all.clear()
        return asyncio.ensure_future(self._received_by_all.wait())

    def _read(self, message: bytes) -> None:
        if not message.startswith(self._kind, 8):  # after {"type":
            return
        self.frame = message
        self._missing -= 1
        if self._missing == 0:
            self._received_by_all.set()


class WatchedPlayer:
    """The player whose moves are broadcast."""

    def __init__(self, guest: Guest, game: str) -> None:
        self._guest, self._game = guest, game
        self._state: GameState
        self._client: BareClient
        self._answered = asyncio.Event()
        self._rng = random.Random(1)
        self._commands = 0

    async def connect(self, port: int) -> None:
        """Connect and wait for the view of the game."""
        self._client = await connect(port, self._guest.token, self._read)
        self._client.send(b'{"type":"subscribe","id":"s","game":"%s"}' % self._game.encode())
        await self._answered.wait()

    def play(self) -> None:
        """Send a legal move."""
        self._answered.clear()
        self._commands += 1
        move = self._rng.choice(self._state.legal)
        self._client.send(ENCODER.encode(Play(str(self._commands), self._game, self._state.version, move)))

    async def wait_for_answer(self) -> None:
        """Wait for the answer. Raises AssertionError if it is a refusal."""
        await self._answered.wait()
        assert self._state.type in ("view", "move_played"), self._state.message

    def _read(self, message: bytes) -> None:
        state = STATE_DECODER.decode(message)
        if state.type != "presence":
            self._state = state
            self._answered.set()


async def measure(server: ServerProcess, spectators: int, moves: int) -> None:
    """Play some moves before some spectators, and print the figures."""
    broadcast: list[float] = []
    baseline: list[float] = []
    until_received: list[float] = []
    async with aiohttp.ClientSession() as http:
        guest = await create_guest(http, server.url)
        game = await guest.start_game(GAME, "watched")
        player, crowd = WatchedPlayer(guest, game), Spectators(spectators)
        await player.connect(server.port)
        await crowd.open(server.port, (await create_guest(http, server.url)).token, game)
        for _ in range(moves):
            received_by_all = crowd.expect(b'"move_played"')
            started = time.perf_counter()
            player.play()
            await received_by_all
            until_received.append((time.perf_counter() - started) * 1000)
            await player.wait_for_answer()
            received_by_all = crowd.expect(b'"move_played"')
            async with http.post(
                f"{server.url}/broadcast-times/{game}", data=crowd.frame, raise_for_status=True
            ) as answer:
                figures = msgspec.json.decode(await answer.read())
            await received_by_all
            baseline.append(figures["baseline"])
            broadcast += figures["broadcast"]
    ratio = statistics.median(broadcast) / statistics.median(baseline)
    print(
        f"{spectators} spectators, {moves} moves, medians: broadcast {statistics.median(broadcast):.1f} ms, baseline"
        f" {statistics.median(baseline):.1f} ms, ratio {ratio:.2f}; received by all spectators"
        f" {statistics.median(until_received):.1f} ms after the move was sent",
        flush=True,
    )


async def main() -> None:
    """Measure as the command line specifies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spectators", type=int, default=1000)
    parser.add_argument("--moves", type=int, default=50)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for _ in range(options.runs):
            async with (
                temporary_database("sqlite", Path(folder)) as url,
                ServerProcess(url, Path(folder) / "server.log", NO_RATE_LIMIT, INSTRUMENTED) as server,
            ):
                await measure(server, options.spectators, options.moves)


if __name__ == "__main__":
    uvloop.run(main())
