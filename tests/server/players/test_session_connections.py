"""Sockets and streams are open as long as the session that they were opened with."""

import asyncio

import aiohttp
import pytest

from clients.wire.codec import SIGNED_OUT
from server.players.session_connections import SessionConnections
from server.realtime.connection import close_frame
from tests.harness.people import Talk
from tests.harness.running_server import House
from tests.server.realtime.test_connection import Audience

PATIENCE = 30.0


async def closed(talk: Talk) -> int | None:
    """The code with which a socket is closed."""
    await asyncio.wait_for(talk.connection.wait_closed(), PATIENCE)
    return talk.connection.close_code


async def test_who_signs_out_is_put_out_of_every_socket_and_nobody_else_is(small_house: House) -> None:
    ann, bob = await small_house.guest(), await small_house.guest()
    async with ann.talk() as one, ann.talk() as two, bob.talk() as other, small_house.stranger().talk() as nobodys:
        for talk in (one, two, other, nobodys):
            await talk.ask("ping")
        assert await ann.ask("DELETE", "/session") == (200, {"player": None})
        assert [await closed(talk) for talk in (one, two)] == [SIGNED_OUT] * 2
        for talk in (other, nobodys):
            assert (await talk.ask("ping"))["type"] == "pong"


async def test_who_changes_a_password_and_whose_bot_is_retired_is_put_out_elsewhere(small_house: House) -> None:
    ann = await small_house.guest()
    assert (await ann.post("/account", {"name": "Ann", "password": "eight red queens"}))[0] == 200
    here, bot = small_house.stranger(), small_house.stranger()
    here.token = (await here.post("/session", {"name": "Ann", "password": "eight red queens"}))[1]["token"]
    made = (await here.post("/bots", {"name": "Marvin"}))[1]
    bot.token = made["token"]
    address, change = (
        f"{small_house.url}/api/v1/account/password",
        {"old": "eight red queens", "new": "nine black knaves"},
    )
    async with ann.talk() as elsewhere, here.talk() as talk, bot.talk() as machine:
        for one in (elsewhere, talk, machine):
            await one.ask("ping")
        async with small_house.session.put(address, json=change, headers=here.headers) as answer:
            assert answer.status == 200
        assert await closed(elsewhere) == SIGNED_OUT
        assert (await machine.ask("ping"))["type"] == "pong"
        assert await here.ask("DELETE", f"/bots/{made['player']['id']}") == (200, {"bots": []})
        assert await closed(machine) == SIGNED_OUT
        assert (await talk.ask("ping"))["type"] == "pong"


async def test_a_stream_of_who_signs_out_is_broken_off(small_house: House) -> None:
    ann = await small_house.guest()
    game = await ann.deal()
    address = f"{small_house.url}/api/v1/games/{game}/stream"
    async with small_house.session.get(address, headers=ann.headers) as stream:
        assert b'"view"' in await stream.content.readline()
        await ann.ask("DELETE", "/session")
        with pytest.raises(aiohttp.ClientPayloadError):
            await asyncio.wait_for(stream.content.read(), PATIENCE)


async def test_a_socket_opened_with_a_session_that_is_over_is_a_strangers_and_stays_open(small_house: House) -> None:
    ann = await small_house.guest()
    await ann.ask("DELETE", "/session")
    async with ann.talk() as talk:
        assert (await talk.ask("play", game="0" * 16, version=1, move="deal"))["code"] == "unauthorized"
        small_house.service.on_gap(None)
        await small_house.service.sessions.close()
        assert (await talk.ask("ping"))["type"] == "pong"


async def nobody_is_left(sessions: object) -> set[str]:
    """The database says that every session is over."""
    return set()


async def nobody_answers(sessions: object) -> set[str]:
    """The database is away."""
    raise ConnectionError("away")


async def test_a_socket_that_was_being_opened_while_its_session_ended_is_closed() -> None:
    late = Audience()
    sessions = SessionConnections(nobody_is_left)
    sessions.end("session")
    sessions.enter("session", late.viewer)
    assert late.pipe.taken == [close_frame(SIGNED_OUT, "signed out")]


async def test_what_was_missed_is_made_up_for_by_a_look_and_a_failed_look_closes_nothing() -> None:
    one, other = Audience(), Audience()
    for sessions, viewer in ((SessionConnections(nobody_is_left), one), (SessionConnections(nobody_answers), other)):
        sessions.enter("session", viewer.viewer)
        sessions.look()
        await sessions.close()
    assert one.pipe.closed
    assert not other.pipe.closed
