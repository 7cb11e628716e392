"""Sockets and streams are open as long as the session that they were opened with."""

import asyncio

import aiohttp
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from cadogan.server.core.live.connection import close_frame
from cadogan.server.core.web.requests import SESSION_COOKIE
from cadogan.server.subjects.accounts.own_sessions import SessionConnections
from cadogan.wire.codec import SIGNED_OUT
from tests.harness.patience import soon
from tests.harness.people import PlayerSocket
from tests.harness.running_server import RunningServer
from tests.server.realtime.test_connection import Audience


async def closed(player_socket: PlayerSocket) -> int | None:
    """The code with which a socket is closed."""
    await asyncio.wait_for(player_socket.connection.wait_closed(), soon())
    return player_socket.connection.close_code


async def test_signing_out_closes_all_sockets_of_the_session_and_no_others(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    async with (
        ann.connect() as one,
        ann.connect() as two,
        bob.connect() as other,
        sqlite_server.stranger().connect() as nobodys,
    ):
        for player_socket in (one, two, other, nobodys):
            await player_socket.request("ping")
        assert await ann.ask("DELETE", "/session") == (200, {"player": None})
        assert [await closed(player_socket) for player_socket in (one, two)] == [SIGNED_OUT] * 2
        for player_socket in (other, nobodys):
            assert (await player_socket.request("ping"))["type"] == "pong"


async def test_changing_a_password_or_retiring_a_bot_closes_the_sockets_of_the_sessions(
    sqlite_server: RunningServer,
) -> None:
    ann = await sqlite_server.guest()
    assert (await ann.post("/account", {"name": "Ann", "password": "eight red queens"}))[0] == 200
    here, bot = sqlite_server.stranger(), sqlite_server.stranger()
    here.token = (await here.post("/session", {"name": "Ann", "password": "eight red queens"}))[1]["token"]
    made = (await here.post("/bots", {"name": "Marvin"}))[1]
    bot.token = made["token"]
    address, change = (
        f"{sqlite_server.url}/api/v1/account/password",
        {"old": "eight red queens", "new": "nine black knaves"},
    )
    async with ann.connect() as elsewhere, here.connect() as player_socket, bot.connect() as machine:
        for one in (elsewhere, player_socket, machine):
            await one.request("ping")
        async with sqlite_server.session.put(address, json=change, headers=here.headers) as answer:
            assert answer.status == 200
            here.token = (await answer.json())["token"]
        assert [await closed(one) for one in (elsewhere, player_socket)] == [SIGNED_OUT] * 2
        assert (await machine.request("ping"))["type"] == "pong"
        assert await here.ask("DELETE", f"/bots/{made['player']['id']}") == (200, {"bots": []})
        assert await closed(machine) == SIGNED_OUT


async def test_claiming_a_name_closes_the_sockets_of_the_guest_and_the_old_token_is_nobodys(
    sqlite_server: RunningServer,
) -> None:
    ann, thief = await sqlite_server.guest(), sqlite_server.stranger()
    game = await ann.deal()
    thief.token = ann.token
    async with ann.connect() as own, thief.connect() as stolen:
        for one in (own, stolen):
            await one.request("subscribe", game=game)
        assert (await ann.post("/account", {"name": "Ann", "password": "eight red queens"}))[0] == 200
        assert [await closed(one) for one in (own, stolen)] == [SIGNED_OUT] * 2
    assert (await ann.get("/session"))[1]["player"]["name"] == "Ann"
    assert (await thief.post("/deals", {"rules": "klondike"}))[0] == 401
    async with ann.connect() as own:
        assert (await own.play(await own.request("subscribe", game=game)))["type"] == "move_played"


async def test_signing_out_ends_the_streams_of_the_session(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    game = await ann.deal()
    address = f"{sqlite_server.url}/api/v1/games/{game}/stream"
    async with sqlite_server.session.get(address, headers=ann.headers) as stream:
        assert b'"view"' in await stream.content.readline()
        await ann.ask("DELETE", "/session")
        with pytest.raises(aiohttp.ClientPayloadError):
            await asyncio.wait_for(stream.content.read(), soon())


async def test_a_socket_cannot_be_opened_with_the_token_of_an_ended_session(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    await ann.ask("DELETE", "/session")
    with pytest.raises(InvalidStatus, match="401"):
        async with ann.connect():
            pass


async def test_a_browser_whose_session_has_ended_watches_as_nobody(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    await ann.ask("DELETE", "/session")
    cookie, ann.token = {"Cookie": f"{SESSION_COOKIE}={ann.token}"}, ""
    address = sqlite_server.url.replace("http", "ws", 1) + "/ws/v1"
    async with connect(address, additional_headers=cookie, proxy=None) as connection:
        player_socket = PlayerSocket(connection)
        assert (await player_socket.request("play", game="0" * 16, version=1, move="deal"))["code"] == "unauthorized"
        sqlite_server.server.wake_ups.on_gap(None)
        await sqlite_server.server.wait_until_idle()
        assert (await player_socket.request("ping"))["type"] == "pong"


async def nobody_is_left(sessions: object) -> set[str]:
    """The database says that every session is over."""
    return set()


async def nobody_answers(sessions: object) -> set[str]:
    """The database is away."""
    raise ConnectionError("away")


async def test_a_socket_is_closed_if_its_session_ends_while_it_is_opened() -> None:
    late = Audience()
    published: list[str] = []
    sessions = SessionConnections(nobody_is_left, published.append)
    sessions.end_session("session")
    assert published == ["session"]
    sessions.add("session", late.viewer)
    assert late.pipe.taken == [close_frame(SIGNED_OUT, "signed out")]


async def test_missed_sign_outs_are_read_from_the_database_and_a_failed_read_closes_nothing() -> None:
    one, other = Audience(), Audience()
    for valid_sessions, viewer in ((nobody_is_left, one), (nobody_answers, other)):
        sessions = SessionConnections(valid_sessions, lambda session: None)
        sessions.add("session", viewer.viewer)
        sessions.check_sessions()
        await sessions.close()
    assert one.pipe.closed
    assert not other.pipe.closed
