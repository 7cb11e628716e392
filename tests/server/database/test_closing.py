"""Closing an SQLite database ends what is under way, so that nothing of it is left when the event loop closes."""

import asyncio
import threading

import pytest
from sqlalchemy import text

from cadogan.server.core.database.connections import Database
from tests.harness.patience import soon

LONG = text("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")


@pytest.mark.parametrize("cancellations", [0, 1, 2])
async def test_closing_ends_every_statement_under_way_and_leaves_no_thread(sqlite_url: str, cancellations: int) -> None:
    before, database = set(threading.enumerate()), Database(sqlite_url)
    begun = [asyncio.Event() for _ in range(3)]

    async def ask(event: asyncio.Event) -> None:
        async with database.reading() as connection:
            await connection.execute(text("SELECT 1"))
            event.set()
            await connection.execute(LONG)

    asking = [asyncio.create_task(ask(event)) for event in begun]
    await asyncio.wait([asyncio.create_task(event.wait()) for event in begun])
    for _ in range(cancellations):
        for task in asking[:2]:
            task.cancel()
        await asyncio.sleep(0)
    await database.close()
    left = [one for one in set(threading.enumerate()) - before if "worker_thread" in one.name]
    for one in left:
        await asyncio.to_thread(one.join, soon())  # it may be about to end
    assert not [one.name for one in left if one.is_alive()]
    await asyncio.wait(asking)
