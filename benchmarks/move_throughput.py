"""How many moves a second the server commits and acknowledges over real sockets, compared with raw inserts.

    python -m benchmarks.move_throughput --games 64 --seconds 5 --runs 5

The server is one process, all players are another (`benchmarks/player_process.py`). The baseline is raw inserts of the
same events into the same database, in groups of as many rows as there are games, which is the largest possible number
of waiting moves. For information, raw inserts in groups of 1,024 are printed too, the largest group that the server
commits. Prints every run, then the medians. The ratio is moves a second divided by baseline inserts a second: higher is
better.
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
BASELINE_ROWS = 32_768


async def run_players(server: ServerProcess, games: int, seconds: float, seed: int) -> Figures:
    """Play in another process and return its figures. Raises RuntimeError if that process fails."""
    arguments = [str(server.port), "--games", str(games), "--seconds", str(seconds), "--seed", str(seed)]
    players = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.player_process", *arguments, stdout=asyncio.subprocess.PIPE
    )
    output, _ = await players.communicate()
    if players.returncode != 0:
        raise RuntimeError(f"the players failed; the end of the server's log:\n{server.log.read_text()[-2000:]}")
    return msgspec.json.decode(output, type=Figures)


async def measure(database: str, games: int, seconds: float, runs: int) -> None:
    """Measure one database several times, and print every run and the medians."""
    ratios, per_second, percentiles_99 = [], [], []
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for run in range(runs):
            rows = raw_inserts.generate_events(games, BASELINE_ROWS // games)
            async with temporary_database(database, Path(folder)) as url:
                baseline = await raw_inserts.insert(url, rows, games)
            async with temporary_database(database, Path(folder)) as url:
                largest_groups = await raw_inserts.insert(url, rows, LARGEST_GROUP)
            async with (
                temporary_database(database, Path(folder)) as url,
                ServerProcess(url, Path(folder) / "server.log", NO_RATE_LIMIT) as server,
            ):
                figures = await run_players(server, games, seconds, seed=run)
            ratios.append(figures.per_second / baseline)
            per_second.append(figures.per_second)
            percentiles_99.append(figures.percentile_99)
            print(
                f"{database} run {run + 1}: {figures.per_second:.0f} moves/s, p50 {figures.median:.1f} ms,"
                f" p99 {percentiles_99[-1]:.1f} ms; baseline {baseline:.0f}/s, ratio {ratios[-1]:.3f};"
                f" raw inserts in groups of {LARGEST_GROUP} {largest_groups:.0f}/s",
                flush=True,
            )
    print(
        f"{database} median of {runs}: {statistics.median(per_second):.0f} moves/s,"
        f" ratio {statistics.median(ratios):.3f}, p99 {statistics.median(percentiles_99):.1f} ms",
        flush=True,
    )


async def main() -> None:
    """Measure as the command line specifies."""
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
