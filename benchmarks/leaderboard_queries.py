"""The time that a board of a million places takes to tell a rank or a page: `python -m benchmarks.leaderboard_queries`.

Printed are medians, as the server asks: with its pool, its driver and its statements, over a deal's board and that of
all time. Beside them stand the time of the emptiest question, and of counting the better places one by one.
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

from benchmarks.generated_leaderboards import ALL, DEAL, all_places, deal_places, fill
from server.database.connections import Database
from server.leaderboards.queries import BoardQueries
from tests.harness import databases

_COUNTING = text(
    "SELECT count(*) FROM totals b, totals t WHERE t.board = :board AND t.player = :player AND b.board = :board "
    "AND (b.deficit, b.moves, b.milliseconds) < (t.deficit, t.moves, t.milliseconds)"
)


@asynccontextmanager
async def filled(kind: str, places: int) -> AsyncIterator[Database]:
    """A database with two boards of so many places."""
    if kind == "postgresql":
        async with databases.postgresql() as url:
            async for database in _open(url, places):
                yield database
    else:
        with tempfile.TemporaryDirectory(dir=".") as folder, databases.sqlite(Path(folder)) as url:
            async for database in _open(url, places):
                yield database


async def _open(url: str, places: int) -> AsyncIterator[Database]:
    await databases.migrate(url)
    database = Database(url)
    try:
        await fill(database, chain(deal_places(places), all_places(places)))
        yield database
    finally:
        await database.close()


async def median(question: Callable[[int], Awaitable[object]], places: int, times: int) -> float:
    """The median of milliseconds that a question about a place at random takes."""
    chance = random.Random(7)
    taken = []
    for _ in range(times):
        place = chance.randrange(places)
        began = time.perf_counter()
        await question(place)
        taken.append(time.perf_counter() - began)
    return statistics.median(taken[times // 10 :]) * 1e3


async def measure(database: Database, board: str, places: int, times: int) -> None:
    """Print a line about one board."""
    boards = BoardQueries(database)

    async def rank(place: int) -> None:
        assert await boards.ranked(board, [f"p{place:07}"])

    async def page(place: int) -> None:
        total, _ = await boards.page(board, place, 50)
        assert total == places

    async def one_by_one(place: int) -> None:
        async with database.reading() as connection:
            await connection.scalar(_COUNTING, {"board": board, "player": f"p{place:07}"})

    async def nothing(_: int) -> None:
        await database.ping()

    found = [await median(asked, places, times) for asked in (rank, page, nothing)]
    counting = await median(one_by_one, places, 20)
    print(
        f"{database.url.get_backend_name():10} {board:18} {places:9,} places: rank {found[0]:.2f} ms, "
        f"page of 50 {found[1]:.2f} ms (nothing {found[2]:.2f} ms, counting one by one {counting:.1f} ms)",
        flush=True,
    )


async def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--places", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=500)
    options = parser.parse_args()
    for kind in ("sqlite", "postgresql"):
        async with filled(kind, options.places) as database:
            for board in (DEAL, ALL):
                await measure(database, board, options.places, options.times)


if __name__ == "__main__":
    uvloop.run(main())
