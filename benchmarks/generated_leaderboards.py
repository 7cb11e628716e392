"""Fills the leaderboard tables with generated totals of many players, for benchmarks."""

import random
from collections.abc import Iterator
from typing import Any

from cadogan.server.core.database.connections import Database
from cadogan.server.core.ranking import BoardTotal
from cadogan.server.core.storage.rebuild import fill_buckets

DEAL_BOARD = "deal:2026-11-20.1"
ALL_TIME_BOARD = "all"
_COLUMNS = BoardTotal._fields


def deal_totals(players: int, seed: int = 1) -> Iterator[BoardTotal]:
    """Generate the board of a deal: a fifth of the players won, a tenth resigned at once, the rest are in between."""
    rng = random.Random(seed)
    for number in range(players):
        fate = rng.random()
        score = 104 if fate < 0.2 else 0 if fate < 0.3 else rng.randrange(104)
        moves = 0 if 0.2 <= fate < 0.3 else max(1, round(rng.gauss(60 + score, 25)))
        milliseconds = rng.randrange(1_000, 20_000) if moves == 0 else round(moves * rng.uniform(1_500, 9_000))
        yield BoardTotal(DEAL_BOARD, f"p{number:07}", -score, moves, milliseconds, 1)


def all_time_totals(players: int, seed: int = 2) -> Iterator[BoardTotal]:
    """Generate the all-time board: some players came once, some came every day for years."""
    rng = random.Random(seed)
    for number in range(players):
        runs = min(3650, 1 + int(rng.expovariate(1 / 60)))
        points = sum(rng.choice((0, 1250, rng.randrange(1000))) for _ in range(min(runs, 8))) * max(1, runs // 8)
        moves = sum(rng.randrange(200) for _ in range(min(runs, 8))) * max(1, runs // 8)
        yield BoardTotal(ALL_TIME_BOARD, f"p{number:07}", -points, moves, moves * rng.randrange(2_000, 8_000), runs)


async def fill(database: Database, rows: Iterator[BoardTotal]) -> None:
    """Write the totals, and the counts of the rank index, like `cadogan rebuild`."""
    async with database.writing() as connection:
        raw: Any = (await connection.get_raw_connection()).driver_connection
        if not database.is_sqlite:
            await raw.copy_records_to_table("totals", columns=_COLUMNS, records=rows)
        else:
            insert = f"INSERT INTO totals ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"
            await raw.executemany(insert, rows)
        await fill_buckets(connection)
    async with database.engine.connect() as connection:
        done = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await done.exec_driver_sql("ANALYZE" if database.is_sqlite else "VACUUM ANALYZE")
