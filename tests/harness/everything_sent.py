"""Everything that the server sends to a person: the response of every address, and every socket frame, as bytes."""

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import product
from typing import Any

import aiohttp
from msgspec import json

from cadogan.server.core import dates, ranking
from cadogan.wire.endpoint import API
from cadogan.wire.endpoints import ENDPOINTS
from tests.harness.fixed_server import BEFORE, RACE
from tests.harness.game_steps import DAY
from tests.harness.people import Person
from tests.harness.running_server import RunningServer

Received = list[tuple[str, bytes]]
"""What was requested, and the bytes received; on a socket one entry for each message."""
SAME_FOR_ALL = ("list_rules", "show_rules", "openapi", "asyncapi")
"""Endpoints whose responses do not depend on any game."""
COVERED = ("give_receipt",)
"""Endpoints that tell digests which cover the secret of a deal: they differ with the cards, and tell nobody of them."""
NO_GROUP = "nobodysgroup2222"
"""A group without any member here; only its members receive its data."""
NO_EVENING = "nobodyevening222"
"""An evening that does not exist here."""
NO_SEASON = "1999-W01"
"""A season that does not exist here."""
NEVER_SECONDS = 3600.0
"""Seconds between two periodic updates: so long that only the test triggers them."""


def addresses(games: Sequence[str], players: Sequence[str], rules: str) -> Iterator[str]:
    """Yield every readable address for these games, players and days."""
    boards = [f"deal:{DAY}.1", f"deal:{DAY}.2", *ranking.point_boards(DAY, rules)]
    values = {
        "games": games,
        "players": players,
        "dailies": (DAY, BEFORE, dates.add_days(DAY, 1)),
        "boards": (*boards, ranking.BOTS_PREFIX + boards[0]),
        "races": (RACE,),
        "groups": (NO_GROUP,),
        "evenings": (NO_EVENING,),
        "seasons": (NO_SEASON,),
        "deals": (*games, f"{DAY}.1", f"{DAY}.2"),
        "puzzles": (DAY, BEFORE),
        "house": (*games, DAY),
    }
    for endpoint in ENDPOINTS:
        if endpoint.method != "GET" or endpoint.name in (*SAME_FOR_ALL, *COVERED):
            continue
        path = endpoint.path.removeprefix(API)
        if not endpoint.parameters:
            yield path
            continue
        first, *others = endpoint.parameters
        for value in values[path.split("/")[1]]:
            rest = [
                ("1", "2") if other in ("version", "slot", "round") else values[path.split("/")[1]] for other in others
            ]
            for chosen in product((value,), *rest):
                yield path.format_map(dict(zip((first, *others), chosen, strict=True)))
    yield f"/dailies?before={DAY}"
    for player in players:
        yield f"/boards/deal:{DAY}.1?around={player}"
    yield f"/boards/day:{DAY}?among=friends"


def watches(game: str, rules: str) -> Iterator[dict[str, Any]]:
    """Yield every subscription that a socket can request."""
    yield {"type": "subscribe", "game": game}
    yield {"type": "watch_analysis", "game": game}
    yield {"type": "watch_day", "day": DAY}
    yield {"type": "watch_race", "race": RACE}
    for board in (f"deal:{DAY}.1", *ranking.point_boards(DAY, rules)):
        yield {"type": "watch_board", "board": board}


def commands(game: str, version: int, moves: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield every request about a game that a client can send, allowed or not."""
    for move in (*moves, "no move at all"):
        yield {"type": "play", "game": game, "version": version, "move": move}
    yield {"type": "play", "game": game, "version": version + 1, "move": "deal"}
    yield {"type": "take_back", "game": game, "version": version}
    yield {"type": "resign", "game": game, "version": version - 1}
    yield {"type": "subscribe", "game": game, "since": 1}
    yield {"type": "subscribe", "game": game, "since": version}
    yield {"type": "subscribe", "game": game, "since": 1, "sight": "board"}
    yield {"type": "subscribe", "game": game}
    yield {"type": "watch_analysis", "game": game}
    yield {"type": "ask_if_winnable", "game": game, "version": version}
    yield {"type": "watch_day", "day": DAY}
    yield {"type": "watch_race", "race": RACE}


class SocketListener:
    """A person with an open socket, who stores everything received and can read every address."""

    def __init__(self, running_server: RunningServer, person: Person, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._running_server = running_server
        self._person = person
        self._socket = socket
        self._asked = 0
        self.received: Received = []

    async def read_addresses(self, paths: Iterable[str]) -> None:
        """Read these addresses."""
        for path in paths:
            await self.ask_http("GET", path)

    async def ask_http(self, method: str, path: str, body: Any = None) -> None:
        """Send one HTTP request. Only the first line of a stream is read; the rest equals the socket's messages."""
        url, headers = f"{self._person.url}/api/v1{path}", self._person.headers
        async with self._running_server.session.request(method, url, json=body, headers=headers) as response:
            endless = path.endswith("/stream") and response.status == 200
            said = await response.content.readline() if endless else await response.read()
            self.received.append((f"{method} {path}", b"%d " % response.status + said))

    async def ask(self, **message: Any) -> None:
        """Send a message, and receive all messages that it causes."""
        self._asked += 1
        await self._socket.send_str(json.encode({"id": f"{self._asked}", **message}).decode())
        await self.listen(str(message["type"]))

    async def listen(self, after: str) -> None:
        """Receive all messages sent so far."""
        await publish_everything(self._running_server)
        await self._socket.send_str('{"type":"ping","id":"quiet"}')
        while True:
            said = (await self._socket.receive_str()).encode()
            if said.startswith(b'{"type":"pong"'):
                return
            self.received.append((after, said))


@asynccontextmanager
async def listen_to_socket(running_server: RunningServer, person: Person) -> AsyncIterator[SocketListener]:
    """Yield a person who listens on an open socket."""
    async with running_server.session.ws_connect(f"{person.url}/ws/v1", headers=person.headers) as socket:
        yield SocketListener(running_server, person, socket)


async def publish_everything(running_server: RunningServer) -> None:
    """Let the server publish everything that it would publish at its next intervals."""
    await running_server.server.wait_until_idle()
    running_server.server.flush()
    await running_server.server.wait_until_idle()
