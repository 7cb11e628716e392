"""Kills a real server repeatedly while random players use it, and records what the server acknowledged.

`benchmarks/crash_recovery.py` and the tests in `tests/failure` use it. `benchmarks/log_checker.py` compares the record
with the event log.
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

from benchmarks.guest_client import DEFAULT_GAMES, Guest, create_guest
from tests.harness.server_process import ServerProcess

DISCONNECTED = (ConnectionClosed, InvalidHandshake, OSError, aiohttp.ClientError, EOFError)
RETRY_SECONDS = 0.05
"""The pause of a player who could not connect, before the next attempt."""
GIVE_UP_SECONDS = 60.0
"""A player gives up after this time without a connection to a running server."""
ACKNOWLEDGED_BETWEEN_KILLS = range(20, 200)


class DatabaseUnavailable(Exception):
    """The server cannot reach its database. `retry_after` is in seconds."""

    def __init__(self, retry_after: float) -> None:
        super().__init__(retry_after)
        self.retry_after = retry_after


@dataclass(frozen=True)
class Command:
    """A player's command, with everything needed to send exactly the same message again."""

    id: str
    game: str
    type: str
    version: int
    move: str | None = None

    @property
    def player(self) -> str:
        """The name of the player who sends it."""
        return self.id.rpartition("-")[0]

    def text(self) -> str:
        """Return the message as JSON."""
        parts: dict[str, Any] = {"type": self.type, "id": self.id, "game": self.game, "version": self.version}
        if self.move is not None:
            parts["move"] = self.move
        return msgspec.json.encode(parts).decode()


@dataclass
class CommandHistory:
    """What the players know: every command that was sent, and the version of its acknowledgement."""

    sent: dict[str, Command] = field(default_factory=dict)
    acknowledged: dict[str, int] = field(default_factory=dict)
    resent_count: int = 0
    refused_count: int = 0
    contradictions: list[str] = field(default_factory=list)
    _awaited: int = 0
    _reached: asyncio.Event = field(default_factory=asyncio.Event)
    _refused: asyncio.Event = field(default_factory=asyncio.Event)

    def acknowledge(self, command: Command, version: int) -> None:
        """Record an acknowledgement. A second one for the same command with another version is a contradiction."""
        before = self.acknowledged.setdefault(command.id, version)
        if before != version:
            self.contradictions.append(f"{command} was answered with version {before}, then with {version}")
        if len(self.acknowledged) >= self._awaited:
            self._reached.set()

    def note_refusal(self) -> None:
        """Record that a player was refused because the database is unavailable."""
        self.refused_count += 1
        self._refused.set()

    def games_now(self) -> list[str]:
        """Return the latest game of each player."""
        return list({command.player: command.game for command in self.sent.values()}.values())

    async def wait_for_refusal(self) -> None:
        """Wait until a player is refused because the database is unavailable."""
        self._refused.clear()
        await self._refused.wait()

    async def wait_for_acknowledged(self, count: int) -> None:
        """Wait until `count` more commands are acknowledged."""
        self._awaited = len(self.acknowledged) + count
        self._reached.clear()
        await self._reached.wait()


class RandomPlayer:
    """Plays random moves, and continues after every restart of the server: first today's deal, then casual games.

    If a kill prevents the response to a command, the player sends the same command again on the next connection. Some
    commands are sent twice on purpose; both responses must be equal. At the end the player resigns the current game.
    """

    def __init__(self, name: str, guest: Guest, history: CommandHistory, seed: float) -> None:
        self._name, self._guest, self._history = name, guest, history
        self._random = random.Random(seed)
        self._game: str | None = None
        self._has_entered_daily = False
        self._unanswered: Command | None = None
        self._disconnected_since: float | None = None

    async def play(self, server_is_up: asyncio.Event, stop: asyncio.Event) -> None:
        """Play while `server_is_up` is set. Return when `stop` is set and the current game is over.

        Raises the connection's error if the running server cannot be reached for `GIVE_UP_SECONDS`, and AssertionError
        if it refuses a valid command.
        """
        while not stop.is_set() or self._game is not None:
            await server_is_up.wait()
            try:
                await self._play_on_one_connection(stop)
            except DatabaseUnavailable as refusal:
                self._history.note_refusal()
                await asyncio.sleep(refusal.retry_after)
            except DISCONNECTED:
                now = time.monotonic()
                self._disconnected_since = self._disconnected_since or now if server_is_up.is_set() else None
                if self._disconnected_since is not None and now > self._disconnected_since + GIVE_UP_SECONDS:
                    raise
                await asyncio.sleep(RETRY_SECONDS)

    async def _play_on_one_connection(self, stop: asyncio.Event) -> None:
        if self._game is None:
            self._game = await self._start_game()
        address = self._guest.url.replace("http", "ws") + "/ws/v1"
        async with connect(address, additional_headers={"Authorization": f"Bearer {self._guest.token}"}) as socket:
            await socket.send(f'{{"type":"subscribe","id":"subscribe","game":"{self._game}"}}')
            state = await _receive(socket, "view")
            self._disconnected_since = None
            if self._unanswered is not None:
                self._history.resent_count += 1
                state = await self._request(socket, self._unanswered)
            while _can_continue(state):
                state = await self._request(socket, self._choose(state, resign=stop.is_set()))
            self._game = None

    async def _start_game(self) -> str:
        if self._has_entered_daily:
            return await self._guest.start_game(self._random.choice(DEFAULT_GAMES), self._name)
        game = await self._guest.enter_daily()
        self._has_entered_daily = True
        return game

    def _choose(self, state: dict[str, Any], resign: bool) -> Command:
        game, version = self._game, state["version"]
        assert game is not None
        command_id = f"{self._name}-{len(self._history.sent)}"
        legal = state.get("legal")
        if resign or not legal or self._random.random() < 0.01:
            return Command(command_id, game, "resign", version)
        if state.get("can_take_back") and self._random.random() < 0.1:
            return Command(command_id, game, "take_back", version)
        return Command(command_id, game, "play", version, self._random.choice(legal))

    async def _request(self, socket: ClientConnection, command: Command) -> dict[str, Any]:
        self._unanswered = self._history.sent[command.id] = command
        times = 2 if self._random.random() < 0.05 else 1
        for _ in range(times):
            await socket.send(command.text())
        for _ in range(times):
            answer = await _receive_answer(socket, command.id)
            self._history.acknowledge(command, answer["version"])
        self._unanswered = None
        return answer


@dataclass
class KillOutcome:
    """The result of a run with kills: the players' history, and the time of each restart."""

    history: CommandHistory
    restart_seconds: list[float]

    @property
    def median_restart_seconds(self) -> float:
        """The median time from the start of a process until the server is ready."""
        return statistics.median(self.restart_seconds)


async def play_and_kill(server: ServerProcess, kills: int, players: int, seed: int) -> KillOutcome:
    """Start the server with `players` playing, kill it `kills` times, and stop it when all commands are answered."""
    rng = random.Random(seed)
    outcome = KillOutcome(CommandHistory(), [])
    server_is_up, stop = asyncio.Event(), asyncio.Event()
    async with server, aiohttp.ClientSession() as http:
        guests = [await create_guest(http, server.url) for _ in range(players)]
        server_is_up.set()
        async with asyncio.TaskGroup() as group:
            for number, guest in enumerate(guests):
                player = RandomPlayer(f"player{number}", guest, outcome.history, rng.random())
                group.create_task(player.play(server_is_up, stop))
            for _ in range(kills):
                await outcome.history.wait_for_acknowledged(rng.choice(ACKNOWLEDGED_BETWEEN_KILLS))
                server_is_up.clear()
                server.kill()
                started = time.perf_counter()
                await server.start()
                outcome.restart_seconds.append(time.perf_counter() - started)
                server_is_up.set()
            await outcome.history.wait_for_acknowledged(rng.choice(ACKNOWLEDGED_BETWEEN_KILLS))
            stop.set()
        assert server.stop() == 0
    return outcome


def _can_continue(state: dict[str, Any]) -> bool:
    """Return whether a move or a take-back is possible. Otherwise the server ends the game as lost."""
    status = state.get("status")
    return status == "playing" or (status == "stuck" and state.get("can_take_back", False))


async def _receive(socket: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = msgspec.json.decode(await socket.recv())
        if message["type"] == kind:
            return message
        if message["type"] == "refused":
            raise _refusal(message)


async def _receive_answer(socket: ClientConnection, command: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = msgspec.json.decode(await socket.recv())
        if message["type"] == "refused":
            raise _refusal(message)
        if message.get("command") == command:
            return message


def _refusal(message: dict[str, Any]) -> Exception:
    return DatabaseUnavailable(message["retry_after"]) if message["code"] == "unavailable" else AssertionError(message)
