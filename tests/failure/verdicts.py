"""What must hold after every failure: nothing acknowledged is lost or duplicated, and projections can be rebuilt."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import groupby

import aiohttp

from benchmarks.guest_client import create_guest
from benchmarks.kill_harness import CommandHistory, RandomPlayer
from benchmarks.log_checker import EventRow, check_log, read_events, read_projections
from cadogan.server.core.database.connections import Database
from cadogan.server.core.storage.rebuild import rebuild
from cadogan.server.subjects.known_rules import known_rules


@asynccontextmanager
async def playing(history: CommandHistory, *urls: str, players: int = 6) -> AsyncIterator[asyncio.Event]:
    """People who play meanwhile, each at one of these addresses, whatever happens; in the end all resign.

    They try again at once where they are cut off, and while the event is clear they wait.
    """
    up, enough = asyncio.Event(), asyncio.Event()
    up.set()
    async with aiohttp.ClientSession() as http, asyncio.TaskGroup() as group:
        for number in range(players):
            seat = await create_guest(http, urls[number % len(urls)])
            group.create_task(RandomPlayer(f"player{number}", seat, history, number).play(up, enough))
        yield up
        enough.set()


async def assert_nothing_is_lost(history: CommandHistory, url: str) -> list[EventRow]:
    """Compare the log with the players' history, and the projections with rebuilt ones; return the log."""
    log = await read_events(url)
    verdict = check_log(history, log)
    assert verdict.is_clean, verdict
    for stream, rows in groupby(log, lambda row: row.stream):
        times = [row.recorded_at for row in rows]
        assert times == sorted(times), f"time runs backwards in {stream}"
    derived = await read_projections(url)
    assert derived["games"]
    assert derived["entries"]
    database = Database(url)
    await rebuild(database, known_rules())
    await database.close()
    assert await read_projections(url) == derived
    return log
