"""The load generator of `benchmarks/load.py`: runs one scenario with many clients, and prints what it measured.

    python -m benchmarks.load_scenarios '{"scenario": "idle", "ports": [8000], "seed": 1, "options": {...}}'

`options` are the arguments of the scenario's function. A line `ready` means that all clients are ready: then the server
can be measured, or killed. A second one marks the end of the scenario. The last line is the `Measurements`, as JSON.
"""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import msgspec
import uvloop

from benchmarks.evening_clients import EveningPlayer, play_round
from benchmarks.guest_client import DEFAULT_GAMES, Guest, create_guest
from benchmarks.load_clients import Measurements, PlayerClient, ReconnectingClient, SocketClient
from benchmarks.load_processes import raise_file_limit
from benchmarks.player_process import GameState

BATCH_SIZE = 50
"""How many clients connect concurrently while a scenario is prepared."""
GAMES_OF_A_GUEST = 50
"""The number of games per guest; the server allows at most 100 unfinished ones."""
LONG_GAME = "maze"
"""A game that random moves hardly ever end."""


class Context:
    """What all scenarios need: the servers' ports, the HTTP session, the measurements, and a random seed."""

    def __init__(self, ports: list[int], http: aiohttp.ClientSession, seed: int) -> None:
        self.ports = ports
        self.http = http
        self.measured = Measurements()
        self.rng = random.Random(seed)
        self._connections = 0

    def next_port(self) -> int:
        """Return the port of the next server (round robin)."""
        self._connections += 1
        return self.ports[self._connections % len(self.ports)]

    async def create_guests(self, count: int) -> list[Guest]:
        """Create guests, on all servers in turn."""
        guests: list[Guest] = []
        while len(guests) < count:
            batch = range(min(BATCH_SIZE, count - len(guests)))
            guests += await asyncio.gather(
                *(create_guest(self.http, f"http://127.0.0.1:{self.next_port()}") for _ in batch)
            )
        return guests

    def report_ready(self) -> None:
        """Print that all clients are ready."""
        print("ready", flush=True)

    def report_end(self, started: float, cpu_before: float) -> None:
        """Print the end of the scenario, which began at `started` with `cpu_before` seconds of processor time used."""
        self.measured.seconds["scenario"] = [time.perf_counter() - started]
        self.measured.seconds["generator cpu"] = [time.process_time() - cpu_before]
        print("ready", flush=True)


async def spectated_games(context: Context, games: int, spectators: int, seconds: float, think_seconds: float) -> None:
    """Play games, each with this many spectators; measure when each spectator receives each move."""
    players: list[tuple[PlayerClient, GameState]] = []
    owners = await context.create_guests(games)
    spectating_guests = await context.create_guests(min(10, spectators))
    clients: list[SocketClient] = []
    for guest in owners:
        rules = LONG_GAME if spectators else context.rng.choice(DEFAULT_GAMES)
        player = PlayerClient(guest, context.measured)
        await player.connect(context.next_port())
        state = await player.subscribe(await guest.start_game(rules, str(context.rng.random())))
        crowd = [
            SocketClient(spectating_guests[number % len(spectating_guests)], context.measured)
            for number in range(spectators)
        ]
        for first in range(0, spectators, BATCH_SIZE):
            batch = crowd[first : first + BATCH_SIZE]
            await asyncio.gather(*(_spectate(client, player, context.next_port()) for client in batch))
        players.append((player, state))
        clients += [player, *crowd]
    context.report_ready()
    started, cpu_before = time.perf_counter(), time.process_time()
    with_rng = [(player, random.Random(context.rng.random())) for player in players]
    await asyncio.gather(
        *(_play_games(player, state, started + seconds, think_seconds, rng) for (player, state), rng in with_rng)
    )
    context.report_end(started, cpu_before)
    await asyncio.gather(*(client.request("ping") for client in clients))  # answered after all earlier messages
    await asyncio.gather(*(client.disconnect() for client in clients))


async def _spectate(client: SocketClient, player: PlayerClient, port: int) -> None:
    await client.connect(port)

    def record(state: GameState, message: bytes) -> None:
        if state.type == "move_played" and state.version in player.sent_at:
            client.measured.record("received", player.sent_at[state.version])

    await client.request("subscribe", game=player.game)
    client.on_message = record


async def _play_games(
    player: PlayerClient, state: GameState, until: float, think_seconds: float, rng: random.Random
) -> None:
    if think_seconds:
        await asyncio.sleep(rng.random() * think_seconds)
    state = await player.play(state, until, think_seconds, rng)
    while time.perf_counter() < until:
        state = await player.subscribe(await player.guest.start_game(rng.choice(DEFAULT_GAMES), str(rng.random())))
        state = await player.play(state, until, think_seconds, rng)


async def day_opening(context: Context, players: int, seconds: float, think_seconds: float) -> None:
    """In the first half of the time, every player arrives, requests the day, starts its deal, and plays."""
    rngs = [random.Random(context.rng.random()) for _ in range(players)]
    context.report_ready()
    started, cpu_before = time.perf_counter(), time.process_time()
    tasks = [asyncio.create_task(_join_day(context, rng, started, seconds, think_seconds)) for rng in rngs]
    clients = await asyncio.gather(*tasks)
    context.report_end(started, cpu_before)
    await asyncio.gather(*(client.disconnect() for client in clients))


async def _join_day(
    context: Context, rng: random.Random, started: float, seconds: float, think_seconds: float
) -> PlayerClient:
    await asyncio.sleep(rng.random() * seconds / 2)
    player, state = await _arrive(context)
    await player.play(state, started + seconds, think_seconds, rng)
    return player


async def arrivals(context: Context, players: int, seconds: float) -> None:
    """In this time, every player arrives, requests the day and receives the cards of its deal."""

    async def come() -> tuple[PlayerClient, GameState]:
        await asyncio.sleep(context.rng.random() * seconds)
        return await _arrive(context)

    context.report_ready()
    started, cpu_before = time.perf_counter(), time.process_time()
    came = await asyncio.gather(*(come() for _ in range(players)))
    context.report_end(started, cpu_before)
    await asyncio.gather(*(client.disconnect() for client, _ in came))


async def _arrive(context: Context) -> tuple[PlayerClient, GameState]:
    came_at, port = time.perf_counter(), context.next_port()
    guest = await create_guest(context.http, f"http://127.0.0.1:{port}")
    player = PlayerClient(guest, context.measured)
    await player.connect(port)
    async with context.http.get(f"{guest.url}/api/v1/dailies/today", raise_for_status=True) as answer:
        day = (await answer.json())["day"]
    await player.request("watch_day", day=day)
    state = await player.subscribe(await guest.enter_daily())
    context.measured.record("first cards", came_at)
    return player, state


async def day_finish(context: Context, players: int, spectators: int) -> None:
    """End all runs of the day at the same moment, while spectators watch the leaderboard."""
    guests = await context.create_guests(players)
    clients = [PlayerClient(guest, context.measured) for guest in guests]
    states: list[GameState] = []
    for first in range(0, players, BATCH_SIZE):
        batch = clients[first : first + BATCH_SIZE]
        states += await asyncio.gather(*(_enter_daily(player, context.next_port(), context.rng) for player in batch))
    async with context.http.get(f"{guests[0].url}/api/v1/dailies/today", raise_for_status=True) as answer:
        board = "deal:" + (await answer.json())["deals"][0]["deal"]
    crowd = [SocketClient(guests[number % players], context.measured) for number in range(spectators)]
    complete = _CompleteBoards(players, spectators)
    for first in range(0, spectators, BATCH_SIZE):
        watching = crowd[first : first + BATCH_SIZE]
        await asyncio.gather(*(_watch_board(client, board, context.next_port(), complete) for client in watching))
    context.report_ready()
    started, cpu_before = time.perf_counter(), time.process_time()
    await asyncio.gather(*(_resign(player, state) for player, state in zip(clients, states, strict=True)))
    context.measured.record("all finishes", started)
    async with asyncio.timeout(60):
        await complete.all_received.wait()
    context.report_end(started, cpu_before)
    await asyncio.gather(*(client.disconnect() for client in [*clients, *crowd]))


class _CompleteBoards:
    """Counts the spectators that have received the leaderboard with all runs."""

    def __init__(self, runs: int, spectators: int) -> None:
        self.runs, self._missing = runs, spectators
        self.all_received = asyncio.Event()
        if not spectators:
            self.all_received.set()

    def count_one(self) -> None:
        """Count one more spectator."""
        self._missing -= 1
        if self._missing == 0:
            self.all_received.set()


async def _enter_daily(player: PlayerClient, port: int, rng: random.Random) -> GameState:
    """Begin the day's first deal and play one move, because a run resigned earlier is on no leaderboard."""
    await player.connect(port)
    state = await player.subscribe(await player.guest.enter_daily())
    return await player.play(state, 0.0, 0.0, rng)


async def _watch_board(client: SocketClient, board: str, port: int, complete: _CompleteBoards) -> None:
    await client.connect(port)

    def check(state: GameState, message: bytes) -> None:
        if state.type == "board_changed" and msgspec.json.decode(message)["total"] >= complete.runs:
            complete.count_one()
            client.on_message = lambda *_: None

    client.on_message = check
    await client.request("watch_board", board=board)


async def _resign(player: PlayerClient, state: GameState) -> None:
    started = time.perf_counter()
    await player.request("resign", game=player.game, version=state.version)
    player.measured.record("finish", started)


async def reconnect(context: Context, spectators: int, games: int, disconnect: bool) -> None:
    """Disconnect all spectators of some games at once, by themselves or by the server, and reconnect them."""
    owners = await context.create_guests(games)
    started_games = [await guest.start_game(LONG_GAME, str(context.rng.random())) for guest in owners]
    guests = await context.create_guests(min(spectators, 500))
    clients = [
        ReconnectingClient(
            guests[number % len(guests)], context.measured, context.ports, started_games[number % games], context.rng
        )
        for number in range(spectators)
    ]
    for first in range(0, spectators, BATCH_SIZE):
        await asyncio.gather(*(client.spectate() for client in clients[first : first + BATCH_SIZE]))
    context.report_ready()
    if disconnect:
        await asyncio.to_thread(sys.stdin.readline)
        for client in clients:
            client.socket.close()
    await clients[0].socket.closed
    started, cpu_before = time.perf_counter(), time.process_time()
    await asyncio.gather(*(client.reconnect(started) for client in clients))
    context.report_end(started, cpu_before)
    await asyncio.gather(*(client.disconnect() for client in clients))


async def idle(context: Context, sockets: int, games: int) -> None:
    """Open idle sockets, then start idle games. Waits for a line of input before each step."""
    guests = await context.create_guests(1 + games // GAMES_OF_A_GUEST)
    owners = [guests[number % len(guests)] for number in range(sockets)]
    clients = [SocketClient(owner, context.measured) for owner in owners]
    for first in range(0, sockets, BATCH_SIZE):
        batch = clients[first : first + BATCH_SIZE]
        await asyncio.gather(*(client.connect(context.next_port()) for client in batch))
    context.report_ready()
    await asyncio.to_thread(sys.stdin.readline)
    for number in range(games):
        place = number % len(clients)
        game = await owners[place].start_game(LONG_GAME, str(number))
        await clients[place].request("subscribe", game=game)
    context.report_ready()
    await asyncio.to_thread(sys.stdin.readline)
    await asyncio.gather(*(client.disconnect() for client in clients))


async def evenings(context: Context, evenings: list[str], players: int, number: int, crowd: int) -> None:
    """Play one round of evenings, each with a crowd of which these are a part; begins after a line of input.

    `number` is that of this load generator: guests of one evening have different names.
    """
    guests = await context.create_guests(players)
    clients = [
        EveningPlayer(guest, context.measured, evenings[place % len(evenings)], crowd, f"{place} of {number}")
        for place, guest in enumerate(guests)
    ]
    for first in range(0, players, BATCH_SIZE):
        await asyncio.gather(*(client.enter(context.next_port()) for client in clients[first : first + BATCH_SIZE]))
    context.report_ready()
    await asyncio.to_thread(sys.stdin.readline)
    opens_at = await clients[-1].opens_at()
    context.report_ready()
    await asyncio.sleep(max(0.0, opens_at - time.time()))
    started, cpu_before = time.perf_counter(), time.process_time()
    await play_round(clients, context.measured, context.rng)
    context.report_end(started, cpu_before)
    await asyncio.gather(*(client.disconnect() for client in clients))


SCENARIOS: dict[str, Callable[..., Awaitable[None]]] = {
    "spectated_games": spectated_games,
    "arrivals": arrivals,
    "day_opening": day_opening,
    "day_finish": day_finish,
    "reconnect": reconnect,
    "idle": idle,
    "evenings": evenings,
}


async def main() -> None:
    """Run the scenario on the command line, and print the measurements."""
    arguments: dict[str, Any] = msgspec.json.decode(sys.argv[1])
    raise_file_limit()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=BATCH_SIZE)) as http:
        context = Context(arguments["ports"], http, arguments["seed"])
        await SCENARIOS[arguments["scenario"]](context, **arguments["options"])
    print(msgspec.json.encode(context.measured).decode(), flush=True)


if __name__ == "__main__":
    uvloop.run(main())
