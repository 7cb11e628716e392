"""Kills a real server with SIGKILL in the middle of play, again and again, and says what that cost.

    python -m benchmarks.crash_recovery --kills 100 --database sqlite --database postgresql

A database is "sqlite", "postgresql" or the URL of an empty one. Exits 1 if an acknowledged command is lost, one is
carried out twice, a chain is broken, or boards and lists differ from those rebuilt from the log.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

from benchmarks.kill_harness import play_and_kill
from benchmarks.log_checker import events, judge, projections
from benchmarks.temporary_database import KINDS, fresh
from tests.harness.server_process import NO_RATE_LIMIT, ServerProcess


async def survives(database: str, kills: int, players: int, seed: int) -> bool:
    """Whether nothing was lost, doubled or broken; prints the figures."""
    with tempfile.TemporaryDirectory() as folder:
        async with fresh(database, Path(folder)) as url:
            server = ServerProcess(url, Path(folder) / "server.log", NO_RATE_LIMIT)
            outcome = await play_and_kill(server, kills, players, seed)
            log, derived = await events(url), await projections(url)
            verdict = judge(outcome.ledger, log)
            server.command("rebuild")
            same = derived == await projections(url)
    ledger = outcome.ledger
    print(f"{database}: {kills} kills, {players} players, {len(log)} events in the log")
    print(f"  acknowledged {len(ledger.acknowledged)}, sent again after a kill {ledger.resent}")
    print(f"  lost {len(verdict.lost)}, doubled {len(verdict.doubled)}, broken chains {len(verdict.broken)}")
    print(f"  boards and lists {'equal' if same else 'DIFFER FROM'} those rebuilt from the log")
    print(f"  back at work after {outcome.restart_median:.2f} s (median)", flush=True)
    for line in (*verdict.lost, *verdict.doubled, *verdict.broken):
        print(f"  {line}")
    return verdict.clean and same


async def main() -> int:
    """Reads the command line and kills; 1 if anything was found wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", action="append", help="may be given several times; both kinds by default")
    options = parser.parse_args()
    clean = [
        await survives(database, options.kills, options.players, options.seed) for database in options.database or KINDS
    ]
    return 0 if all(clean) else 1


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
