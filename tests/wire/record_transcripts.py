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
from tests.harness.people import Person, Talk
from tests.harness.race_actions import game_of, race_of
from tests.harness.running_server import UNHURRIED, House, open_house

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
async def kept(person: Person, lines: Lines) -> AsyncIterator[Talk]:
    """An open socket of this person's, of which everything is kept."""
    async with person.talk() as talk:
        talk.connection = cast(ClientConnection, Kept(talk.connection, lines))
        yield talk


async def a_game_of_ones_own(house: House, lines: Lines) -> None:
    """Play, be refused, take back, give up; and say something that nobody understands."""
    ann = await house.guest()
    game = await ann.deal()
    async with kept(ann, lines) as talk:
        seen = await talk.ask("subscribe", game=game)
        played = await talk.play(seen, "deal")
        await talk.ask("play", game=game, version=played["version"], move="waste/stock")
        await talk.ask("play", game=game, version=1, move="deal")
        await talk.ask("play", game=game, version=played["version"], move="no move")
        await talk.ask("play", game=game, version=played["version"], move="no-move")
        back = await talk.ask("take_back", game=game, version=played["version"])
        await talk.ask("take_back", game=game, version=back["version"])
        await talk.ask("ping")
        await talk.ask("resign", game=game, version=back["version"])
        await talk.hear("deal_revealed")
        await talk.ask("unsubscribe", game=game)
        await talk.ask("play", game=game, version=back["version"] + 2, move="deal")


async def watching_and_coming_back(house: House, lines: Lines) -> None:
    """Watch somebody's game, and come back to what was missed."""
    ann, bob = await house.guest(), await house.guest()
    await bob.post("/account", {"name": "Bob", "password": "eight red queens"})
    game = await ann.deal()
    async with ann.talk() as playing, kept(bob, lines) as watching:
        await watching.ask("subscribe", game=game)
        await watching.hear("presence")
        seen = await playing.play(await playing.ask("subscribe", game=game), "deal")
        await watching.hear("move_played")
        await watching.ask("play", game=game, version=seen["version"], move="deal")
        await watching.ask("unsubscribe", game=game)
        await playing.play({**seen, "game": game}, "deal")
        await watching.say("subscribe", game=game, since=seen["version"])
        await watching.hear("move_played")
        await watching.hear("done")
        await watching.ask("subscribe", game="nothing")


async def a_day_and_its_board(house: House, lines: Lines) -> None:
    """See of another's run how far it is, ask to be shown the deal, and see the run come on the board."""
    ann, bob = await house.guest(), await house.guest()
    theirs, own = await ann.enter(), await bob.enter()
    async with ann.talk() as playing, kept(bob, lines) as talk:
        await talk.ask_for_day(DAY)
        await talk.ask("watch_board", board=f"day:{DAY}")
        seen = await talk.ask("subscribe", game=theirs)
        await playing.ask("resign", game=theirs, version=seen["version"])
        await talk.hear("advanced")
        await talk.hear("board_changed")
        await talk.ask("unsubscribe", game=theirs)
        mine = await talk.ask("subscribe", game=own)
        await bob.post("/dailies/today/deals/1/spoil")
        assert (await talk.hear("challenge_spoiled"))["version"] == mine["version"] + 1
        await talk.ask("unwatch_board", board=f"day:{DAY}")
        await talk.ask("unwatch_day", day=DAY)


async def a_race(house: House, lines: Lines) -> None:
    """Race somebody, to the end."""
    ann, bob = await house.guest(), await house.guest()
    race = await race_of(ann, bob, start=False, rules="klondike")
    async with kept(ann, lines) as talk, bob.talk() as other:
        await talk.say("watch_race", race=race["race"])
        await talk.hear("race")
        await ann.post(f"/races/{race['race']}/start")
        started = await talk.hear("race")
        house.clock.at = started["starts_at"]
        running = (await ann.get(f"/races/{race['race']}"))[1]
        await other.ask("resign", game=game_of(running, bob), version=1)
        view = await talk.ask("subscribe", game=game_of(running, ann))
        await talk.play(view, "deal")
        await talk.ask("resign", game=view["game"]["id"], version=2)
        while (await talk.hear("race"))["state"] != "over":
            pass
        await talk.ask("unwatch_race", race=race["race"])


Conversation = Callable[[House, Lines], Awaitable[None]]
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
            async for house in open_house(replace(UNHURRIED, database_url=url)):
                await conversation(house, lines)
        (FOLDER / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(write())
