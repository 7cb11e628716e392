"""How many events a second the event store appends, compared with raw inserts of the same rows.

    python -m benchmarks.append_throughput --tasks 1 64 1024

Concurrent tasks each append one event, and the next one as soon as that is committed. The baseline is raw inserts into
the same database, in groups of as many rows as there are tasks. Prints the medians of several rounds, in SQLite and in
PostgreSQL, and the latency of one append. The ratio is appends a second divided by baseline inserts a second: higher is
better.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path

import uvloop

from benchmarks import raw_inserts
from benchmarks.temporary_database import DATABASES, temporary_database
from cadogan.server.core.database.connections import Database
from cadogan.server.core.eventlog.event_store import Append, NewEvent
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.core.storage.writers import EventValues


async def append(url: str, events: list[EventValues], tasks: int) -> tuple[float, list[float]]:
    """Append the events with one task per game; return events a second, and the seconds of each append."""
    database = Database(url)
    store = SqlStore(database)
    append_seconds: list[float] = []

    async def play(game: list[EventValues]) -> None:
        for stream, version, command_id, kind, schema, data, at, digest in game:
            started = time.perf_counter()
            await store.append(Append(stream, command_id, (NewEvent(version, kind, schema, data, at, digest),)))
            append_seconds.append(time.perf_counter() - started)

    started = time.perf_counter()
    await asyncio.gather(*(play(events[game::tasks]) for game in range(tasks)))
    seconds = time.perf_counter() - started
    await store.close()
    await database.close()
    return len(events) / seconds, append_seconds


async def measure(kind: str, tasks: int, events: int, rounds: int) -> None:
    """Measure one database with this number of tasks, and print a line."""
    baselines, rates, append_seconds = [], [], []
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for _ in range(rounds):
            moves = raw_inserts.generate_events(tasks, events // tasks)
            async with temporary_database(kind, Path(folder)) as url:
                baselines.append(await raw_inserts.insert(url, moves, tasks))
            async with temporary_database(kind, Path(folder)) as url:
                rate, seconds = await append(url, moves, tasks)
                rates.append(rate)
                append_seconds += seconds
    baseline, rate = statistics.median(baselines), statistics.median(rates)
    percentiles = statistics.quantiles(append_seconds, n=100)
    print(
        f"{kind:10} {tasks:5} tasks: baseline {baseline:7,.0f}/s, append {rate:7,.0f}/s, ratio {rate / baseline:.2f}, "
        f"an append {percentiles[49] * 1e3:.2f} ms, p99 {percentiles[98] * 1e3:.2f} ms",
        flush=True,
    )


async def main() -> None:
    """Measure as the command line specifies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=32_768, help="events in a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tasks", type=int, nargs="+", default=[1, 64, 1024])
    options = parser.parse_args()
    for kind in DATABASES:
        for tasks in options.tasks:
            await measure(kind, tasks, options.events if tasks > 1 else options.events // 8, options.rounds)


if __name__ == "__main__":
    uvloop.run(main())
