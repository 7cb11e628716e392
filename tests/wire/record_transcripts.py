"""Record transcripts of the socket from the side of one client, frame by frame.

`python -m tests.wire.record_transcripts` writes those that have no file yet to `tests/wire/transcripts`. A transcript
is never changed: clients of its time still send these messages.
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
from tests.harness.race_actions import game_in_race, make_race
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server

FOLDER = Path(__file__).parent / "transcripts"
SENT, RECEIVED = "> ", "< "
"""How the line of a frame begins: one of the client, one of the server."""
DAY = "2026-11-20"

Lines = list[str]


class RecordedConnection:
    """A socket that records its frames."""

    def __init__(self, connection: ClientConnection, lines: Lines) -> None:
        self._connection = connection
        self._lines = lines

    async def send(self, frame: str) -> None:
        """Send a frame."""
        self._lines.append(SENT + frame)
        await self._connection.send(frame)

    async def recv(self) -> str:
        """Receive and return the next frame."""
        frame = str(await self._connection.recv())
        self._lines.append(RECEIVED + frame)
        return frame


@asynccontextmanager
async def recorded(person: Person, lines: Lines) -> AsyncIterator[PlayerSocket]:
    """Open a socket of a person and record its frames."""
    async with person.connect() as player_socket:
        player_socket.connection = cast(ClientConnection, RecordedConnection(player_socket.connection, lines))
        yield player_socket


async def a_game_of_ones_own(running_server: RunningServer, lines: Lines) -> None:
    """Play, be refused, take back and resign; and send a message that the server cannot read."""
    ann = await running_server.guest()
    game = await ann.deal()
    async with recorded(ann, lines) as player_socket:
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
    """Watch another player's game, and subscribe again to the messages that were missed."""
    ann, bob = await running_server.guest(), await running_server.guest()
    await bob.post("/account", {"name": "Bob", "password": "eight red queens"})
    game = await ann.deal()
    async with ann.connect() as playing, recorded(bob, lines) as watching:
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
    """Watch the progress of another run, ask to see the deal, and see the run on the leaderboard."""
    ann, bob = await running_server.guest(), await running_server.guest()
    theirs, own = await ann.enter(), await bob.enter()
    async with ann.connect() as playing:
        await playing.play(await playing.request("subscribe", game=theirs))  # else the run would be on no leaderboard
    async with ann.connect() as playing, recorded(bob, lines) as player_socket:
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


async def asking_for_hints(running_server: RunningServer, lines: Lines) -> None:
    """Ask for a hint in a casual game, in an old position, in somebody else's game, and in a ranked game."""
    ann, bob = await running_server.guest(), await running_server.guest()
    game, theirs, ranked = await ann.deal(), await bob.deal(), await ann.enter()
    async with recorded(ann, lines) as player_socket:
        seen = await player_socket.request("subscribe", game=game)
        await player_socket.request("ask_for_hint", game=game, version=seen["version"])
        await player_socket.play(seen, "deal")
        await player_socket.request("ask_for_hint", game=game, version=seen["version"])
        await player_socket.request("ask_for_hint", game=theirs, version=1)
        await player_socket.request("ask_for_hint", game=ranked, version=1)


async def asking_where_a_game_was_lost(running_server: RunningServer, lines: Lines) -> None:
    """Ask whether one's own game, somebody else's and a ranked one can be won; watch the analysis of a finished one."""
    ann, bob = await running_server.guest(), await running_server.guest()
    game, theirs, ranked = await ann.deal(), await bob.deal(), await ann.enter()
    async with recorded(ann, lines) as player_socket:
        seen = await player_socket.request("subscribe", game=game)
        await player_socket.request("ask_if_winnable", game=game, version=seen["version"])
        await player_socket.request("ask_if_winnable", game=theirs, version=1)
        await player_socket.request("ask_if_winnable", game=ranked, version=1)
        await player_socket.request("watch_analysis", game=game)
        await player_socket.request("resign", game=game, version=seen["version"])
        await player_socket.receive("deal_revealed")
        await player_socket.request("watch_analysis", game=game)
        await ann.post(f"/games/{game}/analysis")
        await player_socket.receive("analysis_changed")
        await player_socket.request("unwatch_analysis", game=game)


async def a_group_that_talks(running_server: RunningServer, lines: Lines) -> None:
    """Be told nothing of a group of others; in an own one, what was written and removed."""
    ann = await running_server.guest()
    await ann.post("/account", {"name": "Ann", "password": "eight red queens"})
    _, group = await ann.post("/groups", {"name": "The snug"})
    messages = f"/groups/{group['id']}/messages"
    await ann.ask("PUT", f"/groups/{group['id']}/talk", {"on": True})
    async with recorded(ann, lines) as player_socket:
        await player_socket.request("watch_talk", group="aaaaaaaaaaaaaaaa")
        await player_socket.request("watch_talk", group=group["id"])
        _, written = await ann.post(messages, {"text": "Who is there on Thursday?"})
        await player_socket.receive("talk")
        await ann.ask("DELETE", f"{messages}/{written['id']}")
        await player_socket.receive("talk")
        await player_socket.request("unwatch_talk", group=group["id"])


async def signs_before_a_race(running_server: RunningServer, lines: Lines) -> None:
    """Wait for a race to begin, and be told of the signs that the players give each other meanwhile."""
    ann, bob = await running_server.guest(), await running_server.guest()
    race = (await make_race(ann, bob, start=False))["race"]
    async with recorded(ann, lines) as player_socket:
        await player_socket.send("watch_race", race=race)
        await player_socket.receive("race")
        await bob.ask("PUT", f"/races/{race}/signs/mine", {"sign": "good_luck"})
        await player_socket.receive("signs_changed")
        await player_socket.request("unwatch_race", race=race)


async def a_race(running_server: RunningServer, lines: Lines) -> None:
    """Race another player to the end."""
    ann, bob = await running_server.guest(), await running_server.guest()
    race = await make_race(ann, bob, start=False, rules="klondike")
    async with recorded(ann, lines) as player_socket, bob.connect() as other:
        await player_socket.send("watch_race", race=race["race"])
        await player_socket.receive("race")
        await ann.post(f"/races/{race['race']}/start")
        started = await player_socket.receive("race")
        running_server.clock.at = started["starts_at"]
        running = (await ann.get(f"/races/{race['race']}"))[1]
        await other.request("resign", game=game_in_race(running, bob), version=1)
        view = await player_socket.request("subscribe", game=game_in_race(running, ann))
        await player_socket.play(view, "deal")
        await player_socket.request("resign", game=view["game"]["id"], version=2)
        while (await player_socket.receive("race"))["state"] != "over":
            pass
        await player_socket.request("unwatch_race", race=race["race"])


Scenario = Callable[[RunningServer, Lines], Awaitable[None]]
SCENARIOS: dict[str, Scenario] = {
    one.__name__.replace("_", "-"): one
    for one in (
        a_game_of_ones_own,
        watching_and_coming_back,
        a_day_and_its_board,
        asking_for_hints,
        asking_where_a_game_was_lost,
        a_group_that_talks,
        signs_before_a_race,
        a_race,
    )
}


def read_transcript(name: str) -> list[tuple[str, Any]]:
    """Return the frames of a transcript, each with its direction and its decoded JSON."""
    lines = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    return [(line[:2], json.decode(line[2:])) for line in lines]


async def write() -> None:
    """Run every scenario that has no transcript yet, and write its transcript."""
    for name, scenario in SCENARIOS.items():
        if (FOLDER / f"{name}.txt").exists():
            continue
        lines: Lines = []
        with tempfile.TemporaryDirectory() as folder, databases.sqlite(Path(folder)) as url:
            await databases.migrate(url)
            async with open_server(replace(TEST_SETTINGS, database_url=url)) as running_server:
                await scenario(running_server, lines)
        (FOLDER / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(write())
