"""Replay, pace and record of a game: the bytes, how they may be kept, and what they cost who asks."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer
from msgspec import json, structs

from cadogan.server.app import Server
from cadogan.server.config import Settings
from cadogan.server.core.eventlog.event_store import StoredEvent
from cadogan.server.core.games.game_record import build_record
from cadogan.server.core.games.history_bodies import History, HistoryBody
from cadogan.server.core.rate_limits import AddressLimit, AtOnceLimit
from cadogan.server.core.web.long_answers import send_history
from cadogan.server.core.web.requests import SERVER
from cadogan.server.subjects.audit import game_audit
from cadogan.wire.bodies import Record, Replay
from cadogan.wire.codec import encode
from cadogan.wire.races import Pace
from tests.harness.logging_ends import log_ends
from tests.harness.long_games import lengthen
from tests.harness.patience import soon
from tests.harness.people import Person
from tests.harness.raw_client import connect_raw
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server

KINDS: dict[str, Any] = {"replay": Replay, "pace": Pace, "record": Record}


@pytest.fixture
async def charging_server(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningServer]:
    """A server that reads 2,000 events for one address at once, and then 100 a second, while its clock stands still."""
    monkeypatch.setattr("cadogan.server.core.rate_limits.AddressLimit", partial(AddressLimit, clock=lambda: 0.0))
    monkeypatch.setattr("cadogan.server.core.rate_limits.CONNECTIONS_OF_AN_ADDRESS", 25_000)
    async with open_server(replace(TEST_SETTINGS, database_url=sqlite_url, rate=1, burst=4)) as one:
        yield one


async def finished_game(server: RunningServer, version: int) -> tuple[Person, str]:
    """A casual game that was given up at this version, and its player."""
    ann = await server.guest()
    game = await ann.deal()
    await lengthen(server.server, game, version)
    async with ann.connect() as socket:
        await socket.request("resign", id="end", game=game, version=version)
    return ann, game


async def fetch(server: RunningServer, path: str, **headers: str) -> tuple[int, Any, bytes]:
    """Status, headers and body of what somebody who is not signed in is sent."""
    async with server.session.get(f"{server.url}/api/v1{path}", headers=headers) as response:
        return response.status, response.headers, await response.read()


async def test_a_history_has_the_same_bytes_however_it_is_read_and_sent(
    running_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.core.games.game_reader.PAGE_EVENTS", 7)
    monkeypatch.setattr("cadogan.server.core.games.history_bodies.CHUNK_BYTES", 1000)
    monkeypatch.setattr("cadogan.server.core.event_loop.SLICE_SECONDS", 0)
    _, game = await finished_game(running_server, 40)
    await log_ends(running_server.server)
    found = {kind: (await fetch(running_server, f"/games/{game}/{kind}"))[2] for kind in KINDS}
    for kind, body in found.items():
        assert encode(json.decode(body, type=KINDS[kind])) == body
    stored = await running_server.server.store.read(f"game/{game}")
    record = json.decode(found["record"], type=Record)
    built = build_record(game, bytes.fromhex(record.secret), stored)
    assert encode(structs.replace(built, proof=record.proof)) == found["record"]
    assert game_audit.verify(found["record"]).consistent
    replay = json.decode(found["replay"], type=Replay)
    assert [message.version for message in replay.messages] == list(range(2, len(stored) + 1))
    assert json.decode(found["pace"], type=Pace).points[-1][0] == _end(stored)["milliseconds"]


def _end(stored: list[StoredEvent]) -> dict[str, Any]:
    (data,) = [event.data for event in stored if event.type == "game_finished"]
    return dict(json.decode(data))


async def test_a_replay_of_a_game_that_goes_on_is_as_long_as_the_game(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    game = await ann.deal()
    async with ann.connect() as socket:
        seen = await socket.request("subscribe", game=game)
        for moves in range(3):
            _, replay = await ann.get(f"/games/{game}/replay")
            assert [message["version"] for message in replay["messages"]] == list(range(2, moves + 2))
            seen = await socket.play({**seen, "game": game})
    assert (await ann.get(f"/games/{game}/pace"))[1]["code"] == "conflict"
    assert (await ann.get("/games/aaaabbbbccccdddd/replay"))[1]["code"] == "not_found"


async def test_what_never_changes_may_be_kept_and_nobody_is_sent_it_twice(sqlite_server: RunningServer) -> None:
    _, game = await finished_game(sqlite_server, 5)
    await log_ends(sqlite_server.server)
    for kind, caching in (("record", "public, max-age=86400"), ("replay", "private, no-cache"), ("pace", None)):
        path = f"/games/{game}/{kind}"
        status, headers, body = await fetch(sqlite_server, path)
        assert status == 200
        assert headers["Cache-Control"] == (caching or "private, no-cache")
        assert int(headers["Content-Length"]) == len(body)
        etag = headers["ETag"]
        status, headers, body = await fetch(sqlite_server, path, **{"If-None-Match": etag})
        assert (status, headers["ETag"], body) == (304, etag, b"")
        assert (await fetch(sqlite_server, path, **{"If-None-Match": '"other"'}))[0] == 200
        async with sqlite_server.session.head(f"{sqlite_server.url}/api/v1{path}") as response:
            assert (response.status, response.headers["ETag"]) == (200, etag)


async def test_a_copy_of_a_record_stays_good_while_the_log_grows(sqlite_server: RunningServer) -> None:
    _, game = await finished_game(sqlite_server, 5)
    path = f"/games/{game}/record"
    unproved = (await fetch(sqlite_server, path))[1]["ETag"]
    await log_ends(sqlite_server.server)
    _, headers, record = await fetch(sqlite_server, path)
    assert headers["ETag"] != unproved
    await finished_game(sqlite_server, 5)
    await log_ends(sqlite_server.server)
    assert (await fetch(sqlite_server, path, **{"If-None-Match": headers["ETag"]}))[0] == 304
    assert (await fetch(sqlite_server, path))[2] != record


async def test_thirty_readers_at_once_cost_one_reading_of_the_log(charging_server: RunningServer) -> None:
    _, game = await finished_game(charging_server, 1350)
    answers = await asyncio.gather(*(fetch(charging_server, f"/games/{game}/replay") for _ in range(30)))
    assert [status for status, *_ in answers] == [200] * 30
    assert len({body for *_, body in answers}) == 1


async def test_a_long_game_costs_as_much_as_it_is_long(charging_server: RunningServer) -> None:
    ann, game = await finished_game(charging_server, 1500)
    assert (await ann.get(f"/games/{game}/replay"))[0] == 200
    assert (await ann.get(f"/games/{game}/replay"))[0] == 200  # it is kept, and costs little
    status, refused = await charging_server.stranger().get(f"/games/{game}/record")
    assert (status, refused["code"], refused["retry_after"]) == (429, "rate_limited", 10.241)
    assert (await charging_server.stranger().get(f"/players/{ann.id}"))[1]["recent"][0]["game"]["id"] == game
    assert (await ann.get(f"/games/{game}"))[0] == 200


async def test_an_old_command_is_answered_from_the_log_and_charged(charging_server: RunningServer) -> None:
    ann = await charging_server.guest()
    game = await ann.deal()
    _, view = await ann.get(f"/games/{game}")
    async with ann.connect() as socket:
        first = await socket.play(view, id="one")
        await lengthen(charging_server.server, game, 1001)
        for _ in range(2):
            assert await socket.play(view, id="one") == first
        last = await socket.request("take_back", id="late", game=game, version=1001)
        assert last["code"] == "nothing_to_take_back"


async def test_a_reader_who_does_not_read_is_disconnected_and_may_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cadogan.server.core.web.long_answers.SEND_TIMEOUT_SECONDS", 0.1)
    many = HistoryBody((b" " * 65_536,) * 160, 160 * 65_536, b"digest", None)
    few = HistoryBody((b" ",), 1, b"digest", None)

    async def answer(request: web.Request) -> web.StreamResponse:
        return await send_history(request, History(b"[", many if request.path == "/many" else few, False, "tag"))

    app = web.Application()
    limits = SimpleNamespace(histories_at_once=AtOnceLimit(1))
    app[SERVER] = cast(Server, SimpleNamespace(settings=Settings(), limits=limits))
    app.router.add_get("/{name}", answer)
    async with TestServer(app) as server, asyncio.timeout(soon()):
        url = str(server.make_url("")).rstrip("/")
        async with connect_raw(url, deaf=True) as deaf, ClientSession() as session:
            deaf.send(b"GET /many HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b" 200 " in await deaf.reader.readline()
            status = 0
            while status != 200:
                async with session.get(f"{url}/few") as response:
                    status = response.status
            assert len(await deaf.ended()) < many.size


async def test_whoever_has_a_long_game_read_to_see_it_pays_for_its_events(charging_server: RunningServer) -> None:
    ann = await charging_server.guest()
    game = await ann.deal()
    await lengthen(charging_server.server, game, 1500)
    bob = await charging_server.guest()
    assert (await bob.post("/account", {"name": "Bob", "password": "four green fields"}))[0] == 200
    await charging_server.stranger().get(f"/games/{game}")
    charging_server.server.cache.drop(game)
    await charging_server.stranger().get(f"/games/{game}")
    charging_server.server.cache.drop(game)
    status, refused = await charging_server.stranger().get(f"/games/{game}")
    assert (status, refused["code"]) == (429, "rate_limited")
    assert (await charging_server.stranger().get(f"/games/{game}/stream"))[0] == 429
    carol = await charging_server.guest()
    async with charging_server.stranger().connect() as socket, carol.connect() as strangers:
        assert (await socket.request("subscribe", game=game))["code"] == "rate_limited"
        assert (await bob.get(f"/games/{game}"))[0] == 200
        assert (await socket.request("subscribe", game=game))["type"] == "view"
        for code in ("not_your_seat", "not_your_seat", "rate_limited"):
            charging_server.server.cache.drop(game)
            assert (await strangers.request("resign", game=game, version=1))["code"] == code
