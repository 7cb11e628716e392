"""Latency of a move while many readers request long games, and the server's memory.

    python -m benchmarks.long_games --readers 30 --events 5000

A server over SQLite has some finished games of this many events. One guest plays another game, first alone, then while
anonymous readers continuously request replays, records and paces of the long games. The rate limit is off, and the
games exceed the server's cache, so that it loads them repeatedly: this is the worst case.

Prints the median, the 99th percentile and the maximum of a move's latency in both parts, the ratio of the medians, and
the server's peak memory.
"""

import argparse
import asyncio
import statistics
import sys
import time
from contextlib import suppress
from itertools import cycle, product
from pathlib import Path
from tempfile import TemporaryDirectory

import aiohttp

from benchmarks.temporary_database import temporary_database
from cadogan.server.app import Server, opened
from cadogan.server.config import Settings
from tests.harness.long_games import lengthen
from tests.harness.people import Person
from tests.harness.server_process import NO_RATE_LIMIT, ServerProcess

KINDS = ("replay", "record", "pace")
PAUSE_SECONDS = 0.02
"""Seconds between two moves."""


async def measure(readers: int, games: int, events: int, moves: int) -> None:
    """Measure, and print a table."""
    with TemporaryDirectory() as folder:
        async with (
            temporary_database("sqlite", Path(folder)) as url,
            ServerProcess(url, Path(folder) / "log", NO_RATE_LIMIT) as process,
            aiohttp.ClientSession() as http,
        ):
            long_games = [await _finished_game(process.url, http, url, events) for _ in range(games)]
            before = _most_memory(process)
            alone = await _play(process.url, http, moves)
            reading = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "benchmarks.long_games", "--read", process.url),
                *(f"--readers={readers}", *long_games),
                stdout=asyncio.subprocess.PIPE,
            )
            assert reading.stdout is not None
            await reading.stdout.readline()
            crowded = await _play(process.url, http, moves)
            reading.kill()
            await reading.wait()
            after = _most_memory(process)
    print("| a move, in milliseconds | median | 99th percentile | longest |\n| --- | --- | --- | --- |")
    print(_row("nobody reads", alone))
    print(_row(f"{readers} readers of {games} games of {events} events", crowded))
    print(f"\nratio of the medians: {statistics.median(crowded) / statistics.median(alone):.1f}")
    print(f"most memory of the server: {before} MB before the readers came, {after} MB after")


async def _finished_game(url: str, http: aiohttp.ClientSession, database_url: str, events: int) -> str:
    """Create a resigned game of this many events; return its id."""
    person = await Person(url, http).arrive()
    game = await person.deal()
    server = Server(Settings(database_url=database_url))
    async with opened(server):
        await server.cache.get(game)
        await lengthen(server, game, events)
    async with person.connect() as socket:
        await socket.request("resign", id="end", game=game, version=events)
    return game


async def _play(url: str, http: aiohttp.ClientSession, moves: int) -> list[float]:
    """Play a move and take it back repeatedly; return the latency of each, in milliseconds."""
    person = await Person(url, http).arrive()
    game = await person.deal()
    taken: list[float] = []
    async with person.connect() as socket:
        for version in range(1, moves + 1):
            started = time.perf_counter()
            if version % 2:
                await socket.request("play", game=game, version=version, move="deal")
            else:
                await socket.request("take_back", game=game, version=version)
            taken.append((time.perf_counter() - started) * 1000)
            await asyncio.sleep(PAUSE_SECONDS)
    return taken


async def _read(url: str, readers: int, games: list[str]) -> None:
    """Request histories continuously, endlessly. Prints a line before the first request."""
    paths = cycle(product(games, KINDS))
    print("asking", flush=True)

    async def read(http: aiohttp.ClientSession) -> None:
        while True:
            game, kind = next(paths)
            with suppress(aiohttp.ClientError):
                async with http.get(f"{url}/api/v1/games/{game}/{kind}") as response:
                    async for _ in response.content.iter_any():
                        pass

    timeout, connector = aiohttp.ClientTimeout(None), aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(timeout=timeout, connector=connector) as http:
        await asyncio.gather(*(read(http) for _ in range(readers)))


def _most_memory(process: ServerProcess) -> int:
    """Return the peak memory of a process, in megabytes."""
    status = Path(f"/proc/{process.pid}/status").read_text("ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) // 1000


def _row(name: str, taken: list[float]) -> str:
    return (
        f"| {name} | {statistics.median(taken):.1f} | {statistics.quantiles(taken, n=100)[98]:.1f} | {max(taken):.1f} |"
    )


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--readers", type=int, default=30)
    parser.add_argument("--games", type=int, default=12)
    parser.add_argument("--events", type=int, default=5000)
    parser.add_argument("--moves", type=int, default=200)
    parser.add_argument("--read", help=argparse.SUPPRESS)
    parser.add_argument("long_games", nargs="*", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.read:
        asyncio.run(_read(asked.read, asked.readers, asked.long_games))
    else:
        asyncio.run(measure(asked.readers, asked.games, asked.events, asked.moves))


if __name__ == "__main__":
    main()
