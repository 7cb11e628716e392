"""What must hold after every failure: of all that was acknowledged nothing is lost or doubled, and all derives anew."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import groupby

import aiohttp

from benchmarks.guest_client import guest
from benchmarks.kill_harness import Ledger, Player
from benchmarks.log_checker import Row, events, judge, projections
from server.database.connections import Database
from server.storage.rebuild import rebuild


@asynccontextmanager
async def playing(ledger: Ledger, *urls: str, players: int = 6) -> AsyncIterator[asyncio.Event]:
    """People who play meanwhile, each at one of these addresses, whatever happens; in the end all resign.

    They try again at once where they are cut off, and while the event is clear they wait.
    """
    up, enough = asyncio.Event(), asyncio.Event()
    up.set()
    async with aiohttp.ClientSession() as http, asyncio.TaskGroup() as group:
        for number in range(players):
            seat = await guest(http, urls[number % len(urls)])
            group.create_task(Player(f"player{number}", seat, ledger, number).play(up, enough))
        yield up
        enough.set()


async def assert_nothing_is_lost(ledger: Ledger, url: str) -> list[Row]:
    """Hold the players' ledger against the log, and what is derived against what derives from the log anew; the log."""
    log = await events(url)
    verdict = judge(ledger, log)
    assert verdict.clean, verdict
    for stream, rows in groupby(log, lambda row: row.stream):
        times = [row.recorded_at for row in rows]
        assert times == sorted(times), f"time runs backwards in {stream}"
    derived = await projections(url)
    assert derived["games"]
    assert derived["entries"]
    database = Database(url)
    await rebuild(database)
    await database.close()
    assert await projections(url) == derived
    return log
