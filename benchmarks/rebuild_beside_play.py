"""The longest wait for an append while `cadogan rebuild` runs next to the server.

    python -m benchmarks.rebuild_beside_play --events 200000

A database is filled with finished daily games of a hundred events each, with all derived rows. Then one game after
another is started, played and ended, with one append each time: first alone, and then while the command runs in a
separate process, once over correct rows and once after all rows were deleted. Prints the number of appends, the longest
wait and the seconds of the command. The baseline is the longest wait without the command: lower is better.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import uvloop

from benchmarks.temporary_database import DATABASES, temporary_database
from cadogan.server.core.database.connections import Database
from cadogan.server.core.eventlog.event_store import Append, NewEvent
from cadogan.server.core.eventlog.events import Event, GameDealt, GameFinished, MovePlayed
from cadogan.server.core.eventlog.hash_chain import START_HASH, chain_event
from cadogan.server.core.eventlog.projections import project
from cadogan.server.core.storage.rebuild import DERIVED_TABLES
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.known_rules import known_rules

EVENTS_PER_GAME = 100
MOVE = MovePlayed("tableau.3/tableau.4", ("move tableau.3 tableau.4 1", "turn tableau.3"))


def appends_of_game(number: int) -> tuple[Append, Append, Append]:
    """Return the appends of a game: its deal, all moves, and its end, each with the derived rows."""
    stream, slot = f"game/{number:016}", number % 3 + 1
    day = f"2026-{number // 3_000 % 12 + 1:02}-{number // 100 % 28 + 1:02}"
    dealt = GameDealt("maze", 1, f"p{number:07}", f"{day}.{slot}", "n", "ab", day, slot, None, True, {}, {})
    end = GameFinished("won", number % 53, number % 1200, 98, 60_000 + number, 60_000)
    game_events: list[Event] = [dealt, *[MOVE] * (EVENTS_PER_GAME - 2), end]
    events, head = list[NewEvent](), START_HASH
    for version, event in enumerate(game_events, 1):
        events.append(chain_event(head, stream, version, event, version))
        head = events[-1].hash
    begun = project(stream, [(dealt, 1)], known_rules())
    over = project(stream, [(dealt, 1), (end, EVENTS_PER_GAME)], known_rules())
    return (
        Append(stream, None, (events[0],), begun),
        Append(stream, None, tuple(events[1:-1])),
        Append(stream, None, (events[-1],), over),
    )


async def fill(store: SqlStore, games: int) -> None:
    """Append this many games."""
    for number in range(0, games, 10):
        for three in zip(*map(appends_of_game, range(number, number + 10)), strict=True):
            await asyncio.gather(*map(store.append, three))


async def play(store: SqlStore, numbers: Iterator[int], until: asyncio.Event) -> tuple[int, float]:
    """Append one game after another; return the number of appends, and the longest wait in seconds."""
    durations = [0.0]
    while not until.is_set():
        for append in appends_of_game(next(numbers)):
            started = time.perf_counter()
            await store.append(append)
            durations.append(time.perf_counter() - started)
    return len(durations) - 1, max(durations)


async def wait_for_command(url: str) -> None:
    """Run `cadogan rebuild` in a separate process."""
    command = "from cadogan.server.cli.main import main; main()"
    environment = {**os.environ, "CADOGAN_DATABASE_URL": url}
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", command, "rebuild", env=environment)
    if await process.wait():
        raise RuntimeError("the command failed")


async def measure(kind: str, events: int) -> None:
    """Measure one database, and print three lines."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        async with temporary_database(kind, Path(folder)) as url:
            database = Database(url)
            store = SqlStore(database)
            await fill(store, events // EVENTS_PER_GAME)
            numbers = count(1_000_000)
            for name in ("alone", "right rows", "no rows"):
                if name == "no rows":
                    async with database.writing() as connection:
                        for table in DERIVED_TABLES:
                            await connection.execute(table.delete())
                until, started = asyncio.Event(), time.perf_counter()
                playing = asyncio.ensure_future(play(store, numbers, until))
                await (asyncio.sleep(5) if name == "alone" else wait_for_command(url))
                until.set()
                appends, longest = await playing
                seconds = time.perf_counter() - started
                print(
                    f"{kind:10} {name:10} {appends:6} appends in {seconds:5.1f} s, the longest {longest:.3f} s",
                    flush=True,
                )
            await store.close()
            await database.close()


async def main() -> None:
    """Measure as the command line specifies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=200_000)
    options = parser.parse_args()
    for kind in DATABASES:
        await measure(kind, options.events)


if __name__ == "__main__":
    uvloop.run(main())
