"""Latency of a move on a busy server while analysts work, compared with periods without analysts.

    python -m benchmarks.analysis --database sqlite --analysts 2 --players 10 --rounds 12

Each round has two halves in alternating order: a quiet half, and one in which the analysts, in separate processes,
analyse resigned games. In each half the players play moves and take them back. The latency of a move is the time from
the command to its response, which is sent when the move is durable. Prints the median and the 99th percentile of both,
and the ratios, with analysts divided by quiet: lower is better, 1 is the best.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import perf_counter

import aiohttp

from benchmarks.temporary_database import DATABASES, temporary_database
from cadogan.server.core.clock import now
from cadogan.server.core.database.connections import Database
from cadogan.server.subjects.analysis.jobs import WHOLE_GAME, AnalysisJobs
from tests.harness.people import JsonMessage, Person, PlayerSocket
from tests.harness.server_process import NO_RATE_LIMIT, ServerProcess

ANALYSED = ("klondike", "besieged-city", "four-corners", "flower-garden", "herring-bone", "la-nivernaise")
"""Games that are hard to analyse, so that each keeps an analyst busy for long."""
GAMES_OF_EACH = 4
MOVES_BEFORE_GIVING_UP = 30
MOVES = 30
"""Moves of each player in one half."""
SECONDS_BETWEEN_MOVES = 0.1


async def give_up(person: Person, rules: str) -> str:
    """Play some moves of a game, always the first legal one, and resign; return the game's id."""
    game = await person.deal(rules)
    async with person.connect(open_timeout=120) as own:
        seen = await own.request("subscribe", game=game)
        for _ in range(MOVES_BEFORE_GIVING_UP):
            if not seen["legal"]:
                break
            seen = {**seen, **await own.play({**seen, "game": game})}
        await own.request("resign", game=game, version=seen["version"])
    return game


class Player:
    """A player with a game of their own, over a socket that stays open."""

    def __init__(self, socket: PlayerSocket, game: str, seen: JsonMessage) -> None:
        self._socket = socket
        self._game = game
        self._seen = seen

    async def play(self) -> list[float]:
        """Play and take back; return the seconds of each response."""
        took = []
        for _ in range(MOVES):
            seen = self._seen
            started = perf_counter()
            if seen.get("can_take_back"):
                answer = await self._socket.request("take_back", game=self._game, version=seen["version"])
            else:
                answer = await self._socket.play({**seen, "game": self._game})
            took.append(perf_counter() - started)
            self._seen = {**seen, **answer}
            await asyncio.sleep(SECONDS_BETWEEN_MOVES)
        return took


@asynccontextmanager
async def analysts(count: int, jobs: AnalysisJobs, database_url: str) -> AsyncIterator[None]:
    """Run this many analysts in separate processes."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CADOGAN_")}
    environment |= {"CADOGAN_DATABASE_URL": database_url, "CADOGAN_LOG_LEVEL": "error"}
    command = (sys.executable, "-m", "cadogan", "analyst")
    processes = [await asyncio.create_subprocess_exec(*command, env=environment) for _ in range(count)]
    working = 0
    while working < count:
        await asyncio.sleep(0.1)
        working = (await jobs.count()).working
    try:
        yield
        assert (await jobs.count()).waiting > 0, "the analysts ran out of work: there must be more games"
    finally:
        for process in processes:
            process.terminate()
            await process.wait()


async def measure(arguments: argparse.Namespace) -> None:
    """Measure, and print the figures."""
    quiet, busy = list[list[float]](), list[list[float]]()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = await stack.enter_async_context(temporary_database(arguments.database, folder))
        server = await stack.enter_async_context(ServerProcess(url, folder / "server.log", NO_RATE_LIMIT))
        session = await stack.enter_async_context(aiohttp.ClientSession())
        database = Database(url)
        stack.push_async_callback(database.close)
        jobs = AnalysisJobs(database, now)
        for number in range(GAMES_OF_EACH):
            person = await Person(server.url, session).arrive()
            for rules in ANALYSED:
                await jobs.ask(await give_up(person, rules), WHOLE_GAME, f"person {number}")
        players = []
        for _ in range(arguments.players):
            person = await Person(server.url, session).arrive()
            game = await person.deal("olga")
            socket = await stack.enter_async_context(person.connect(open_timeout=120))
            players.append(Player(socket, game, await socket.request("subscribe", game=game)))
        for number in range(arguments.rounds):
            for is_busy in (False, True) if number % 2 == 0 else (True, False):
                async with analysts(arguments.analysts if is_busy else 0, jobs, url):
                    took = await asyncio.gather(*(player.play() for player in players))
                (busy if is_busy else quiet).append([one for each in took for one in each])
    report(quiet, busy)


def report(quiet: Sequence[Sequence[float]], busy: Sequence[Sequence[float]]) -> None:
    """Print the figures of all halves, and the median of the ratios of the rounds."""
    for name, figure in (("median", statistics.median), ("99th percentile", percentile_99)):
        one, other = (statistics.median([figure(half) for half in halves]) * 1000 for halves in (quiet, busy))
        ratio = statistics.median([figure(after) / figure(before) for before, after in zip(quiet, busy, strict=True)])
        print(f"{name:16} quiet {one:7.2f} ms   with analysts {other:7.2f} ms   ratio {ratio:5.2f}")


def percentile_99(values: Sequence[float]) -> float:
    """Return the 99th percentile."""
    return statistics.quantiles(values, n=100)[98]


def main() -> None:
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", choices=DATABASES, default="sqlite")
    parser.add_argument("--analysts", type=int, default=2)
    parser.add_argument("--players", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=12)
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
