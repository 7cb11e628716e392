"""Kills a real server in the middle of play, again and again, and remembers what it had acknowledged.

`benchmarks/crash_recovery.py` and `tests/failure/test_kills.py` use it; `benchmarks/log_checker.py` judges what it
remembers.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from benchmarks.guest_client import PLAYED, Guest, guest
from tests.harness.server_process import ServerProcess

GONE = (ConnectionClosed, InvalidHandshake, OSError, aiohttp.ClientError, EOFError)
PAUSE = 0.05
"""Seconds after which who was not let in tries again."""
PATIENCE = 60.0
"""Seconds after which who is still not let in gives the server up."""
ACKNOWLEDGED_BETWEEN_KILLS = range(20, 200)


class Away(Exception):
    """The server's database is away; `again` is in how many seconds one may ask again."""

    def __init__(self, again: float) -> None:
        super().__init__(again)
        self.again = again


@dataclass(frozen=True)
class Command:
    """What a player asked for: the message as it was sent, so that it can be sent again to the letter."""

    id: str
    game: str
    type: str
    version: int
    move: str | None = None

    def text(self) -> str:
        """The message, as JSON."""
        parts: dict[str, Any] = {"type": self.type, "id": self.id, "game": self.game, "version": self.version}
        if self.move is not None:
            parts["move"] = self.move
        return msgspec.json.encode(parts).decode()


@dataclass
class Ledger:
    """What the players know: every command sent, and the version at which each was acknowledged."""

    sent: dict[str, Command] = field(default_factory=dict)
    acknowledged: dict[str, int] = field(default_factory=dict)
    resent: int = 0
    turned_away: int = 0
    contradictions: list[str] = field(default_factory=list)
    _awaited: int = 0
    _reached: asyncio.Event = field(default_factory=asyncio.Event)
    _refused: asyncio.Event = field(default_factory=asyncio.Event)

    def acknowledge(self, command: Command, version: int) -> None:
        """Notes an answer; the same command answered with another version is a contradiction."""
        before = self.acknowledged.setdefault(command.id, version)
        if before != version:
            self.contradictions.append(f"{command} was answered with version {before}, then with {version}")
        if len(self.acknowledged) >= self._awaited:
            self._reached.set()

    def turn_away(self) -> None:
        """Notes that a player was told to ask again later."""
        self.turned_away += 1
        self._refused.set()

    async def turned_away_again(self) -> None:
        """Returns once a player has been told to ask again later."""
        self._refused.clear()
        await self._refused.wait()

    async def more(self, count: int) -> None:
        """Returns once `count` more commands have been acknowledged."""
        self._awaited = len(self.acknowledged) + count
        self._reached.clear()
        await self._reached.wait()


class Player:
    """Plays at random through every restart of the server: today's challenge first, then one casual game after another.

    A command whose answer the kill swallowed is sent again, with the same id, on the next connection. Now and then a
    command is sent twice on purpose; both answers must agree. In the end the game under way is resigned.
    """

    def __init__(self, name: str, seat: Guest, ledger: Ledger, seed: float) -> None:
        self._name, self._seat, self._ledger = name, seat, ledger
        self._random = random.Random(seed)
        self._game: str | None = None
        self._entered = False
        self._unanswered: Command | None = None
        self._outside_since: float | None = None

    async def play(self, up: asyncio.Event, enough: asyncio.Event) -> None:
        """Plays while the server is `up`, until there is `enough` and no game is left open.

        Raises what the connection raised when the server, though up, will not have this player for `PATIENCE` seconds,
        and AssertionError when it refuses a command that it has to accept.
        """
        while not enough.is_set() or self._game is not None:
            await up.wait()
            try:
                await self._session(enough)
            except Away as away:
                self._ledger.turn_away()
                await asyncio.sleep(away.again)
            except GONE:
                now = time.monotonic()
                self._outside_since = self._outside_since or now if up.is_set() else None
                if self._outside_since is not None and now > self._outside_since + PATIENCE:
                    raise
                await asyncio.sleep(PAUSE)

    async def _session(self, enough: asyncio.Event) -> None:
        if self._game is None:
            self._game = await (
                self._seat.begin(self._random.choice(PLAYED), self._name) if self._entered else self._seat.enter()
            )
            self._entered = True
        address = self._seat.url.replace("http", "ws") + "/ws/v1"
        async with connect(address, additional_headers={"Authorization": f"Bearer {self._seat.token}"}) as socket:
            await socket.send(f'{{"type":"subscribe","id":"subscribe","game":"{self._game}"}}')
            table = await _next(socket, "view")
            self._outside_since = None
            if self._unanswered is not None:
                self._ledger.resent += 1
                table = await self._ask(socket, self._unanswered)
            while _is_open(table):
                table = await self._ask(socket, self._choose(table, resign=enough.is_set()))
            self._game = None

    def _choose(self, table: dict[str, Any], resign: bool) -> Command:
        game, version = self._game, table["version"]
        assert game is not None
        identity = f"{self._name}-{len(self._ledger.sent)}"
        legal = table.get("legal")
        if resign or not legal or self._random.random() < 0.01:
            return Command(identity, game, "resign", version)
        if table.get("can_take_back") and self._random.random() < 0.1:
            return Command(identity, game, "take_back", version)
        return Command(identity, game, "play", version, self._random.choice(legal))

    async def _ask(self, socket: ClientConnection, command: Command) -> dict[str, Any]:
        self._unanswered = self._ledger.sent[command.id] = command
        times = 2 if self._random.random() < 0.05 else 1
        for _ in range(times):
            await socket.send(command.text())
        for _ in range(times):
            answer = await _answer(socket, command.id)
            self._ledger.acknowledge(command, answer["version"])
        self._unanswered = None
        return answer


@dataclass
class Outcome:
    """What happened while the server was killed `kills` times: the players' ledger, and how long each restart took."""

    kills: int
    ledger: Ledger
    restart_seconds: list[float]

    @property
    def restart_median(self) -> float:
        """Seconds from starting the process to its being ready again."""
        return statistics.median(self.restart_seconds)


async def play_and_kill(server: ServerProcess, kills: int, players: int, seed: int) -> Outcome:
    """Starts the server, lets `players` play, kills it `kills` times, and stops it when all have their answers."""
    dice = random.Random(seed)
    outcome = Outcome(kills, Ledger(), [])
    up, enough = asyncio.Event(), asyncio.Event()
    async with server, aiohttp.ClientSession() as http:
        seats = [await guest(http, server.url) for _ in range(players)]
        up.set()
        async with asyncio.TaskGroup() as group:
            for number, seat in enumerate(seats):
                group.create_task(Player(f"player{number}", seat, outcome.ledger, dice.random()).play(up, enough))
            for _ in range(kills):
                await outcome.ledger.more(dice.choice(ACKNOWLEDGED_BETWEEN_KILLS))
                up.clear()
                server.kill()
                began = time.perf_counter()
                await server.start()
                outcome.restart_seconds.append(time.perf_counter() - began)
                up.set()
            await outcome.ledger.more(dice.choice(ACKNOWLEDGED_BETWEEN_KILLS))
            enough.set()
        assert server.stop() == 0
    return outcome


def _is_open(table: dict[str, Any]) -> bool:
    """Whether the game goes on: with nothing to play and nothing to take back it is lost, and says so by itself."""
    status = table.get("status")
    return status == "playing" or (status == "stuck" and table.get("can_take_back", False))


async def _next(socket: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = msgspec.json.decode(await socket.recv())
        if message["type"] == kind:
            return message
        if message["type"] == "refused":
            raise _refused(message)


async def _answer(socket: ClientConnection, command: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = msgspec.json.decode(await socket.recv())
        if message["type"] == "refused":
            raise _refused(message)
        if message.get("command") == command:
            return message


def _refused(message: dict[str, Any]) -> Exception:
    return Away(message["retry_after"]) if message["code"] == "unavailable" else AssertionError(message)
