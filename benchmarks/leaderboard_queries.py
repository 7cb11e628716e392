"""Latency of the leaderboard queries on boards with a million players.

    python -m benchmarks.leaderboard_queries --players 1000000

Measures the server's own queries, with its connection pool and driver, on the board of a deal and on the all-time
board, in SQLite and in PostgreSQL. Prints medians in milliseconds: for the rank of a player, for a page of 50 players,
for an empty query, and for counting all better players, which the server never does.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import chain
from pathlib import Path

import uvloop
from sqlalchemy import text

from benchmarks.generated_leaderboards import ALL_TIME_BOARD, DEAL_BOARD, all_time_totals, deal_totals, fill
from benchmarks.temporary_database import DATABASES, temporary_database
from cadogan.server.core.database.connections import Database
from cadogan.server.subjects.leaderboards.queries import BoardQueries

_COUNT_BETTER_PLAYERS = text(
    "SELECT count(*) FROM totals b, totals t WHERE t.board = :board AND t.player = :player AND b.board = :board "
    "AND (b.deficit, b.moves, b.milliseconds) < (t.deficit, t.moves, t.milliseconds)"
)


@asynccontextmanager
async def filled_database(kind: str, players: int) -> AsyncIterator[Database]:
    """Yield a database with two boards of this many players."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        async with temporary_database(kind, Path(folder)) as url:
            database = Database(url)
            try:
                await fill(database, chain(deal_totals(players), all_time_totals(players)))
                yield database
            finally:
                await database.close()


async def median_milliseconds(query: Callable[[int], Awaitable[object]], players: int, times: int) -> float:
    """Run a query about random players repeatedly, and return the median; the first tenth is a warm-up."""
    rng = random.Random(7)
    seconds = []
    for _ in range(times):
        player = rng.randrange(players)
        started = time.perf_counter()
        await query(player)
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds[times // 10 :]) * 1e3


async def measure(database: Database, board: str, players: int, times: int) -> None:
    """Measure one board and print a line."""
    boards = BoardQueries(database)

    async def rank(player: int) -> None:
        assert await boards.ranked(board, [f"p{player:07}"])

    async def page(player: int) -> None:
        total, _ = await boards.page(board, player, 50)
        assert total == players

    async def count(player: int) -> None:
        async with database.reading() as connection:
            await connection.scalar(_COUNT_BETTER_PLAYERS, {"board": board, "player": f"p{player:07}"})

    async def nothing(_: int) -> None:
        await database.ping()

    rank_time, page_time, empty_time = [
        await median_milliseconds(query, players, times) for query in (rank, page, nothing)
    ]
    count_time = await median_milliseconds(count, players, 20)
    print(
        f"{database.url.get_backend_name():10} {board:18} {players:9,} players: rank {rank_time:.2f} ms, "
        f"page of 50 {page_time:.2f} ms (empty query {empty_time:.2f} ms, counting better players {count_time:.1f} ms)",
        flush=True,
    )


async def main() -> None:
    """Measure as the command line specifies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=500)
    options = parser.parse_args()
    for kind in DATABASES:
        async with filled_database(kind, options.players) as database:
            for board in (DEAL_BOARD, ALL_TIME_BOARD):
                await measure(database, board, options.players, options.times)


if __name__ == "__main__":
    uvloop.run(main())
