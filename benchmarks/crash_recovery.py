"""Kills a real server with SIGKILL repeatedly while people play, and checks that nothing was lost.

    python -m benchmarks.crash_recovery --kills 100 --database sqlite --database postgresql

A database is "sqlite", "postgresql" or the URL of an empty one. The exit code is 1 if an acknowledged command is lost,
a command was carried out twice, a hash chain is broken, or the projections differ from those rebuilt from the log.
Prints how many commands were acknowledged and sent again, every fault, and the median seconds of a restart.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

from benchmarks.kill_harness import play_and_kill
from benchmarks.log_checker import check_log, read_events, read_projections
from benchmarks.temporary_database import DATABASES, temporary_database
from tests.harness.server_process import NO_RATE_LIMIT, ServerProcess


async def measure(database: str, kills: int, players: int, seed: int) -> bool:
    """Play, kill, check and print the figures; return whether no fault was found."""
    with tempfile.TemporaryDirectory() as folder:
        async with temporary_database(database, Path(folder)) as url:
            server = ServerProcess(url, Path(folder) / "server.log", NO_RATE_LIMIT)
            outcome = await play_and_kill(server, kills, players, seed)
            log, projections = await read_events(url), await read_projections(url)
            verdict = check_log(outcome.history, log)
            server.command("rebuild")
            is_same = projections == await read_projections(url)
    history = outcome.history
    print(f"{database}: {kills} kills, {players} players, {len(log)} events in the log")
    print(f"  commands: {len(history.acknowledged)} acknowledged, {history.resent_count} sent again after a kill")
    print(
        f"  faults: {len(verdict.lost)} lost, {len(verdict.duplicated)} duplicated, {len(verdict.broken)} broken chains"
    )
    print(f"  projections {'equal' if is_same else 'DIFFER FROM'} those rebuilt from the log")
    print(f"  ready again {outcome.median_restart_seconds:.2f} s after a start (median)", flush=True)
    for fault in (*verdict.lost, *verdict.duplicated, *verdict.broken):
        print(f"  {fault}")
    return verdict.is_clean and is_same


async def main() -> int:
    """Measure as the command line specifies; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", action="append", help="may be given several times; both kinds by default")
    options = parser.parse_args()
    clean = [
        await measure(database, options.kills, options.players, options.seed)
        for database in options.database or DATABASES
    ]
    return 0 if all(clean) else 1


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
