"""Conversations over the socket, each from one side: what is said and heard is kept, frame by frame.

`python -m tests.wire.record_transcripts` writes those that have no file yet to `tests/wire/transcripts`. A file is a
conversation as it once was, and stays: clients of its day speak so still.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from msgspec import json
from websockets.asyncio.client import ClientConnection

from tests.harness import databases
from tests.harness.people import Person, PlayerSocket
from tests.harness.race_actions import game_of, race_of
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server

FOLDER = Path(__file__).parent / "transcripts"
SAID, HEARD = "> ", "< "
"""What a line of a transcript begins with: a client's frame, a server's frame."""
DAY = "2026-11-20"

Lines = list[str]


class Kept:
    """A socket that keeps what goes over it."""

    def __init__(self, connection: ClientConnection, lines: Lines) -> None:
        self._connection = connection
        self._lines = lines

    async def send(self, frame: str) -> None:
        """Send a frame."""
        self._lines.append(SAID + frame)
        await self._connection.send(frame)

    async def recv(self) -> str:
        """The next frame."""
        frame = str(await self._connection.recv())
        self._lines.append(HEARD + frame)
        return frame


@asynccontextmanager
async def kept(person: Person, lines: Lines) -> AsyncIterator[PlayerSocket]:
    """An open socket of this person's, of which everything is kept."""
    async with person.connect() as player_socket:
        player_socket.connection = cast(ClientConnection, Kept(player_socket.connection, lines))
        yield player_socket


async def a_game_of_ones_own(running_server: RunningServer, lines: Lines) -> None:
    """Play, be refused, take back, give up; and say something that nobody understands."""
    ann = await running_server.guest()
    game = await ann.deal()
    async with kept(ann, lines) as player_socket:
        seen = await player_socket.request("subscribe", game=game)
        played = await player_socket.play(seen, "deal")
        await player_socket.request("play", game=game, version=played["version"], move="waste/stock")
        await player_socket.request("play", game=game, version=1, move="deal")
        await player_socket.request("play", game=game, version=played["version"], move="no move")
        await player_socket.request("play", game=game, version=played["version"], move="no-move")
        back = await player_socket.request("take_back", game=game, version=played["version"])
        await player_socket.request("take_back", game=game, version=back["version"])
        await player_socket.request("ping")
        await player_socket.request("resign", game=game, version=back["version"])
        await player_socket.receive("deal_revealed")
        await player_socket.request("unsubscribe", game=game)
        await player_socket.request("play", game=game, version=back["version"] + 2, move="deal")


async def watching_and_coming_back(running_server: RunningServer, lines: Lines) -> None:
    """Watch somebody's game, and come back to what was missed."""
    ann, bob = await running_server.guest(), await running_server.guest()
    await bob.post("/account", {"name": "Bob", "password": "eight red queens"})
    game = await ann.deal()
    async with ann.connect() as playing, kept(bob, lines) as watching:
        await watching.request("subscribe", game=game)
        await watching.receive("presence")
        seen = await playing.play(await playing.request("subscribe", game=game), "deal")
        await watching.receive("move_played")
        await watching.request("play", game=game, version=seen["version"], move="deal")
        await watching.request("unsubscribe", game=game)
        await playing.play({**seen, "game": game}, "deal")
        await watching.send("subscribe", game=game, since=seen["version"])
        await watching.receive("move_played")
        await watching.receive("done")
        await watching.request("subscribe", game="nothing")


async def a_day_and_its_board(running_server: RunningServer, lines: Lines) -> None:
    """See of another's run how far it is, ask to be shown the deal, and see the run come on the board."""
    ann, bob = await running_server.guest(), await running_server.guest()
    theirs, own = await ann.enter(), await bob.enter()
    async with ann.connect() as playing, kept(bob, lines) as player_socket:
        await player_socket.watch_day(DAY)
        await player_socket.request("watch_board", board=f"day:{DAY}")
        seen = await player_socket.request("subscribe", game=theirs)
        await playing.request("resign", game=theirs, version=seen["version"])
        await player_socket.receive("advanced")
        await player_socket.receive("board_changed")
        await player_socket.request("unsubscribe", game=theirs)
        mine = await player_socket.request("subscribe", game=own)
        await bob.post("/dailies/today/deals/1/spoil")
        assert (await player_socket.receive("challenge_spoiled"))["version"] == mine["version"] + 1
        await player_socket.request("unwatch_board", board=f"day:{DAY}")
        await player_socket.request("unwatch_day", day=DAY)


async def a_race(running_server: RunningServer, lines: Lines) -> None:
    """Race somebody, to the end."""
    ann, bob = await running_server.guest(), await running_server.guest()
    race = await race_of(ann, bob, start=False, rules="klondike")
    async with kept(ann, lines) as player_socket, bob.connect() as other:
        await player_socket.send("watch_race", race=race["race"])
        await player_socket.receive("race")
        await ann.post(f"/races/{race['race']}/start")
        started = await player_socket.receive("race")
        running_server.clock.at = started["starts_at"]
        running = (await ann.get(f"/races/{race['race']}"))[1]
        await other.request("resign", game=game_of(running, bob), version=1)
        view = await player_socket.request("subscribe", game=game_of(running, ann))
        await player_socket.play(view, "deal")
        await player_socket.request("resign", game=view["game"]["id"], version=2)
        while (await player_socket.receive("race"))["state"] != "over":
            pass
        await player_socket.request("unwatch_race", race=race["race"])


Conversation = Callable[[RunningServer, Lines], Awaitable[None]]
CONVERSATIONS: dict[str, Conversation] = {
    one.__name__.replace("_", "-"): one
    for one in (a_game_of_ones_own, watching_and_coming_back, a_day_and_its_board, a_race)
}


def read(name: str) -> list[tuple[str, Any]]:
    """A transcript's frames, each as which side sent it and its decoded JSON."""
    lines = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    return [(line[:2], json.decode(line[2:])) for line in lines]


async def write() -> None:
    """Hold every conversation that has no file yet, and write it down."""
    for name, conversation in CONVERSATIONS.items():
        if (FOLDER / f"{name}.txt").exists():
            continue
        lines: Lines = []
        with tempfile.TemporaryDirectory() as folder, databases.sqlite(Path(folder)) as url:
            await databases.migrate(url)
            async for running_server in open_server(replace(TEST_SETTINGS, database_url=url)):
                await conversation(running_server, lines)
        (FOLDER / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(write())
