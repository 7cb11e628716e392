"""Speed of appends and proofs of the transparency log up to ten million entries, and its size.

    python -m benchmarks.transparency --sizes 10000 100000 1000000 10000000

Three parts, each compared with a baseline that is measured alternately:

- the tree alone: entries added a second, compared with one SHA-256 of each entry;
- the store: finished games a second that `TransparencyLog.append_waiting` dequeues, compared with raw inserts of
  the same entries, in transactions of equal size; at each size, in SQLite and in PostgreSQL;
- proofs at each size, read from the database: inclusion of an entry, and consistency with an older size; compared
  with reading one row by its key.

Between two sizes the log is filled by `TransparencyLog.append` in large groups. Prints medians, and bytes per entry.
"""

import argparse
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from hashlib import sha256
from pathlib import Path

import asyncpg
import uvloop
from sqlalchemy import func, insert, select, text
from sqlalchemy.engine import make_url

from benchmarks.temporary_database import DATABASES, temporary_database
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import days, games, log_entries, log_queue, log_tiles
from cadogan.server.core.eventlog.streams import game_stream
from cadogan.server.subjects.transparency.checkpoints import read_checkpoint
from cadogan.server.subjects.transparency.leaves import Ended
from cadogan.server.subjects.transparency.notes import draw_key
from cadogan.server.subjects.transparency.transparency_log import MAX_APPENDED, TransparencyLog
from cadogan.server.subjects.transparency.tree import (
    TreeEdge,
    inclusion_parts,
    leaf_hash,
    part_hash,
    require_consistency,
    require_inclusion,
    tiles_under,
)

DAY, SECRET = "2026-11-20", bytes(32)
FILL_GROUP = 10_000
"""Entries per transaction while the log is filled."""
KEY = draw_key("bench.invalid/log")

Entry = tuple[str, int, bytes]


def generate_entries(first: int, count: int) -> list[Entry]:
    """Return entries of games, starting at number `first`. Their ids are unordered, like real ones."""
    streams = [game_stream(sha256(number.to_bytes(8)).hexdigest()[:16]) for number in range(first, first + count)]
    return [(stream, 57, Ended.of(stream, 57, SECRET, SECRET).as_bytes()) for stream in streams]


def measure_tree(size: int) -> None:
    """Measure the tree without a store, and proofs from tiles in memory; print two lines."""
    edge, tiles = TreeEdge(0, {}), dict[tuple[int, int], bytes]()
    ratios, rates = [], []
    for first in range(0, size, FILL_GROUP):
        entries = [entry for _, _, entry in generate_entries(first, min(FILL_GROUP, size - first))]
        started = time.perf_counter()
        for entry in entries:
            sha256(entry).digest()
        plain = time.perf_counter() - started
        started = time.perf_counter()
        for entry in entries:
            edge.add(leaf_hash(entry))
        tiles.update(edge.take_changed())
        seconds = time.perf_counter() - started
        ratios.append(plain / seconds)
        rates.append(len(entries) / seconds)
    print(
        f"tree       {size:10,}: {statistics.median(rates):9,.0f} entries/s, plain SHA-256 "
        f"{statistics.median(rates) / statistics.median(ratios):9,.0f}/s, ratio {statistics.median(ratios):.2f}",
        flush=True,
    )
    rng, root, making, checking = random.Random(7), edge.root(), [], []
    for _ in range(300):
        index = rng.randrange(size)
        started = time.perf_counter()
        proof = [part_hash(part, tiles.__getitem__) for part in inclusion_parts(index, size)]
        making.append(time.perf_counter() - started)
        leaf = tiles[0, index // 256][32 * (index % 256) :][:32]
        started = time.perf_counter()
        require_inclusion(leaf, index, size, root, proof)
        checking.append(time.perf_counter() - started)
    count = len(tiles_under(inclusion_parts(0, size)))
    print(
        f"tree       {size:10,}: a proof is made of {count} tiles in {statistics.median(making) * 1e6:.0f} µs, checked "
        f"in {statistics.median(checking) * 1e6:.0f} µs; {sum(map(len, tiles.values())) / size:.1f} bytes an entry",
        flush=True,
    )


class Store:
    """The log of one database, and a second database for raw inserts of the same entries."""

    def __init__(self, kind: str, database: Database, log: TransparencyLog, limit_url: str) -> None:
        self.kind = kind
        self.database = database
        self.log = log
        self._limit_url = limit_url
        self.size = 0
        self._inserted = 0

    async def fill(self, size: int) -> None:
        """Append entries until the log has this size."""
        while self.size < size:
            entries = generate_entries(self.size, min(FILL_GROUP, size - self.size))
            await self.log.append(entries, KEY)
            self.size += len(entries)
        if not self.database.is_sqlite:  # like autovacuum: without statistics, PostgreSQL scans whole tables
            async with self.database.writing() as connection:
                await connection.execute(text("ANALYZE"))

    async def measure_appending(self, rounds: int) -> None:
        """Append finished games from the queue, alternating with raw inserts of the same entries; print a line."""
        limits, seconds = [], []
        for _ in range(rounds):
            entries = generate_entries(self.size, MAX_APPENDED)
            limits.append(await self._insert_raw(entries))
            await self._finish_games(entries)
            started = time.perf_counter()
            added = await self.log.append_waiting(KEY)
            seconds.append(time.perf_counter() - started)
            assert added == MAX_APPENDED, "every game has a secret, and is appended once"
            self.size += added
        ratio = statistics.median(one / other for one, other in zip(limits, seconds, strict=True))
        print(
            f"{self.kind:10} {self.size:10,}: appends {MAX_APPENDED / statistics.median(seconds):7,.0f} games/s, raw "
            f"inserts {MAX_APPENDED / statistics.median(limits):7,.0f}/s, ratio {ratio:.2f}",
            flush=True,
        )

    async def measure_proving(self, times: int) -> None:
        """Prove random entries, and consistency with random sizes, alternating with reading a row; print a line."""
        rng = random.Random(7)
        note = await self.log.head()
        assert note is not None
        head = read_checkpoint(note.text)

        async def read_row(number: int) -> None:
            async with self.database.reading() as connection:
                assert await connection.scalar(select(log_entries.c.stream).where(log_entries.c.number == number))

        async def prove(number: int) -> None:
            (stream, _, entry) = generate_entries(number, 1)[0]
            proof = await self.log.prove(stream)
            assert proof is not None
            proof.require_entry(leaf_hash(entry))

        async def prove_growth(number: int) -> None:
            proof = await self.log.prove_consistency(number + 1, head.size)
            older = await self.log.hashes([(0, number + 1)])
            require_consistency(number + 1, older[0], head.size, head.root, proof)

        queries: Sequence[Callable[[int], Awaitable[None]]] = (read_row, prove, prove_growth)
        seconds = [list[float]() for _ in queries]
        for _ in range(times):
            number = rng.randrange(head.size)
            for query, found in zip(queries, seconds, strict=True):
                started = time.perf_counter()
                await query(number)
                found.append(time.perf_counter() - started)
        row, entry, growth = [statistics.median(found[times // 10 :]) * 1e3 for found in seconds]
        print(
            f"{self.kind:10} {self.size:10,}: an entry is proven in {entry:.2f} ms, growth in {growth:.2f} ms, a row "
            f"is read in {row:.2f} ms, ratios {entry / row:.1f} and {growth / row:.1f}",
            flush=True,
        )

    async def measure_bytes(self) -> None:
        """Print the database's bytes per entry, and the share of tile hashes in them."""
        size_of = "pg_database_size(current_database())"
        if self.database.is_sqlite:
            size_of = "(SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size)"
        async with self.database.reading() as connection:
            whole = await connection.scalar(text(f"SELECT {size_of}")) or 0
            hashes = await connection.scalar(select(func.sum(func.length(log_tiles.c.hashes)))) or 0
        print(
            f"{self.kind:10} {self.size:10,}: {whole / self.size:.0f} bytes an entry in the database, "
            f"{float(hashes) / self.size:.1f} of them hashes",
            flush=True,
        )

    async def _finish_games(self, entries: Sequence[Entry]) -> None:
        """Insert finished games of a day into the tables, as the event store does at their end."""
        ids = [stream.removeprefix("game/") for stream, _, _ in entries]
        common = {"game": "klondike", "deal": f"{DAY}.1", "day": DAY, "slot": 1, "ranked": True, "status": "won"}
        played = [{"id": one, "player": one, "started_at": 0, **common} for one in ids]
        queued = [
            {"stream": stream, "version": version, "hash": SECRET, "recorded_at": self.size + place}
            for place, (stream, version, _) in enumerate(entries)
        ]
        async with self.database.writing() as connection:
            await connection.execute(insert(games), played)
            await connection.execute(insert(log_queue), queued)

    async def _insert_raw(self, entries: Sequence[Entry]) -> float:
        """Insert the entries in one transaction without our code, and return the seconds."""
        rows = [(number, *entry) for number, entry in enumerate(entries, self._inserted)]
        self._inserted += len(rows)
        statement = "INSERT INTO log_entries (number, stream, version, entry) "
        if self.database.is_sqlite:
            connection = sqlite3.connect(str(make_url(self._limit_url).database), isolation_level=None)
            connection.execute("PRAGMA synchronous=FULL")
            started = time.perf_counter()
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(statement + "VALUES (?,?,?,?)", rows)
            connection.execute("COMMIT")
            seconds = time.perf_counter() - started
            connection.close()
            return seconds
        other = await asyncpg.connect(self._limit_url)
        started = time.perf_counter()
        unnested = "SELECT * FROM unnest($1::bigint[], $2::text[], $3::int[], $4::bytea[])"
        await other.execute(statement + unnested, *zip(*rows, strict=True))
        seconds = time.perf_counter() - started
        await other.close()
        return seconds


async def measure_store(kind: str, sizes: Sequence[int], rounds: int, times: int) -> None:
    """Measure the log in a database of this kind at each of these sizes."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        async with (
            temporary_database(kind, Path(folder)) as url,
            temporary_database(kind, Path(folder)) as limit_url,
        ):
            database = Database(url)
            sealed = {"day": DAY, "secret": SECRET.hex(), "commitment": "", "created_at": 0}
            async with database.writing() as connection:
                await connection.execute(insert(days), sealed)
            store = Store(kind, database, TransparencyLog(database), limit_url)
            for size in sizes:
                await store.fill(size - rounds * MAX_APPENDED)
                await store.measure_appending(rounds)
                await store.measure_proving(times)
            await store.measure_bytes()
            await database.close()


async def main() -> None:
    """Measure as the command line specifies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000, 10_000_000])
    parser.add_argument("--rounds", type=int, default=15, help="transactions that are measured at each size")
    parser.add_argument("--times", type=int, default=200, help="proofs that are measured at each size")
    parser.add_argument("--databases", nargs="*", choices=DATABASES, default=DATABASES)
    options = parser.parse_args()
    for size in options.sizes:
        measure_tree(size)
    for kind in options.databases:
        await measure_store(kind, sorted(options.sizes), options.rounds, options.times)


if __name__ == "__main__":
    uvloop.run(main())
