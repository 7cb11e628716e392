"""Events a second that one, two and three nodes append to a log distributed over Citus workers.

    python -m benchmarks.citus_writers --nodes 1 2 3

Starts a coordinator and two workers on this machine, which share its processors and disk: the figures compare write
strategies, not the capacity of several machines. The baseline is raw inserts into a table on the coordinator, in groups
of as many rows as there are tasks. `one group` commits the appends of all workers together, in two phases. Prints the
medians of several rounds; the ratio is appends a second divided by baseline inserts a second.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

import uvloop

from benchmarks import raw_inserts
from cadogan.server.core.database import migrations
from cadogan.server.core.database.connections import Database
from cadogan.server.core.eventlog.event_store import Append, NewEvent, StoreError
from cadogan.server.core.storage.citus.extension import distribute
from cadogan.server.core.storage.citus.workers import CitusBatchWriter
from cadogan.server.core.storage.group_commit import GroupCommit
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.core.storage.writers import EventValues
from deploy.citus.cluster import CitusCluster

Appending = Callable[[Append], Awaitable[None]]


async def append(events: Sequence[EventValues], tasks: int, ways: Sequence[Appending]) -> float:
    """Append the events, with one task per game, the games distributed over `ways`; return events a second."""

    async def play(append: Appending, game: Sequence[EventValues]) -> None:
        for stream, version, command_id, kind, schema, data, at, digest in game:
            await append(Append(stream, command_id, (NewEvent(version, kind, schema, data, at, digest),)))

    started = time.perf_counter()
    await asyncio.gather(*(play(ways[game % len(ways)], events[game::tasks]) for game in range(tasks)))
    return len(events) / (time.perf_counter() - started)


async def one_group(events: Sequence[EventValues], tasks: int, url: str) -> float:
    """Append with one group commit for all workers."""
    database = Database(url)
    group = GroupCommit(CitusBatchWriter(database), _no_conflict)
    rate = await append(events, tasks, [group.append])
    await group.close()
    await database.close()
    return rate


async def _no_conflict(append: Append) -> StoreError:
    raise AssertionError(f"every event is written once, also {append.stream}")


async def nodes(events: Sequence[EventValues], tasks: int, count: int, url: str) -> float:
    """Append with `count` stores, each with one group commit per worker."""
    databases = [Database(url) for _ in range(count)]
    stores = [SqlStore(database) for database in databases]
    rate = await append(events, tasks, [store.append for store in stores])
    for store in stores:
        await store.close()
    for database in databases:
        await database.close()
    return rate


async def on_fresh_database(
    cluster: CitusCluster, distributed: bool, measure: Callable[[str], Awaitable[float]]
) -> float:
    """Return the measurement in a new database with the tables, which is dropped afterwards."""
    await cluster.create_database()
    try:
        database = Database(cluster.url())
        await migrations.migrate(database)
        if distributed:
            await distribute(database)
        await database.close()
        return await measure(cluster.url())
    finally:
        await cluster.drop_database()


async def main() -> None:
    """Measure as the command line specifies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=8_192, help="events in a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tasks", type=int, default=256)
    parser.add_argument("--nodes", type=int, nargs="+", default=[1, 2, 3])
    options = parser.parse_args()
    tasks = options.tasks
    moves = raw_inserts.generate_events(tasks, options.events // tasks)
    rates: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="cadogan-citus-") as folder:
        async with CitusCluster(Path(folder)) as cluster:
            for _ in range(options.rounds):
                measured = await on_fresh_database(cluster, False, lambda url: raw_inserts.insert(url, moves, tasks))
                rates.setdefault("raw inserts, one machine", []).append(measured)
                measured = await on_fresh_database(cluster, False, partial(nodes, moves, tasks, 1))
                rates.setdefault("one node, one machine", []).append(measured)
                measured = await on_fresh_database(cluster, True, partial(one_group, moves, tasks))
                rates.setdefault("one group, two workers", []).append(measured)
                for count in options.nodes:
                    measured = await on_fresh_database(cluster, True, partial(nodes, moves, tasks, count))
                    rates.setdefault(f"nodes: {count}, two workers", []).append(measured)
    baseline = statistics.median(next(iter(rates.values())))
    for name, found in rates.items():
        rate = statistics.median(found)
        print(f"{name:26} {rate:7,.0f}/s ({min(found):,.0f} to {max(found):,.0f}), ratio {rate / baseline:.3f}")


if __name__ == "__main__":
    uvloop.run(main())
