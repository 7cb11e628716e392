"""How long others wait while sockets send far too much, compared with the same moments without them.

    python -m benchmarks.flood_latency --flooders 1 --kind ping --rounds 5

Each round has two halves, one after the other: a quiet one, and one in which the flooders send as fast as the server
takes it, up to 100,000 frames a second in all. In each half a player plays moves at an honest speed, and a newcomer
opens a connection, begins as a guest, deals a game and sees it. Prints the medians of both, and the ratios, flooded
divided by quiet: lower is better, 1 is the best. The server has its default limits; it and each flooder are processes
of their own.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import socket
import statistics
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
from websockets.frames import Frame, Opcode

from benchmarks.temporary_database import temporary_database
from tests.harness.people import Person
from tests.harness.server_process import ServerProcess

FRAMES_PER_SECOND = 100_000
MOVES = 20
SECONDS_BETWEEN_MOVES = 0.1
KINDS = {
    "ping": Frame(Opcode.TEXT, b'{"type":"ping","id":"1"}').serialize(mask=True),
    "garbage": Frame(Opcode.TEXT, b"x").serialize(mask=True),
    "subscribe": Frame(Opcode.TEXT, b'{"type":"subscribe","id":"1","game":"aaaaaaaaaaaaaaaa"}').serialize(mask=True),
    "control": Frame(Opcode.PING, b"x").serialize(mask=True),
    "fragment": Frame(Opcode.CONT, b"", fin=False).serialize(mask=True),
}


def flood(port: int, kind: str, share: int) -> None:
    """Send frames over one socket for ever, and read what is answered; connect again whenever it is closed."""
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
    """Play and take back at an honest speed, and note how long each answer took."""
    async with person.connect(open_timeout=120) as own:
        seen = await own.request("subscribe", game=game)
        for _ in range(MOVES):
            started = time.perf_counter()
            if seen.get("can_take_back"):
                seen = {**seen, **await own.request("take_back", game=game, version=seen["version"])}
            else:
                seen = {**seen, **await own.play({**seen, "game": game})}
            took.append(time.perf_counter() - started)
            await asyncio.sleep(SECONDS_BETWEEN_MOVES)


async def arrive(url: str) -> float:
    """Return how long it takes somebody new to see a game."""
    started = time.perf_counter()
    async with aiohttp.ClientSession() as session:
        person = await Person(url, session).arrive()
        game = await person.deal("olga")
        async with person.connect(open_timeout=120) as own:
            await own.request("subscribe", game=game)
    return time.perf_counter() - started


async def measure(arguments: argparse.Namespace) -> None:
    """Measure, and print the figures."""
    moves: tuple[list[float], list[float]] = ([], [])
    arrivals: tuple[list[float], list[float]] = ([], [])
    with tempfile.TemporaryDirectory() as folder:
        async with (
            temporary_database("sqlite", Path(folder)) as database,
            ServerProcess(database, Path(folder) / "server.log") as server,
            aiohttp.ClientSession() as session,
        ):
            person = await Person(server.url, session).arrive()
            game = await person.deal("olga")
            for _ in range(arguments.rounds):
                for flooded in (False, True):
                    share = FRAMES_PER_SECOND // arguments.flooders
                    flooders = [
                        multiprocessing.Process(
                            target=flood, args=(urlsplit(server.url).port, arguments.kind, share), daemon=True
                        )
                        for _ in range(arguments.flooders if flooded else 0)
                    ]
                    for process in flooders:
                        process.start()
                    await asyncio.sleep(1)  # until the flood is there
                    await play(person, game, moves[flooded])
                    arrivals[flooded].append(await arrive(server.url))
                    for process in flooders:
                        process.kill()
                        process.join()
    for name, (quiet, flooded_ones) in (("move", moves), ("newcomer", arrivals)):
        one, other = statistics.median(quiet) * 1000, statistics.median(flooded_ones) * 1000
        print(f"{name:10} quiet {one:8.1f} ms   flooded {other:8.1f} ms   ratio {other / one:6.2f}")


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flooders", type=int, default=1)
    parser.add_argument("--kind", choices=sorted(KINDS), default="ping")
    parser.add_argument("--rounds", type=int, default=5)
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
