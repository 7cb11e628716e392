"""A crowd on the boards, for measuring: so many players with one run each, as likely as not to be alike."""

import random
from collections.abc import Iterator
from typing import Any

from server.database.connections import Database
from server.leaderboards.totals import BoardTotal
from server.storage.rebuild import fill_buckets

DEAL = "deal:2026-11-20.1"
ALL = "all"
_COLUMNS = BoardTotal._fields
_CHUNK = 20_000


def deal_places(players: int, seed: int = 1) -> Iterator[BoardTotal]:
    """A deal's board: a fifth has won, a tenth gave up at once, the rest came some way."""
    chance = random.Random(seed)
    for number in range(players):
        fate = chance.random()
        score = 104 if fate < 0.2 else 0 if fate < 0.3 else chance.randrange(104)
        moves = 0 if 0.2 <= fate < 0.3 else max(1, round(chance.gauss(60 + score, 25)))
        milliseconds = chance.randrange(1_000, 20_000) if moves == 0 else round(moves * chance.uniform(1_500, 9_000))
        yield BoardTotal(DEAL, f"p{number:07}", -score, moves, milliseconds, 1)


def all_places(players: int, seed: int = 2) -> Iterator[BoardTotal]:
    """The board of all time: from those who came once to those who came every day for years."""
    chance = random.Random(seed)
    for number in range(players):
        runs = min(3650, 1 + int(chance.expovariate(1 / 60)))
        points = sum(chance.choice((0, 1250, chance.randrange(1000))) for _ in range(min(runs, 8))) * max(1, runs // 8)
        moves = sum(chance.randrange(200) for _ in range(min(runs, 8))) * max(1, runs // 8)
        yield BoardTotal(ALL, f"p{number:07}", -points, moves, moves * chance.randrange(2_000, 8_000), runs)


async def fill(database: Database, rows: Iterator[BoardTotal]) -> None:
    """Write the totals and count them, as a rebuild would."""
    async with database.writing() as connection:
        raw: Any = (await connection.get_raw_connection()).driver_connection
        if not database.is_sqlite:
            await raw.copy_records_to_table("totals", columns=_COLUMNS, records=rows)
        else:
            insert = f"INSERT INTO totals ({', '.join(_COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?)"
            await raw.executemany(insert, rows)
        await fill_buckets(connection)
    async with database.engine.connect() as connection:
        done = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await done.exec_driver_sql("ANALYZE" if database.is_sqlite else "VACUUM ANALYZE")
