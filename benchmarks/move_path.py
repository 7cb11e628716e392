"""The files that a move enters: traces one move of a casual game with one spectator, over SQLite.

    python -m benchmarks.move_path

Prints each file of this repository in the order of first entry, their number, and how often a call goes from one file
to another; then the same without the rules (`engine/`), whose calls differ from deal to deal; and last the files and
calls of a request for a leaderboard. Lower figures mean that a path is easier to follow.
"""

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from aiohttp import ClientWebSocketResponse

from benchmarks.temporary_database import temporary_database
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server

ROOT = f"{Path(__file__).parents[1]}{os.sep}"
LEFT_OUT = ("tests", "benchmarks", ".venv")
RULES = f"cadogan{os.sep}engine{os.sep}"
WARM_UP_MOVES = 3
QUIET_SECONDS = 1.2
"""Wait time after the last presence message; presence is sent once a second."""


class Tracer:
    """Records the file of every function call, in every thread, while it is `on`."""

    def __init__(self) -> None:
        self.on = False
        self.calls: list[str] = []

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if self.on and event == "call" and file.startswith(ROOT):
            file = file.removeprefix(ROOT)
            if not file.startswith(LEFT_OUT):
                self.calls.append(file)


def count_path(calls: Sequence[str]) -> str:
    """Return how many files were entered, and how many calls were in another file than the call before."""
    changes = sum(1 for before, after in zip(["", *calls], calls, strict=False) if before != after)
    return f"{len(set(calls))} files, {changes} changes of file"


@asynccontextmanager
async def tracing(tracer: Tracer) -> AsyncIterator[None]:
    """Trace this thread and threads started meanwhile."""
    threading.setprofile(tracer)
    sys.setprofile(tracer)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


async def trace() -> tuple[list[str], list[str]]:
    """Return the files of the calls that a watched move makes, and of those that a request for a leaderboard makes."""
    tracer = Tracer()
    with TemporaryDirectory() as folder:
        async with (
            tracing(tracer),
            temporary_database("sqlite", Path(folder)) as url,
            open_server(replace(TEST_SETTINGS, database_url=url)) as server,
        ):
            player, spectator = await server.guest(), await server.guest()
            await _play(tracer, server, player, spectator)
            of_move, tracer.calls = tracer.calls, []
            for tracer.on in (False, True):
                await player.get("/boards/all")
            tracer.on = False
    return of_move, tracer.calls


async def _play(tracer: Tracer, server: RunningServer, player: Person, spectator: Person) -> None:
    game = await player.deal()
    address = f"{server.url}/ws/v1"
    async with (
        server.session.ws_connect(address, headers=player.headers) as playing,
        server.session.ws_connect(address, headers=spectator.headers) as watching,
    ):
        for socket in (playing, watching):
            await _request(socket, {"type": "subscribe", "id": "s", "game": game}, "view")
        for version in range(1, WARM_UP_MOVES + 2):
            move = {"type": "play", "id": f"{version}", "game": game, "version": version, "move": "deal"}
            if version > WARM_UP_MOVES:
                await asyncio.sleep(QUIET_SECONDS)
                tracer.on = True
            await _request(playing, move, "move_played")
            await _receive(watching, "move_played")
        tracer.on = False


async def _request(socket: ClientWebSocketResponse, message: dict[str, Any], answer: str) -> None:
    await socket.send_json(message)
    await _receive(socket, answer)


async def _receive(socket: ClientWebSocketResponse, kind: str) -> None:
    while (await socket.receive_json())["type"] != kind:
        pass


def main() -> None:
    """Trace one move and one request, and print what they entered."""
    of_move, of_board = asyncio.run(trace())
    print("\n".join(dict.fromkeys(of_move)))
    print("a watched move:", count_path(of_move))
    print("without the rules:", count_path([call for call in of_move if not call.startswith(RULES)]))
    print("a leaderboard:", count_path(of_board))


if __name__ == "__main__":
    main()
