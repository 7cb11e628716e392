"""Appends a second, beside raw inserts of the same rows into the same database.

    python -m benchmarks.append_throughput

So many tasks append at once, one event each and again as soon as it is committed; the raw inserts commit groups of as
many. Printed are medians of several rounds, SQLite and PostgreSQL, and the time an append takes.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvloop

from benchmarks import raw_inserts
from server.database.connections import Database
from server.eventlog.event_store import Append, NewEvent
from server.storage.row_sql import EventValues
from server.storage.sql_store import SqlStore
from tests.harness import databases


async def append(url: str, events: list[EventValues], tasks: int) -> tuple[float, list[float]]:
    """Append the events by as many tasks as there are games; return events a second, and each append's seconds."""
    database = Database(url)
    store = SqlStore(database)
    waits: list[float] = []

    async def play(game: list[EventValues]) -> None:
        for stream, version, command_id, kind, schema, data, at, digest in game:
            began = time.perf_counter()
            await store.append(Append(stream, command_id, (NewEvent(version, kind, schema, data, at, digest),)))
            waits.append(time.perf_counter() - began)

    began = time.perf_counter()
    await asyncio.gather(*(play(events[game::tasks]) for game in range(tasks)))
    seconds = time.perf_counter() - began
    await store.close()
    await database.close()
    return len(events) / seconds, waits


@asynccontextmanager
async def temporary_database(kind: str) -> AsyncIterator[str]:
    """Give the URL of a new database with the tables, gone afterwards."""
    if kind == "postgresql":
        async with databases.postgresql() as url:
            await databases.migrate(url)
            yield url
    else:
        with tempfile.TemporaryDirectory(dir=".") as folder, databases.sqlite(Path(folder)) as url:
            await databases.migrate(url)
            yield url


async def measure(kind: str, tasks: int, events: int, rounds: int) -> None:
    """Measure one database with so many tasks and print a line."""
    raws, appends, waits = [], [], []
    for _ in range(rounds):
        moves = raw_inserts.moves(tasks, events // tasks)
        async with temporary_database(kind) as url:
            raws.append(await raw_inserts.insert(url, moves, tasks))
        async with temporary_database(kind) as url:
            rate, waited = await append(url, moves, tasks)
            appends.append(rate)
            waits += waited
    raw_rate, rate = statistics.median(raws), statistics.median(appends)
    percentiles = statistics.quantiles(waits, n=100)
    print(
        f"{kind:10} {tasks:5} tasks: raw {raw_rate:7,.0f}/s, append {rate:7,.0f}/s, ratio {rate / raw_rate:.2f}, "
        f"an append {percentiles[49] * 1e3:.2f} ms, p99 {percentiles[98] * 1e3:.2f} ms",
        flush=True,
    )


async def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=32_768, help="events in a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tasks", type=int, nargs="+", default=[1, 64, 1024])
    options = parser.parse_args()
    for kind in ("sqlite", "postgresql"):
        for tasks in options.tasks:
            await measure(kind, tasks, options.events if tasks > 1 else options.events // 8, options.rounds)


if __name__ == "__main__":
    uvloop.run(main())
