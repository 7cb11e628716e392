"""A server with old games of guests, for tests of archiving."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Table, func, select

from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.operations.archive import ArchiveResult, archive
from cadogan.server.operations.merkle_roots import Root, root_of
from tests.harness.daily_actions import close_day, play_and_resign
from tests.harness.logging_ends import log_ends
from tests.harness.people import Person
from tests.harness.running_server import RunningServer

BEFORE = "2026-12-01"


YEAR = 366 * MILLISECONDS_PER_DAY


class Club:
    """A server a year after guests and players have played on it: who played what, by the ids of the games."""

    def __init__(self, running_server: RunningServer) -> None:
        self.running_server = running_server
        self.database = running_server.server.database
        self.old: set[str] = set()
        """The games that may be archived."""
        self.remaining: set[str] = set()

    def now(self) -> int:
        """The time there."""
        return self.running_server.clock.at

    async def archive(self, file: Path, before: str = BEFORE) -> ArchiveResult:
        """Archive, as the command does."""
        return await archive(self.database, before, file, self.now)

    async def count(self, table: Table) -> int:
        """How many rows a table has."""
        async with self.database.reading() as connection:
            return await connection.scalar(select(func.count()).select_from(table)) or 0

    async def root(self, day: str) -> Root:
        """The root of a day."""
        async with self.database.reading() as connection:
            return await root_of(connection, day)

    async def rows(self, *tables: Table) -> dict[str, list[Any]]:
        """Every row of these tables."""
        found = {}
        async with self.database.reading() as connection:
            for table in tables:
                found[table.name] = sorted(tuple(row) for row in await connection.execute(select(table)))
        return found


@pytest.fixture
async def club(running_server: RunningServer) -> Club:
    """Guests and a player have played a year ago; of everything that must stay there is something."""
    made = Club(running_server)
    guest, other, ann = [await running_server.guest() for _ in range(3)]
    assert (await ann.post("/account", {"name": "Ann", "password": "eight red queens"}))[0] == 200
    finished, short, abandoned = await guest.deal(), await guest.deal("olga"), await guest.deal()
    await play_and_resign(guest, finished, moves=12)
    await play_and_resign(guest, short, moves=2)
    await move(guest, abandoned)
    made.old = {finished, short, abandoned}
    of_account, of_day, played_on = await ann.deal(), await guest.enter(), await other.deal()
    await play_and_resign(ann, of_account, moves=12)
    await play_and_resign(guest, of_day, moves=3)
    await play_and_resign(other, played_on, moves=3)
    status, begun = await ann.post(f"/games/{played_on}/continuations", {"version": 2})
    assert status == 200, begun
    await running_server.server.analysis_jobs.ask(finished, 0, guest.id)
    await close_day(running_server)
    await log_ends(running_server.server)
    running_server.clock.at += YEAR
    active = await running_server.guest()
    late = await active.deal()
    await play_and_resign(active, late, moves=12)
    await log_ends(running_server.server)
    running_server.clock.at += 30 * MILLISECONDS_PER_DAY
    made.remaining = {of_account, of_day, played_on, begun["game"]["id"], late}
    return made


async def move(person: Person, game: str) -> None:
    """Play a move in a game."""
    async with person.connect() as socket:
        await socket.play(await socket.request("subscribe", game=game))


def old_files(folder: Path) -> list[str]:
    """The names of the archives in a folder, complete or not."""
    return sorted(file.name for file in folder.glob("old*"))
