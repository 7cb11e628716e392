"""Durable moves per second through real sockets, against raw group-committed inserts on the same database.

    python -m benchmarks.move_throughput --games 64 --seconds 5 --runs 5

The server is one process, the players are another. The raw inserts come in groups of as many rows as there are games,
for no more can wait at once; with these the ratio is made. What groups of 1,024 reach, the most the server ever commits
together, is printed beside it. Prints every run, then the medians.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
from pathlib import Path

import msgspec

from benchmarks import raw_inserts
from benchmarks.player_process import Figures
from benchmarks.temporary_database import DATABASES, temporary_database
from tests.harness.server_process import NO_RATE_LIMIT, ServerProcess

LARGEST_GROUP = 1024
RAW_ROWS = 32_768


async def played(server: ServerProcess, games: int, seconds: float, seed: int) -> Figures:
    """The figures of a process full of players. Raises CalledProcessError if it fails."""
    arguments = [str(server.port), "--games", str(games), "--seconds", str(seconds), "--seed", str(seed)]
    players = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.player_process", *arguments, stdout=asyncio.subprocess.PIPE
    )
    output, _ = await players.communicate()
    if players.returncode != 0:
        raise RuntimeError(f"the players failed, and the server said\n{server.log.read_text()[-2000:]}")
    return msgspec.json.decode(output, type=Figures)


async def measure(database: str, games: int, seconds: float, runs: int) -> None:
    """Prints `runs` runs on one database, and their medians."""
    ratios, per_second, slowest = [], [], []
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for run in range(runs):
            rows = raw_inserts.moves(games, RAW_ROWS // games)
            async with temporary_database(database, Path(folder)) as url:
                limit = await raw_inserts.insert(url, rows, games)
            async with temporary_database(database, Path(folder)) as url:
                utmost = await raw_inserts.insert(url, rows, LARGEST_GROUP)
            async with (
                temporary_database(database, Path(folder)) as url,
                ServerProcess(url, Path(folder) / "server.log", NO_RATE_LIMIT) as server,
            ):
                figures = await played(server, games, seconds, seed=run)
            ratios.append(figures.per_second / limit)
            per_second.append(figures.per_second)
            slowest.append(figures.slowest_hundredth)
            print(
                f"{database} run {run + 1}: {figures.per_second:.0f} moves/s, p50 {figures.median:.1f} ms,"
                f" p99 {slowest[-1]:.1f} ms; raw {limit:.0f}/s, ratio {ratios[-1]:.3f};"
                f" raw in groups of {LARGEST_GROUP} {utmost:.0f}/s",
                flush=True,
            )
    print(
        f"{database} median of {runs}: {statistics.median(per_second):.0f} moves/s,"
        f" ratio {statistics.median(ratios):.3f}, p99 {statistics.median(slowest):.1f} ms",
        flush=True,
    )


async def main() -> None:
    """Reads the command line and measures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--database", action="append", help="sqlite or postgresql; both by default")
    options = parser.parse_args()
    for database in options.database or DATABASES:
        await measure(database, options.games, options.seconds, options.runs)


if __name__ == "__main__":
    asyncio.run(main())
