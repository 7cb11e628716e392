"""Growth of a log: the times of start-up, pages and commands from thousands of games to a million.

    python -m benchmarks.growing_old --database sqlite --events 100000 --events 1000000 --events 10000000

One database is filled to each size (`generated_history`), and at each size a real `cadogan serve` is started on it.
Many different pages of each endpoint are requested, one after another; the time is the median, in milliseconds. `start`
is the time from the start of the process until it is ready, in seconds, with the transparency log up to date. `rebuild`
and `backup` are the commands, in seconds. The bytes per event are those of the whole database divided by its events.

Prints a row of the table in `docs/scaling.md` for each size; each cell is printed as soon as it is measured.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import aiohttp
import uvloop

from benchmarks.generated_history import FIRST_DAY, TOKEN, History, table_bytes
from benchmarks.temporary_database import temporary_database
from cadogan.server.app import Server, opened
from cadogan.server.config import Settings
from cadogan.server.core.database.connections import open_database
from cadogan.server.core.dates import add_days
from cadogan.server.subjects.transparency.sequencer import Sequencer
from tests.harness.server_process import COMMAND, NO_RATE_LIMIT, ServerProcess

PAGES = 40
"""Requested pages of each kind."""
HEADINGS = "events | games | bytes an event | start s | front page | board of all | board of a day | profile "
HEADINGS += "| replay | record | rebuild s | backup s"


async def measure(settings: Settings, history: History, folder: Path) -> AsyncIterator[str]:
    """Yield the cells of the row for the current database, one after another."""
    async with opened(Server(settings)) as server:
        await Sequencer(server.transparency, server.host_key).append_all()
    async with open_database(settings.database_url) as database:  # a server's timeout may be too short here
        async with database.engine.connect() as connection:
            done = await connection.execution_options(isolation_level="AUTOCOMMIT")
            await done.exec_driver_sql("ANALYZE" if database.is_sqlite else "VACUUM ANALYZE")
        size = sum((await table_bytes(database)).values())
    environment = {**NO_RATE_LIMIT, "CADOGAN_KEY_FILE": settings.key_file or ""}
    node = ServerProcess(settings.database_url, folder / "server.log", environment)
    started = time.perf_counter()
    await node.start()
    start = time.perf_counter() - started
    try:
        pages = await _read_pages(node.url, history)
    finally:
        node.kill()
    for cell in (f"{history.events:,}", f"{len(history.games) * 2:,}", f"{size / history.events:.0f}", f"{start:.1f}"):
        yield cell
    for milliseconds in pages.values():
        yield f"{milliseconds:.1f}"
    yield f"{_run(settings, 'rebuild'):.1f}"
    yield f"{_run(settings, 'export', '--all', str(folder / 'backup.zst')):.1f}"
    (folder / "backup.zst").unlink(missing_ok=True)


async def _read_pages(url: str, history: History) -> Mapping[str, float]:
    """Return the median milliseconds of each kind of page."""
    rng = random.Random(3)
    games, players = rng.sample(history.games, PAGES), rng.sample(history.players[: len(history.games) // 8], PAGES)
    last = max(0, len(history.games) // 400 - 1)
    days = [add_days(FIRST_DAY, rng.randint(0, last)) for _ in range(PAGES)]
    asked: dict[str, Sequence[str]] = {
        "front page": ["/home"] * PAGES,
        "board of all": ["/boards/all?limit=50"] * PAGES,
        "board of a day": [f"/boards/day:{day}?limit=50" for day in days],
        "profile": [f"/players/{player}" for player in players],
        "replay": [f"/games/{game}/replay" for game in games],
        "record": [f"/games/{game}/record" for game in games],
    }
    found = {}
    async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {TOKEN}"}) as session:
        for name, paths in asked.items():
            took = []
            for path in paths:
                started = time.perf_counter()
                async with session.get(f"{url}/api/v1{path}") as answer:
                    await answer.read()
                    answer.raise_for_status()
                took.append(1000 * (time.perf_counter() - started))
            found[name] = statistics.median(took)
    return found


def _run(settings: Settings, *command: str) -> float:
    """Run a command on the database; return its seconds."""
    environment = {
        **os.environ,
        "CADOGAN_DATABASE_URL": settings.database_url,
        "CADOGAN_KEY_FILE": settings.key_file or "",
    }
    started = time.perf_counter()
    subprocess.run((COMMAND, *command), env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


async def main() -> None:
    """Fill a database to each size, and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", default="sqlite", help="sqlite, postgresql, or a database's URL")
    parser.add_argument("--events", type=int, action="append", help="a size; may be repeated")
    options = parser.parse_args()
    print(f"| {options.database}: {HEADINGS} |\n|{' ---: |' * (HEADINGS.count('|') + 1)}", flush=True)
    with tempfile.TemporaryDirectory(dir=".") as name:
        folder = Path(name)
        async with temporary_database(options.database, folder) as url:
            settings = replace(Settings(), database_url=url, key_file=str(folder / "host.key"))
            history: History | None = None
            for events in options.events or (100_000, 1_000_000):
                started = time.perf_counter()
                async with opened(Server(settings)) as server:
                    history = history or History(server)
                    history.use(server)
                    await history.grow(events)
                filled = time.perf_counter() - started
                print("|", end="", flush=True)
                async for cell in measure(settings, history, folder):
                    print(f" {cell} |", end="", flush=True)
                print(f"  (filled in {filled:.0f} s)", flush=True)


if __name__ == "__main__":
    uvloop.run(main())
