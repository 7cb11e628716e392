"""Floods: who sends too much waits, is closed if it goes on, and costs others nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial

import pytest
from websockets.frames import Frame, Opcode

from cadogan.server.config import Settings
from cadogan.server.core.rate_limits import AddressLimit
from cadogan.server.http.frame_gate import MAX_UNANSWERED
from cadogan.server.subjects.games.spectating import MAX_OWN_VIEWERS
from tests.harness.patience import soon
from tests.harness.raw_client import RawClient, connect_raw, connect_raw_socket, masked
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server

PING = masked(Opcode.TEXT, b'{"type":"ping","id":"1"}')
FRAMES = {
    "messages": PING,
    "unreadable messages": masked(Opcode.TEXT, b"x"),
    "binary messages": masked(Opcode.BINARY, b"x"),
    "pings": masked(Opcode.PING, b"x"),
    "pongs": masked(Opcode.PONG, b""),
    "fragments": masked(Opcode.CONT, b"", fin=False),
    "large messages": masked(Opcode.TEXT, b"x" * 8192),
}
RATE, BURST = 50, 20


@pytest.fixture
async def limited_server(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningServer]:
    """A server with limits that a test reaches soon."""
    monkeypatch.setattr(Settings, "sockets", 22)
    async with open_server(Settings(database_url=sqlite_url, rate=RATE, burst=BURST)) as one:
        yield one


def floods(running_server: RunningServer, then: str) -> float:
    """How often a socket had to wait, or was closed, because it sent too much."""
    found = running_server.server.metrics.registry.get_sample_value("cadogan_floods_total", {"then": then})
    return found or 0.0


async def send_for_ever(client: RawClient, frames: bytes) -> None:
    """Send as fast as it is taken."""
    while True:
        client.send(frames)
        await client.writer.drain()


async def test_messages_past_the_limit_wait_for_their_turn_and_each_is_answered(limited_server: RunningServer) -> None:
    async with connect_raw_socket(limited_server.url) as client:
        started = asyncio.get_running_loop().time()
        client.send(PING * (BURST + RATE // 2))
        for _ in range(BURST + RATE // 2):
            assert b'"pong"' in await client.receive_message()
        assert asyncio.get_running_loop().time() - started >= 0.4
    assert floods(limited_server, "paused") > 0
    assert floods(limited_server, "closed") == 0


async def test_a_socket_that_goes_on_sending_too_much_is_not_read_and_then_closed_with_a_reason(
    limited_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.http.frame_gate.BACKLOG_SECONDS", 0.3)
    async with limited_server.stranger().connect() as other:
        for kind, one in FRAMES.items():
            async with connect_raw_socket(limited_server.url) as client:
                if kind == "fragments":
                    client.send(masked(Opcode.TEXT, b"", fin=False))
                flood = asyncio.ensure_future(send_for_ever(client, one * (200_000 // len(one))))
                answers, last = 0, (0, b"")
                while last[0] != Opcode.CLOSE:
                    last = await client.receive_frame()
                    answers += 1
                    assert (await other.request("ping"))["type"] == "pong"
                assert last[1] == (1008).to_bytes(2) + b"too many messages: wait for the answers", kind
                assert answers <= BURST + RATE * 5
                flood.cancel()
    assert floods(limited_server, "closed") == len(FRAMES)


async def test_a_client_that_sends_as_many_messages_as_may_be_unanswered_can_send_more(
    sqlite_server: RunningServer,
) -> None:
    async with connect_raw_socket(sqlite_server.url) as client:
        for _ in range(3):
            client.send(PING * MAX_UNANSWERED)  # in one piece, so that nothing waits at the gate behind them
            for _ in range(MAX_UNANSWERED):
                assert b'"pong"' in await client.receive_message()


async def test_a_client_that_waits_for_its_answers_is_slowed_down_and_never_closed(
    limited_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.http.frame_gate.BACKLOG_SECONDS", 0.0)
    async with limited_server.stranger().connect() as socket:
        for _ in range(BURST + RATE):
            assert (await socket.request("ping"))["type"] == "pong"
    assert floods(limited_server, "closed") == 0


async def test_a_newcomer_is_served_while_twenty_sockets_of_one_address_flood(limited_server: RunningServer) -> None:
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connect_raw_socket(limited_server.url)) for _ in range(20)]
        flooding = [asyncio.ensure_future(send_for_ever(client, PING * 5_000)) for client in clients]
        async with asyncio.timeout(soon()), limited_server.stranger().connect() as other:
            while floods(limited_server, "paused") < 20:
                await other.request("ping")
            ann = await limited_server.guest()
            async with ann.connect() as socket:
                assert (await socket.request("subscribe", game=await ann.deal()))["type"] == "view"
        for one in flooding:
            one.cancel()


async def test_one_address_has_a_limited_number_of_sockets_and_streams(limited_server: RunningServer) -> None:
    ann = await limited_server.guest()
    game = await ann.deal()
    async with AsyncExitStack() as stack:
        for _ in range(21):
            await stack.enter_async_context(connect_raw_socket(limited_server.url))
        async with ann.session.get(f"{ann.url}/api/v1/games/{game}/stream") as stream:
            assert stream.status == 200
            async with connect_raw(limited_server.url) as client:
                with pytest.raises(AssertionError, match="429"):
                    await client.shake_hands(limited_server.url.removeprefix("http://"))
            status, answer = await ann.get(f"/games/{game}/stream")
            assert (status, answer["code"]) == (429, "too_many")
            assert (await ann.get(f"/games/{game}"))[0] == 200
    async with asyncio.timeout(soon()):
        while (await ann.get(f"/games/{'a' * 16}/stream"))[0] == 429:
            pass
    async with connect_raw_socket(limited_server.url):
        pass


async def test_a_player_follows_the_own_game_over_a_limited_number_of_sockets_and_streams(
    sqlite_server: RunningServer,
) -> None:
    ann = await sqlite_server.guest()
    game = await ann.deal()
    async with AsyncExitStack() as stack:
        own = [await stack.enter_async_context(ann.connect()) for _ in range(MAX_OWN_VIEWERS + 1)]
        for socket in own[:-1]:
            assert (await socket.request("subscribe", game=game))["sight"] == "seat"
        for since in ({}, {"since": 1}):
            assert (await own[-1].request("subscribe", game=game, **since))["code"] == "too_many"
            assert (await own[0].request("subscribe", game=game, **since))["type"] in ("view", "done")
        assert (await ann.get(f"/games/{game}/stream"))[1]["code"] == "too_many"
        async with sqlite_server.stranger().connect() as spectator:
            assert (await spectator.request("subscribe", game=game))["sight"] == "board"
        assert (await own[0].request("unsubscribe", game=game))["type"] == "done"
        assert (await own[-1].request("subscribe", game=game))["sight"] == "seat"


@pytest.mark.parametrize("before", [b"", PING], ids=["at first", "after a masked one"])
async def test_an_unmasked_frame_closes_the_socket(limited_server: RunningServer, before: bytes) -> None:
    async with connect_raw_socket(limited_server.url) as client:
        client.send(before + Frame(Opcode.TEXT, b'{"type":"ping","id":"2"}').serialize(mask=False))
        opcode, payload = await client.receive_frame()
        if before:
            assert b'"id":"1"' in payload
            opcode, payload = await client.receive_frame()
        assert (opcode, payload) == (Opcode.CLOSE, (1002).to_bytes(2) + b"the frames of a client are masked")


@pytest.mark.parametrize("early", [PING, PING[:7], b"\x81"], ids=["a frame", "a part of one", "a byte"])
async def test_what_is_sent_before_the_handshake_is_answered_cannot_hide_frames(
    limited_server: RunningServer, early: bytes
) -> None:
    host = limited_server.url.removeprefix("http://")
    head = (
        f"GET /ws/v1 HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    async with connect_raw(limited_server.url) as client:
        client.send(head.encode() + early)
        await asyncio.wait_for(client.reader.readuntil(b"\r\n\r\n"), soon())
        client.send(PING * 5)
        assert await client.close_code() in (1002, 1007)


async def test_one_address_can_send_a_limited_number_of_requests(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.core.rate_limits.AddressLimit", partial(AddressLimit, clock=lambda: 0.0))
    async with open_server(Settings(database_url=sqlite_url, rate=1, burst=1)) as running_server:
        one = running_server.stranger()
        answers = [await one.get("/session") for _ in range(26)]
        assert [status for status, _ in answers] == [200] * 25 + [429]
        assert (answers[-1][1]["code"], answers[-1][1]["retry_after"]) == ("rate_limited", 0.041)
        async with one.session.get(f"{one.url}/healthz") as response:
            assert response.status == 200


async def test_requests_past_the_limit_are_refused_slowly_and_files_wait_for_their_turn(sqlite_url: str) -> None:
    async with open_server(Settings(database_url=sqlite_url, rate=1, burst=1)) as running_server:
        one, loop = running_server.stranger(), asyncio.get_running_loop()
        started = loop.time()
        answers = await asyncio.gather(*(one.get("/session") for _ in range(50)))
        statuses = [status for status, _ in answers]
        assert statuses.count(200) >= 25
        assert loop.time() - started >= statuses.count(429) * 0.09 > 0

        started = loop.time()
        for _ in range(105):
            async with one.session.get(f"{one.url}/healthz") as response:
                assert response.status == 200
        assert loop.time() - started >= 4 / 25


async def test_whoever_sends_a_body_slowly_holds_up_nobody(sqlite_url: str) -> None:
    async with open_server(Settings(database_url=sqlite_url, rate=1)) as running_server:
        host = running_server.url.removeprefix("http://")
        head = f"POST /api/v1/session HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
        async with connect_raw(running_server.url) as slow, asyncio.timeout(soon()):
            slow.send(head.encode() + b"Content-Length: 2\r\n\r\n{")
            assert (await running_server.stranger().get("/rules/klondike"))[0] == 200
            slow.send(b"}")
            assert b" 400 " in await slow.reader.readline()
            assert (await running_server.stranger().get("/rules/klondike"))[0] == 200


async def test_a_large_answer_costs_as_much_as_it_is_large(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cadogan.server.core.rate_limits.AddressLimit", partial(AddressLimit, clock=lambda: 0.0))
    async with open_server(Settings(database_url=sqlite_url, rate=1, burst=1)) as running_server:
        one = running_server.stranger()
        assert [(await one.get("/openapi.json"))[0] for _ in range(2)] == [200, 429]


async def test_views_and_legal_moves_that_a_socket_asks_for_come_more_slowly(
    limited_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.core.rate_limits.BYTES_PER_TOKEN", 20)
    ann, loop = await limited_server.guest(), asyncio.get_running_loop()
    game = await ann.deal()
    async with ann.connect() as socket, ann.connect() as second:
        started = loop.time()
        seen = await socket.request("subscribe", game=game)
        assert (await second.request("subscribe", game=game))["type"] == "view"
        await socket.request("ping")
        assert loop.time() - started >= 0.1
        started = loop.time()
        seen = await socket.play(seen)
        seen = await socket.play({**seen, "game": game})
        await socket.request("ping")
        assert loop.time() - started >= 0.3


async def test_the_same_view_again_costs_far_more_and_what_came_since_then_does_not(
    limited_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.core.rate_limits.BYTES_PER_TOKEN", 400)
    ann, loop = await limited_server.guest(), asyncio.get_running_loop()
    game, seconds = await ann.deal(), dict[bool, float]()
    for knows in (False, True):
        async with ann.connect() as socket:
            view = await socket.request("subscribe", game=game)
            asked = {"game": game, "since": view["version"]} if knows else {"game": game}
            started = loop.time()
            for _ in range(3):
                await socket.request("unsubscribe", game=game)
                assert (await socket.request("subscribe", **asked))["type"] == ("done" if knows else "view")
            seconds[knows] = loop.time() - started
    assert seconds[True] < seconds[False] >= 0.3


async def test_spectators_of_an_address_that_are_sent_too_much_get_a_fresh_view_in_place_of_every_move(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.core.rate_limits.PUSHES_OF_AN_ADDRESS", 1e-6)
    settings = replace(TEST_SETTINGS, database_url=sqlite_url, rate=40_000_000)  # 40 tokens a second, and 1 at once
    async with open_server(settings) as running_server:
        ann, moves = await running_server.guest(), 40
        game = await ann.deal()
        async with ann.connect() as own, running_server.stranger().connect() as spectator:
            seen, last = await own.request("subscribe", game=game), await spectator.request("subscribe", game=game)
            for _ in range(moves // 2):
                played = await own.play({**seen, "game": game}, "deal")
                seen = await own.request("take_back", game=game, version=played["version"])
            assert seen["version"] == moves + 1
            received = 0
            while last["version"] < moves + 1:
                message = await spectator.receive()
                assert message["type"] == "view" or message["version"] == last["version"] + 1
                last, received = message, received + 1
            assert received < moves
            assert last["type"] == "view"
            assert (await spectator.request("ping"))["type"] == "pong"
