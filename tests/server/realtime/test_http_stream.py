"""A game without a socket: as lines of JSON and as events, with the standing and the versions that a socket has."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import aiohttp
import pytest
from msgspec import json

from cadogan.server.core.games.visibility import AccessLevel
from cadogan.server.core.live import http_stream
from cadogan.server.core.live.connection import frame
from cadogan.server.core.live.hub import game_topic
from cadogan.server.core.web.requests import SERVER
from cadogan.server.subjects.games.game_routes import end_streams
from tests.harness.daily_actions import play_and_resign
from tests.harness.patience import soon
from tests.harness.people import JsonMessage, Person
from tests.harness.running_server import RunningServer
from tests.harness.schema_checks import check_body, check_message

EVENTS = {"Accept": "text/event-stream"}


class Reading:
    """What comes over one stream, message by message."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self.response = response
        self.ids: list[int] = []

    async def line(self) -> str:
        """The next line, without its end; raises EOFError at the end of the stream."""
        line = await self.response.content.readline()
        if not line:
            raise EOFError
        return line.decode().removesuffix("\n")

    async def hear(self) -> JsonMessage:
        """The next message but of who watches."""
        while True:
            line = await self.line()
            if line.startswith("id: "):
                self.ids.append(int(line[4:]))
            elif line.startswith(("{", "data: ")):
                said: JsonMessage = json.decode(line.removeprefix("data: "))
                check_message(said)
                if said["type"] != "presence":
                    return said

    async def rest(self) -> list[JsonMessage]:
        """Every message until the stream ends."""
        heard = []
        try:
            while True:
                heard.append(await self.hear())
        except EOFError:
            return heard


@asynccontextmanager
async def reading(person: Person, game: str, **asked: str) -> AsyncIterator[Reading]:
    """A stream of a game, with these headers or this `since`."""
    since = asked.pop("since", "")
    query = f"?since={since}" if since else ""
    headers = {**person.headers, **asked}
    async with person.session.get(f"{person.url}/api/v1/games/{game}/stream{query}", headers=headers) as response:
        yield Reading(response)


async def played_out(person: Person, game: str, moves: int = 3) -> list[JsonMessage]:
    """The view that a spectator gets on a socket, and all that follows while the player moves and gives up."""
    async with Person(person.url, person.session).connect() as watching:
        received = [await watching.request("subscribe", game=game)]
        await play_and_resign(person, game, moves)
        while received[-1]["type"] != "deal_revealed":
            received.append(await watching.receive())
    return received


def alike(view: JsonMessage) -> JsonMessage:
    """A view but for what it answers, and for who watches by then."""
    return {key: value for key, value in view.items() if key not in ("id", "watchers")}


async def until(so: Callable[[], bool]) -> None:
    """Let everybody else go on until it is so."""
    async with asyncio.timeout(soon()):
        while True:
            if so():
                return
            await asyncio.sleep(0)


@pytest.mark.parametrize("form", [{}, EVENTS, {"Accept": "application/x-ndjson"}], ids=["any", "events", "lines"])
async def test_a_stream_has_the_messages_of_a_socket_and_ends_with_the_game(
    running_server: RunningServer, form: dict[str, str]
) -> None:
    ann = await running_server.guest()
    game = await ann.deal()
    async with reading(running_server.stranger(), game, **form) as streamed:
        view = await streamed.hear()
        received = await played_out(ann, game)
        assert alike(view) == alike(received[0])
        assert await streamed.rest() == received[1:]
    assert streamed.response.headers["Content-Type"] == form.get("Accept", "application/x-ndjson")
    assert "no-transform" in streamed.response.headers["Cache-Control"]  # a proxy that compresses holds back messages
    assert streamed.ids == ([said["version"] for said in received] if form == EVENTS else [])


async def test_a_returning_client_gets_the_missed_messages_and_none_twice(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    game = await ann.deal()
    received = await played_out(ann, game)
    for asked in ({"since": "2"}, {"Last-Event-ID": "2", **EVENTS}, {"Last-Event-ID": "2", "since": "1"}):
        async with reading(sqlite_server.stranger(), game, **asked) as streamed:
            assert await streamed.rest() == received[2:]
    async with reading(sqlite_server.stranger(), game, since="99") as streamed:
        assert [said["type"] for said in await streamed.rest()] == ["view"]


async def test_a_client_that_has_read_the_whole_game_is_told_not_to_reconnect(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    game = await ann.deal()
    last = (await played_out(ann, game))[-1]["version"]
    async with reading(sqlite_server.stranger(), game, **EVENTS, **{"Last-Event-ID": str(last)}) as streamed:
        assert (streamed.response.status, await streamed.rest()) == (204, [])
    run = await ann.enter()
    await play_and_resign(ann, run)
    async with reading(sqlite_server.stranger(), run) as streamed:
        (view,) = await streamed.rest()
    async with reading(sqlite_server.stranger(), run, since=str(view["version"])) as streamed:
        assert (view["sight"], streamed.response.status) == ("meter", 204)


async def test_a_stream_has_only_the_meter_until_the_own_run_is_over(
    sqlite_server: RunningServer,
) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    game = await ann.enter()
    async with reading(bob, game) as streamed:
        view = await streamed.hear()
        assert (view["sight"], "piles" in view) == ("meter", False)
        async with ann.connect() as playing:
            await playing.play(await playing.request("subscribe", game=game))
        assert await streamed.hear() == {"type": "advanced", "game": game, "version": 2}
        await play_and_resign(bob, await bob.enter())
        lifted = await streamed.hear()
        assert (lifted["sight"], lifted["version"], "piles" in lifted) == ("board", 2, True)
        await play_and_resign(ann, game)
        assert [said["type"] for said in await streamed.rest()] == ["game_finished"]
    assert (await sqlite_server.stranger().get(f"/games/{game}"))[1]["sight"] == "meter"


async def test_players_stream_their_own_game_with_legal_moves(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    game = await ann.deal()
    async with reading(ann, game) as streamed:
        assert (await streamed.hear())["legal"]
        await play_and_resign(ann, game, moves=1)
        assert [said["type"] for said in await streamed.rest()] == ["move_played", "game_finished", "deal_revealed"]


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({"Accept": "text/html, image/*"}, 406, "bad_message"),
        ({"Last-Event-ID": "four"}, 400, "bad_message"),
        ({"Last-Event-ID": ""}, 400, "bad_message"),
        ({"Last-Event-ID": "9" * 10}, 400, "bad_message"),
        ({"since": "-1"}, 400, "bad_message"),
        ({}, 404, "not_found"),
    ],
)
async def test_a_stream_that_is_not_possible_gets_the_usual_refusal(
    sqlite_server: RunningServer, asked: dict[str, str], status: int, code: str
) -> None:
    async with reading(sqlite_server.stranger(), "a" * 16, **asked) as streamed:
        refused = await streamed.response.json()
    check_body("Refusal", refused)
    assert (streamed.response.status, refused["code"]) == (status, code)


async def test_a_streaming_client_counts_as_a_watcher_until_it_leaves(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_stream, "KEEPALIVE_SECONDS", 0.01)
    ann = await sqlite_server.guest()
    game = await ann.deal()
    hub, metrics = sqlite_server.server.hub, sqlite_server.server.metrics
    async with reading(sqlite_server.stranger(), game) as streamed:
        await streamed.hear()
        assert len(hub.subscribers(game_topic(game)).spectators) == 1
        assert b"cadogan_streams 1.0" in metrics.render()
        assert b"cadogan_watchers 1.0" in metrics.render()
        while await streamed.line():
            pass  # a line that says nothing comes beside who watches
        streamed.response.close()
    await until(lambda: not hub.has_subscribers(game_topic(game)))
    assert b"cadogan_streams 0.0" in metrics.render()


async def test_a_stopping_server_ends_its_streams_so_that_readers_resume(sqlite_server: RunningServer) -> None:
    game = await (await sqlite_server.guest()).deal()
    async with reading(sqlite_server.stranger(), game) as streamed:
        await streamed.hear()
        await end_streams(sqlite_server.app)
        assert await streamed.rest() == []


@asynccontextmanager
async def sleeper(running_server: RunningServer, game: str, version: str = "1.1") -> AsyncIterator[socket.socket]:
    """The end of a connection that has asked for a stream, takes little at once and does not read."""
    at = urlsplit(running_server.url)
    loop = asyncio.get_running_loop()
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        raw.setblocking(False)
        await loop.sock_connect(raw, (at.hostname, at.port))
        await loop.sock_sendall(
            raw, f"GET /api/v1/games/{game}/stream HTTP/{version}\r\nHost: localhost\r\n\r\n".encode()
        )
        await until(lambda: running_server.server.hub.has_subscribers(game_topic(game)))
        yield raw


def flood(running_server: RunningServer, game: str) -> None:
    """Tell everybody who watches the game far more than fits on the way to them."""
    said = frame(b'{"type":"presence","game":"%b","watchers":7}' % game.encode() + b" " * 60_000)
    for _ in range(200):
        running_server.server.hub.subscribers(game_topic(game)).by_access_level[AccessLevel.BOARD].send(said)


async def test_a_slow_reader_holds_little_and_gets_a_fresh_view_when_it_reads(sqlite_server: RunningServer) -> None:
    game = await (await sqlite_server.guest()).deal()
    async with sleeper(sqlite_server, game) as raw, reading(sqlite_server.stranger(), game) as quick:
        await quick.hear()
        flood(sqlite_server, game)
        (viewer, *_) = sqlite_server.server.hub.subscribers(game_topic(game)).by_access_level[AccessLevel.BOARD].viewers
        assert viewer.is_behind
        taken, views, tail = 0, 0, b""
        while views < 2:
            part = await asyncio.get_running_loop().sock_recv(raw, 1 << 16)
            taken, tail = taken + len(part), tail + part
            views += tail.count(b'"type":"view"')
            tail = tail[-12:]
        assert taken < 200 * 60_000


async def test_a_reader_that_accepts_nothing_for_a_minute_is_disconnected(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_stream, "KEEPALIVE_SECONDS", 0.01)
    game = await (await sqlite_server.guest()).deal()
    async with sleeper(sqlite_server, game):
        flood(sqlite_server, game)
        await until(lambda: not sqlite_server.app[SERVER].streams)
    assert not sqlite_server.server.hub.has_subscribers(game_topic(game))


async def test_an_old_proxy_gets_the_stream_without_chunks(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    game = await ann.deal()
    async with sleeper(sqlite_server, game, "1.0") as raw:
        received = await played_out(ann, game)
        text = b""
        while part := await asyncio.get_running_loop().sock_recv(raw, 1 << 16):
            text += part
    head, _, body = text.partition(b"\r\n\r\n")
    assert b"chunked" not in head
    heard = [json.decode(line) for line in body.splitlines() if line and b'"presence"' not in line]
    assert [said["version"] for said in heard] == [said["version"] for said in received]
