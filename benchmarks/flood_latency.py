"""Latency for other players while sockets flood the server, compared with periods without a flood.

    python -m benchmarks.flood_latency --flooders 1 --kind ping --rounds 5

Each round has two halves: a quiet one, and one in which the flooders send as fast as the server accepts, up to 100,000
frames a second in all. In each half a player plays moves at a normal speed, and a newcomer opens a connection, starts
as a guest, deals a game and receives it. Prints the medians of both, and the ratios, flooded divided by quiet: lower is
better, 1 is the best; and the 99th percentiles. The server has its default limits; it and each flooder are separate
processes.

    python -m benchmarks.flood_latency --kind evening --before ../older/.venv/bin/cadogan

The worst attack by one member: everything in `benchmarks.hostile_evening` at once, from one address; the same is run
alternately against the server of an older version. Mails go to a real server that discards them. The limits for other
players are a ratio of medians of ten, and a 99th percentile of 200 ms; it prints whether they hold.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import socket
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Sink
from websockets.frames import Frame, Opcode

from benchmarks.hostile_evening import spend_evening
from tests.harness.people import Person
from tests.harness.server_process import COMMAND, ServerProcess, free_port

FRAMES_PER_SECOND = 100_000
MOVES = 20
SECONDS_BETWEEN_MOVES = 0.1
MOST_SECONDS = 10.0
"""The timeout for moves and newcomers."""
MAX_RATIO, MAX_MILLISECONDS = 10, 200
"""The limits for other players: the ratio of the medians, and the 99th percentile."""
KINDS = {
    "ping": Frame(Opcode.TEXT, b'{"type":"ping","id":"1"}').serialize(mask=True),
    "garbage": Frame(Opcode.TEXT, b"x").serialize(mask=True),
    "subscribe": Frame(Opcode.TEXT, b'{"type":"subscribe","id":"1","game":"aaaaaaaaaaaaaaaa"}').serialize(mask=True),
    "control": Frame(Opcode.PING, b"x").serialize(mask=True),
    "fragment": Frame(Opcode.CONT, b"", fin=False).serialize(mask=True),
}
EVENING = "evening"
"""One hostile member, from one separate address, with all attacks of `benchmarks.hostile_evening`."""


def flood(port: int, kind: str, share: int) -> None:
    """Send frames over one socket endlessly, and read the responses; reconnect whenever it is closed."""
    burst = KINDS[kind] * (share // 100)
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.sendall(
                    b"GET /ws/v1 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
                )
                connection.recv(4096)
                if kind == "fragment":
                    connection.sendall(Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True))
                connection.setblocking(False)
                _send_for_ever(connection, burst)
        except OSError:
            time.sleep(0.1)


def _send_for_ever(connection: socket.socket, burst: bytes) -> None:
    left = b""
    while True:
        started = time.monotonic()
        left = left or burst
        with suppress(BlockingIOError):
            left = left[connection.send(left) :]
        try:
            if not connection.recv(1 << 20):
                return
        except BlockingIOError:
            pass
        time.sleep(max(0.0, started + 0.01 - time.monotonic()))


async def play(person: Person, game: str, took: list[float]) -> None:
    """Play and take back at a normal speed, and record the latency of each response, until the time is over."""
    async with bounded(took), person.connect(open_timeout=120) as own:
        seen = await own.request("subscribe", game=game)
        for _ in range(MOVES):
            started = time.perf_counter()
            if seen.get("can_take_back"):
                seen = {**seen, **await own.request("take_back", game=game, version=seen["version"])}
            else:
                seen = {**seen, **await own.play({**seen, "game": game})}
            took.append(time.perf_counter() - started)
            await asyncio.sleep(SECONDS_BETWEEN_MOVES)


@asynccontextmanager
async def bounded(took: list[float]) -> AsyncIterator[None]:
    """Stop waiting after `MOST_SECONDS`, and record that time if there is no other measurement."""
    before = len(took)
    try:
        async with asyncio.timeout(MOST_SECONDS):
            yield
    except TimeoutError:
        if len(took) == before:
            took.append(MOST_SECONDS)


async def arrive(url: str, took: list[float]) -> None:
    """Record the time until a newcomer sees a game."""
    started = time.perf_counter()
    async with bounded(took), aiohttp.ClientSession() as session:
        person = await Person(url, session).arrive()
        game = await person.deal("olga")
        async with person.connect(open_timeout=120) as own:
            await own.request("subscribe", game=game)
        took.append(time.perf_counter() - started)


class Waits:
    """Latencies for others at one server: `quiet`, and during the flood."""

    def __init__(self) -> None:
        self.moves: tuple[list[float], list[float]] = ([], [])
        self.arrivals: tuple[list[float], list[float]] = ([], [])

    def show(self, server: str) -> None:
        """Print the medians and their ratio, the 99th percentiles, and whether both are within the limits."""
        for name, latencies in (("move", self.moves), ("newcomer", self.arrivals)):
            medians = [statistics.median(one) * 1000 for one in latencies]
            slowest = [sorted(one)[-1 - len(one) // 100] * 1000 for one in latencies]
            is_good = medians[1] <= MAX_RATIO * medians[0] and slowest[1] <= MAX_MILLISECONDS
            verdict = "within bounds" if is_good else "out of bounds"
            print(f"{server:7}{name:10} median {_compare(*medians)}   99th percentile {_compare(*slowest)}   {verdict}")


def _compare(quiet: float, flooded: float) -> str:
    return f"quiet {quiet:8.1f} ms   flooded {flooded:8.1f} ms   ratio {flooded / quiet:6.2f}"


async def measure_round(arguments: argparse.Namespace, person: Person, game: str, latencies: Waits) -> None:
    """Measure the two halves of a round at the server of this person."""
    port = urlsplit(person.url).port
    for flooded in (False, True):
        share = FRAMES_PER_SECOND // arguments.flooders
        attack = (spend_evening, (port,)) if arguments.kind == EVENING else (flood, (port, arguments.kind, share))
        flooders = [
            multiprocessing.Process(target=attack[0], args=attack[1], daemon=True)
            for _ in range(arguments.flooders if flooded else 0)
        ]
        for process in flooders:
            process.start()
        await asyncio.sleep(1)  # until the flood has started
        await play(person, game, latencies.moves[flooded])
        await arrive(person.url, latencies.arrivals[flooded])
        for process in flooders:
            process.kill()
            process.join()


async def measure(arguments: argparse.Namespace) -> None:
    """Measure, and print the figures."""
    commands = {"before": arguments.before, "now": COMMAND} if arguments.before else {"now": COMMAND}
    async with AsyncExitStack() as stack:
        sink = Controller(Sink(), hostname="127.0.0.1", port=free_port())
        sink.start()
        stack.callback(sink.stop)
        outside = {
            "CADOGAN_SMTP_URL": f"smtp://127.0.0.1:{sink.port}",
            "CADOGAN_MAIL_FROM": "club@mail.example",
            "CADOGAN_NOTIFICATIONS_INSIDE": "true",
        }
        session = await stack.enter_async_context(aiohttp.ClientSession())
        players: dict[str, tuple[Person, str, Waits]] = {}
        for name, command in commands.items():
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            database = f"sqlite:///{folder / 'cadogan.db'}"
            environment = os.environ | {"CADOGAN_DATABASE_URL": database}
            migration = await asyncio.create_subprocess_exec(command, "migrate", env=environment)
            assert await migration.wait() == 0
            server = ServerProcess(database, folder / "server.log", outside, serve=(command, "serve"))
            await stack.enter_async_context(server)
            person = await Person(server.url, session).arrive()
            players[name] = (person, await person.deal("olga"), Waits())
        for _ in range(arguments.rounds):
            for person, game, latencies in players.values():
                await measure_round(arguments, person, game, latencies)
    for name, (_, _, latencies) in players.items():
        latencies.show(name)


def main() -> None:
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flooders", type=int, default=1)
    parser.add_argument("--kind", choices=sorted([*KINDS, EVENING]), default="ping")
    parser.add_argument("--before", help="the command `cadogan` of an older version, to measure it in the same rounds")
    parser.add_argument("--rounds", type=int, default=5)
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
