"""Hostile clients: whatever one of them does costs it its own socket, bounded memory, and nobody else anything."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp
import pytest
from aiohttp.test_utils import TestServer
from websockets.frames import Opcode

from cadogan.server.config import Settings
from cadogan.server.core.live.connection import Channel
from cadogan.server.core.live.hub import game_topic
from cadogan.server.web_app import make_app
from cadogan.wire.codec import MAX_CLIENT_FRAME_BYTES
from tests.harness.forked_server import ForkedServer
from tests.harness.patience import soon
from tests.harness.people import Person, PlayerSocket
from tests.harness.raw_client import connect_raw, connect_raw_socket, masked, noise
from tests.harness.running_server import RunningServer
from tests.harness.server_process import COMMAND, NO_RATE_LIMIT, ServerProcess

ROOM = 64 << 20
"""Bytes by which a server may grow under attack."""


@pytest.fixture
async def server(sqlite_url: str, tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A server in a process of its own, without limits of speed."""
    async with ForkedServer(sqlite_url, tmp_path / "server.log", NO_RATE_LIMIT) as server:
        yield server


def memory(server: ServerProcess) -> int:
    """Bytes that a server holds in memory."""
    pages = int(Path(f"/proc/{server.pid}/statm").read_text().split()[1])
    return pages * 4096


async def unread(server: ServerProcess) -> None:
    """Two dozen ask for megabytes of answers and read none."""
    async with AsyncExitStack() as stack:
        deaf = [await stack.enter_async_context(connect_raw_socket(server.url, deaf=True)) for _ in range(24)]
        question = masked(Opcode.TEXT, b'{"type":"ping","id":"%s"}' % (b"x" * 64))
        for client in deaf:
            client.send(question * 40_000)
        await asyncio.sleep(1)  # for so long the server is under attack


async def flood(server: ServerProcess) -> None:
    """Eight send what cannot be read, as fast as it is taken."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connect_raw_socket(server.url)) for _ in range(8)]
        for client in clients:
            client.send(masked(Opcode.TEXT, b"no json") * 5_000)
        for client in clients:
            for _ in range(5_000):
                assert b"bad_message" in await client.receive_message()


async def four_thousand_subscriptions(server: ServerProcess) -> None:
    """One asks for thousands of games, days, boards and races that there are not."""
    async with connect_raw_socket(server.url) as client:
        for number in range(1_000):
            client.send_text(f'{{"type":"subscribe","id":"1","game":"{number:016}"}}')
            client.send_text(f'{{"type":"watch_day","id":"1","day":"{number + 1:04}-01-01"}}')
            client.send_text(f'{{"type":"watch_board","id":"1","board":"board-{number}"}}')
            client.send_text(f'{{"type":"watch_race","id":"1","race":"{number:016}"}}')
        for _ in range(4_000):
            assert b'"refused"' in await client.receive_message()


async def thousands_of_idle_ones(server: ServerProcess) -> None:
    """Two thousand open a connection, half of them a socket, and never say a word."""
    async with AsyncExitStack() as stack:
        for _ in range(1_000):
            await stack.enter_async_context(connect_raw(server.url))
            await stack.enter_async_context(connect_raw_socket(server.url))


async def half_of_everything(server: ServerProcess) -> None:
    """Two hundred send half a head or half a body, and wait."""
    head = (
        b"POST /api/v1/session HTTP/1.1\r\nHost: [::1]\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n"
    )
    async with AsyncExitStack() as stack:
        for half in (head, head + b"\r\n" + b"[" * 50_000):
            for _ in range(100):
                (await stack.enter_async_context(connect_raw(server.url))).send(half)
        await asyncio.sleep(1)  # for so long the server is under attack


async def giants(server: ServerProcess) -> None:
    """Some announce frames of many gigabytes and begin to send them, or never end a message.

    What they send is read at once: an answer that crosses unread bytes may be lost with the connection.
    """
    endless = masked(Opcode.TEXT, b"x" * 4_000, fin=False) + masked(Opcode.CONT, b"x" * 4_000, fin=False) * 3
    announced = bytes((0x81, 0xFF)) + (1 << 40).to_bytes(8) + bytes(4) + b"x" * 10_000
    for frames in (endless, announced, masked(Opcode.TEXT, b"x" * (MAX_CLIENT_FRAME_BYTES + 1))):
        async with connect_raw_socket(server.url) as client:
            client.send(frames)
            assert await client.close_code() == 1009


async def garbage(server: ServerProcess) -> None:
    """Some send noise, before the handshake and after it."""
    for _ in range(50):
        async with connect_raw(server.url) as client:
            client.send(noise(4_000) + b"\r\n\r\n")
            assert (await client.ended()).startswith((b"HTTP/1.0 400", b"HTTP/1.1 400"))
        async with connect_raw_socket(server.url) as client:
            client.send(b"\xff" + noise(4_000))
            assert await client.close_code() == 1002


VILLAINS: list[Callable[[ServerProcess], Awaitable[None]]] = [
    unread,
    flood,
    four_thousand_subscriptions,
    thousands_of_idle_ones,
    half_of_everything,
    giants,
    garbage,
]


@pytest.mark.parametrize("villain", VILLAINS)
async def test_a_player_beside_hostile_clients_is_answered_and_the_server_stays_small(
    server: ServerProcess, villain: Callable[[ServerProcess], Awaitable[None]]
) -> None:
    async with aiohttp.ClientSession() as session:
        ann = await Person(server.url, session).arrive()
        game = await ann.deal("olga")
        async with ann.connect() as player_socket:
            seen = await player_socket.request("subscribe", game=game)
            before = memory(server)
            attack = asyncio.ensure_future(villain(server))
            moves = 0
            while not attack.done() or moves < 5:
                moves += 1
                seen = {**seen, **await asyncio.wait_for(move(player_socket, seen, game), soon())}
            await attack
            assert memory(server) - before < ROOM


async def move(player_socket: PlayerSocket, seen: dict[str, object], game: str) -> dict[str, object]:
    """Play a move there and back again."""
    if seen.get("can_take_back"):
        return await player_socket.request("take_back", game=game, version=seen["version"])
    return await player_socket.play({**seen, "game": game})


async def test_a_server_accepts_as_many_sockets_as_the_system_allows(sqlite_url: str, tmp_path: Path) -> None:
    few = ("sh", "-c", f"ulimit -S -n 64; exec {COMMAND} serve")
    async with ServerProcess(sqlite_url, tmp_path / "server.log", serve=few) as server, AsyncExitStack() as stack:
        for _ in range(100):
            await stack.enter_async_context(connect_raw_socket(server.url))


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        (masked(Opcode.TEXT, b"\xff\xfe"), 1007),
        (masked(Opcode.TEXT, b"{}", fin=False) + masked(Opcode.TEXT, b"{}"), 1002),
        (bytes((0x89, 0xFE, 0, 126)) + bytes(4 + 126), 1002),
        (bytes((0xC1, 0x80)) + bytes(4), 1002),
        (bytes((0x83, 0x80)) + bytes(4), 1002),
        (masked(Opcode.CLOSE, b"x"), 1002),
    ],
    ids=["no UTF-8", "a text within a text", "a long ping", "a reserved bit", "no such opcode", "half a code"],
)
async def test_a_frame_that_breaks_the_protocol_closes_the_socket_with_its_code(
    sqlite_server: RunningServer, frames: bytes, code: int
) -> None:
    async with connect_raw_socket(sqlite_server.url) as client:
        client.send(frames)
        assert await client.close_code() == code


async def test_one_socket_can_subscribe_to_a_limited_number_of_games(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.http.websocket.MAX_SUBSCRIPTIONS", 3)
    ann = await sqlite_server.guest()
    games = [await ann.deal() for _ in range(4)]
    async with ann.connect() as player_socket:
        for game in games[:-1]:
            assert (await player_socket.request("subscribe", game=game))["type"] == "view"
        assert (await player_socket.request("subscribe", game=games[-1]))["code"] == "too_many"
        assert (await player_socket.request("unsubscribe", game=games[0]))["type"] == "done"
        assert (await player_socket.request("subscribe", game=games[-1]))["type"] == "view"


async def until_gone(running_server: RunningServer) -> None:
    """Wait until the server has let go of every socket."""
    async with asyncio.timeout(soon()), running_server.stranger().connect() as player_socket:
        while len(running_server.server.sockets) > 1:
            await player_socket.request("ping")


async def test_a_half_open_socket_is_detected(sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cadogan.server.http.websocket.HEARTBEAT_SECONDS", 0.2)
    async with connect_raw_socket(sqlite_server.url) as client:
        assert await client.receive_frame() == (Opcode.PING, b"")
        assert await client.close_code() is None
        await until_gone(sqlite_server)


async def test_a_client_that_never_reads_is_disconnected(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.core.live.connection.DRAIN_TIMEOUT_SECONDS", 0.2)
    async with connect_raw_socket(sqlite_server.url, deaf=True) as client:
        client.send(masked(Opcode.TEXT, b'{"type":"ping","id":"%s"}' % (b"x" * 64)) * 100_000)
        await until_gone(sqlite_server)


def watched(running_server: RunningServer, game: str) -> list[Channel]:
    """Those who follow a game."""
    return list(running_server.server.hub.subscribers(game_topic(game)).by_access_level.values())


async def test_a_silent_spectator_that_never_reads_leaves_nothing_behind(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.http.websocket.HEARTBEAT_SECONDS", 1.0)
    monkeypatch.setattr("cadogan.server.core.live.connection.CLOSE_TIMEOUT_SECONDS", 0.1)
    game = await (await sqlite_server.guest()).deal()
    async with connect_raw_socket(sqlite_server.url, deaf=True) as client:
        client.send_text(f'{{"type":"subscribe","id":"1","game":"{game}"}}')
        assert b'"view"' in await client.receive_message()
        ((viewer, *_),) = [list(channel.viewers) for channel in watched(sqlite_server, game) if channel.viewers]
        more = noise(60_000)
        for _ in range(1_000):
            viewer.push(more)
        assert viewer.is_behind
        await until_gone(sqlite_server)
        assert viewer.is_gone
        assert len(await client.ended()) < 16 << 20  # it ends, though nothing was read of it


@pytest.mark.parametrize("head", [b"", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "], ids=["none", "half"])
async def test_a_request_head_that_never_ends_times_out(sqlite_url: str, head: bytes) -> None:
    server = TestServer(make_app(Settings(database_url=sqlite_url)))
    await server.start_server(keepalive_timeout=0.2)
    async with connect_raw(str(server.make_url("")).rstrip("/")) as client:
        client.send(head)
        assert await client.ended() == b""
    await server.close()


@pytest.mark.parametrize("path", ["/api/v1/session", "/witness/add-checkpoint"])
async def test_a_body_that_does_not_arrive_times_out(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr("cadogan.server.core.web.requests.BODY_TIMEOUT_SECONDS", 0.1)
    head = f"POST {path} HTTP/1.1\r\nHost: {sqlite_server.url[7:]}\r\nContent-Type: application/json\r\n"
    async with connect_raw(sqlite_server.url) as client:
        client.send(head.encode() + b'Content-Length: 1000\r\n\r\n{"name":')
        answer = await asyncio.wait_for(client.reader.readuntil(b"}"), soon())
        assert answer.startswith(b"HTTP/1.1 400 ")
        assert b"bad_message" in answer
