"""People who play over real sockets: a guest with a token, and its open WebSocket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
from msgspec import json
from websockets.asyncio.client import ClientConnection, connect

from cadogan.wire.codec import decode_server_message
from tests.harness.patience import long

JsonMessage = dict[str, Any]
UNASKED = ("presence", "day_progress", "board_changed", "race", "signs_changed")
"""Message types that arrive at any time, and are skipped unless a test waits for them."""


class PlayerSocket:
    """One open socket. Everything received is checked against the wire contract."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self._ids = 0

    async def send(self, type: str, **keys: Any) -> str:
        """Send a message, by default with a new id; return the id."""
        self._ids += 1
        message = {"type": type, "id": f"{type}-{self._ids}", **keys}
        await self.connection.send(json.encode(message).decode())
        return str(message["id"])

    async def receive(self, *types: str) -> JsonMessage:
        """Return the next message, or the next one of these types; only unsolicited ones are skipped."""
        while True:
            async with asyncio.timeout(long()):
                text = await self.connection.recv()
            decode_server_message(text)
            said: JsonMessage = json.decode(text)
            if said["type"] in types or (not types and said["type"] not in UNASKED):
                return said
            assert said["type"] in UNASKED, f"waiting for {types}, received {said}"

    async def request(self, type: str, **keys: Any) -> JsonMessage:
        """Send a message and return the next response."""
        await self.send(type, **keys)
        return await self.receive()

    async def watch_day(self, day: str) -> JsonMessage:
        """Subscribe to a day; return its full progress."""
        await self.send("watch_day", day=day)
        return await self.receive("day_progress")

    async def play(self, seen: JsonMessage, move: str | None = None, **keys: Any) -> JsonMessage:
        """Play a move, by default the first legal one, in the position `seen`; return the response."""
        game = seen["game"] if isinstance(seen["game"], str) else seen["game"]["id"]
        return await self.request(
            "play", **{"game": game, "version": seen["version"], "move": move or seen["legal"][0], **keys}
        )


class Person:
    """A guest of the server at this address."""

    def __init__(self, url: str, session: aiohttp.ClientSession) -> None:
        self.url = url
        self.session = session
        self.id = ""
        self.token = ""

    async def arrive(self) -> "Person":
        """Create the guest."""
        _, body = await self.post("/session/guest")
        self.id, self.token = body["player"]["id"], body["token"]
        return self

    @property
    def headers(self) -> dict[str, str]:
        """The headers that authenticate the person."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    async def get(self, path: str) -> tuple[int, Any]:
        """Send a GET request; return status and body."""
        async with self.session.get(f"{self.url}/api/v1{path}", headers=self.headers) as response:
            return response.status, await response.json()

    async def post(self, path: str, body: Any = None) -> tuple[int, Any]:
        """Send a POST request; return status and body. Choosing a name changes the token."""
        async with self.session.post(f"{self.url}/api/v1{path}", json=body or {}, headers=self.headers) as response:
            status, answer = response.status, await response.json()
        if path == "/account" and status == 200:
            self.token = answer["token"]
        return status, answer

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Send a request, by default without a body; return status and body."""
        address = f"{self.url}/api/v1{path}"
        async with self.session.request(method, address, json=body, headers=self.headers) as response:
            return response.status, await response.json()

    async def deal(self, rules: str = "klondike") -> str:
        """Deal a casual game; return its id."""
        _, sealed = await self.post("/deals", {"rules": rules})
        status, begun = await self.post("/games", {"deal": sealed["deal"], "nonce": "my own words"})
        assert status == 200, begun
        return str(begun["game"]["id"])

    async def enter(self, day: str = "today", slot: int = 1, practice: bool = False) -> str:
        """Start the person's run of a deal of a day, or a practice run; return its id."""
        status, begun = await self.post(f"/dailies/{day}/deals/{slot}/games", {"practice": practice})
        assert status == 200, begun
        return str(begun["game"]["id"])

    @asynccontextmanager
    async def connect(self, **settings: Any) -> AsyncIterator[PlayerSocket]:
        """Yield an open socket."""
        address = self.url.replace("http", "ws", 1) + "/ws/v1"
        async with connect(address, additional_headers=self.headers, proxy=None, **settings) as connection:
            yield PlayerSocket(connection)
