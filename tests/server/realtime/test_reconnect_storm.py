"""A reconnect storm: hundreds of sockets dropped at once come back, and cost no view and no board's question."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from msgspec import json

from benchmarks.bare_client import BareClient, connect
from tests.harness.daily_actions import DAY
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server
from tests.harness.statements import Statement, asked

CASUAL, RUNS, WATCHERS = 6, 2, 30
"""Games of one's own and runs of the day, and how many watch each of either."""
BOARD = f"deal:{DAY}.1"
MAX_CONNECTING = 100
"""How many connect at the same moment: the system keeps 128 connections for a test server until they are accepted."""
ATTEMPTS = re.compile(r"SELECT events.stream, (events.type|count)")
"""Whether one has finished one's own run is asked anew whenever one comes, of those who wait together at once."""
BOARD_TABLES = re.compile(r"\b(totals|buckets|entries)\b")


@dataclass
class Seen:
    """What one who watches knows of a game: its version, and with which sight it has been seen."""

    game: str
    token: str
    sight: str
    version: int = 0


class Watcher:
    """One socket that watches a game, its day and its board, as the page does, and says nothing twice."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.heard: Counter[str] = Counter()
        self._answers = 0
        self._settled = asyncio.Event()
        self._client: BareClient

    async def come(self, port: int, turn: asyncio.Semaphore) -> None:
        """Connect and ask for everything; return when all of it is answered."""
        async with turn:
            self._client = await connect(port, self.seen.token, self._read)
        since = {"since": self.seen.version, "sight": self.seen.sight} if self.seen.version else {}
        self._say(type="subscribe", id="game", game=self.seen.game, **since)
        self._say(type="watch_day", id="day", day=DAY)
        self._say(type="watch_board", id="board", board=BOARD)
        await self._settled.wait()

    async def drop(self) -> None:
        """Be cut off."""
        self._client.close()
        await self._client.closed

    def _say(self, **message: Any) -> None:
        self._client.send(json.encode(message))

    def _read(self, text: bytes) -> None:
        said = json.decode(text)
        self.heard[said["type"]] += 1
        if said.get("game") == self.seen.game or said["type"] == "view":
            self.seen.version = max(self.seen.version, said.get("version", 0))
        self._answers += said.get("id") in ("game", "day", "board")
        if self._answers == 3:
            self._settled.set()


class Storm:
    """Games, and crowds who watch them."""

    def __init__(self, owners: dict[str, Person], seen: list[Seen]) -> None:
        self.owners = owners
        self.seen = seen

    @asynccontextmanager
    async def crowd(self, running_server: RunningServer) -> AsyncIterator[Counter[str]]:
        """Everybody comes at once, and is cut off at the end; what they have heard by kind."""
        watchers = [Watcher(seen) for seen in self.seen]
        port = int(running_server.url.rsplit(":", 1)[1])
        turn = asyncio.Semaphore(MAX_CONNECTING)
        await asyncio.gather(*(watcher.come(port, turn) for watcher in watchers))
        yield sum((watcher.heard for watcher in watchers), Counter[str]())
        await asyncio.gather(*(watcher.drop() for watcher in watchers))

    async def play_on(self, running_server: RunningServer) -> None:
        """A move in every game, while nobody watches."""
        for game, owner in self.owners.items():
            async with replaced(owner, running_server).connect() as playing:
                await playing.play(await playing.request("subscribe", game=game))


def replaced(person: Person, running_server: RunningServer) -> Person:
    """The same person, as a client of this server."""
    here = Person(running_server.url, running_server.session)
    here.id, here.token = person.id, person.token
    return here


async def gather(running_server: RunningServer) -> Storm:
    """Games begun, and those who are to watch them."""
    owners: dict[str, Person] = {}
    seen: list[Seen] = []
    for number in range(CASUAL + RUNS):
        owner = await running_server.guest()
        game = await (owner.deal() if number < CASUAL else owner.enter())
        owners[game] = owner
        for _ in range(WATCHERS):
            watcher = await running_server.guest()
            seen.append(Seen(game, watcher.token, "board" if number < CASUAL else "meter"))
    return Storm(owners, seen)


def reading(statements: list[Statement], *tables: str) -> list[str]:
    """Those that read one of these tables."""
    return [one for one, _ in statements if re.search(rf"FROM ({'|'.join(tables)})\b", one)]


def assert_no_view_and_no_board(heard: Counter[str], statements: list[Statement]) -> None:
    crowd = (CASUAL + RUNS) * WATCHERS
    assert heard["view"] == heard["refused"] == 0
    assert (heard["move_played"], heard["advanced"]) == (CASUAL * WATCHERS, RUNS * WATCHERS)
    assert heard["done"] == 2 * crowd
    assert not [one for one, _ in statements if BOARD_TABLES.search(one)]


async def test_spectators_who_reconnect_at_once_get_missed_messages_from_memory(running_server: RunningServer) -> None:
    storm = await gather(running_server)
    async with storm.crowd(running_server) as heard:
        assert heard["view"] == len(storm.seen)
    await storm.play_on(running_server)
    with asked(running_server.server.database) as statements:
        async with storm.crowd(running_server) as heard:
            assert_no_view_and_no_board(heard, statements)
    assert not [one for one in reading(statements, "events", "deals", "games") if not ATTEMPTS.search(one)]


async def test_after_a_restart_the_log_is_read_once_for_each_game_not_for_each_spectator(database_url: str) -> None:
    settings = replace(TEST_SETTINGS, database_url=database_url)
    async with open_server(settings) as before:
        storm = await gather(before)
        async with storm.crowd(before):
            pass
        await storm.play_on(before)
    async with open_server(settings) as after:
        with asked(after.server.database) as statements:
            async with storm.crowd(after) as heard:
                assert_no_view_and_no_board(heard, statements)
        read = [one for one in reading(statements, "events", "deals", "days", "games") if not ATTEMPTS.search(one)]
        assert CASUAL + RUNS <= len(read) <= 6 * (CASUAL + RUNS)
