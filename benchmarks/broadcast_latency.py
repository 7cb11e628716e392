"""One move to a thousand spectators, against a bare `os.write` of the same frame to the same sockets.

    python -m benchmarks.broadcast_latency --spectators 1000 --moves 50

The server is one process (`benchmarks/instrumented_server.py`), player and spectators another. Each move is followed
by a bare write of its frame, so that both meet the same machine. Prints medians and their ratio, and how long it takes
from the player's sending a move until the last spectator has it: commit, encoding, network and reading included.
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
from benchmarks.player_process import ENCODER, TABLE, Play, Table
from benchmarks.temporary_database import temporary_database
from tests.harness.server_process import NO_RATE_LIMIT, ServerProcess

RULES = "maze"  # nearly every random play of it goes on for ever
OPENED_AT_ONCE = 50
INSTRUMENTED = (sys.executable, "-m", "benchmarks.instrumented_server")


class Spectators:
    """Many sockets that watch one game, and a way to wait until each has had the next message about it."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.frame = b""
        self._kind = b""
        self._left = 0
        self._all_have_it = asyncio.Event()

    async def open(self, port: int, token: str, game: str) -> None:
        """Lets all of them subscribe."""
        everybody = self.expect(b'"view"')
        subscription = b'{"type":"subscribe","id":"s","game":"%s"}' % game.encode()
        for first in range(0, self.count, OPENED_AT_ONCE):
            opening = range(first, min(self.count, first + OPENED_AT_ONCE))
            for line in await asyncio.gather(*(connect(port, token, self._read) for _ in opening)):
                line.send(subscription)
        await everybody

    def expect(self, kind: bytes) -> asyncio.Task[bool]:
        """Done when every spectator has had a message of this kind from now on."""
        self._kind, self._left = kind, self.count
        self._all_have_it.clear()
        return asyncio.ensure_future(self._all_have_it.wait())

    def _read(self, message: bytes) -> None:
        if not message.startswith(self._kind, 8):  # after {"type":
            return
        self.frame = message
        self._left -= 1
        if self._left == 0:
            self._all_have_it.set()


class Player:
    """The one who is watched."""

    def __init__(self, seat: Guest, game: str) -> None:
        self._seat, self._game = seat, game
        self._table: Table
        self._client: BareClient
        self._answered = asyncio.Event()
        self._dice = random.Random(1)
        self._commands = 0

    async def sit(self, port: int) -> None:
        """Opens the socket and sees the cards."""
        self._client = await connect(port, self._seat.token, self._read)
        self._client.send(b'{"type":"subscribe","id":"s","game":"%s"}' % self._game.encode())
        await self._answered.wait()

    def play(self) -> None:
        """Sends a legal move."""
        self._answered.clear()
        self._commands += 1
        move = self._dice.choice(self._table.legal)
        self._client.send(ENCODER.encode(Play(str(self._commands), self._game, self._table.version, move)))

    async def answered(self) -> None:
        """Waits for the answer. Raises AssertionError if it is a refusal."""
        await self._answered.wait()
        assert self._table.type in ("view", "move_played"), self._table.message

    def _read(self, message: bytes) -> None:
        table = TABLE.decode(message)
        if table.type != "presence":
            self._table = table
            self._answered.set()


async def measure(server: ServerProcess, spectators: int, moves: int) -> None:
    """Plays the moves before the spectators, and prints the figures."""
    told: list[float] = []
    bare: list[float] = []
    whole: list[float] = []
    async with aiohttp.ClientSession() as http:
        seat = await create_guest(http, server.url)
        game = await seat.start_game(RULES, "watched")
        player, crowd = Player(seat, game), Spectators(spectators)
        await player.sit(server.port)
        await crowd.open(server.port, (await create_guest(http, server.url)).token, game)
        for _ in range(moves):
            everybody = crowd.expect(b'"move_played"')
            began = time.perf_counter()
            player.play()
            await everybody
            whole.append((time.perf_counter() - began) * 1000)
            await player.answered()
            everybody = crowd.expect(b'"move_played"')
            async with http.post(f"{server.url}/stopwatch/{game}", data=crowd.frame, raise_for_status=True) as answer:
                figures = msgspec.json.decode(await answer.read())
            await everybody
            bare.append(figures["bare"])
            told += figures["told"]
    ratio = statistics.median(told) / statistics.median(bare)
    print(
        f"{spectators} spectators, {moves} moves, medians: told in {statistics.median(told):.1f} ms, bare writes"
        f" {statistics.median(bare):.1f} ms, ratio {ratio:.2f}; from sending to the last spectator's having it"
        f" {statistics.median(whole):.1f} ms",
        flush=True,
    )


async def main() -> None:
    """Reads the command line and measures."""
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
