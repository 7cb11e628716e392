"""Sessions by device: which there are, told plainly, and the end of each; on one node and on two."""

from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from cadogan.server.subjects.accounts.own_sessions import Device, read_device
from cadogan.wire.codec import SIGNED_OUT
from tests.harness.hosts import PASSWORD, player
from tests.harness.people import Person
from tests.harness.running_server import RunningServer
from tests.harness.two_nodes import TwoNodes

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PHONE = (
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36"
)
HOUR = 3600 * 1000


@pytest.mark.parametrize(
    ("user_agent", "device"),
    [
        (FIREFOX, ("Firefox", "Linux")),
        (PHONE, ("Chrome", "Android")),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
            ("Edge", "Windows"),
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Version/19.0 Safari/604.1",
            ("Safari", "iPhone"),
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15",
            ("Safari", "Mac"),
        ),
        ("Mozilla/5.0 something new", (None, None)),
        ("cadogan/0.1 aiohttp", (None, None)),
        ("", (None, None)),
    ],
)
def test_a_device_is_told_plainly(user_agent: str, device: tuple[str | None, str | None]) -> None:
    assert read_device(user_agent) == Device(*device)


async def sign_in(running_server: RunningServer, name: str, user_agent: str) -> Person:
    """Somebody who signs in with another browser and looks at a page."""
    person = running_server.stranger()
    _, signed_in = await person.post("/session", {"name": name, "password": PASSWORD})
    person.token = signed_in["token"]
    headers = {**person.headers, "User-Agent": user_agent}
    async with person.session.get(f"{person.url}/api/v1/session", headers=headers) as answer:
        assert answer.status == 200
    return person


async def sessions(person: Person) -> list[dict[str, Any]]:
    """Where somebody is signed in."""
    status, answer = await person.get("/sessions")
    assert status == 200, answer
    found: list[dict[str, Any]] = answer["sessions"]
    return found


async def test_sessions_are_listed_with_their_devices_the_one_used_last_first(running_server: RunningServer) -> None:
    ada = await player(running_server, "Ada")
    started = running_server.clock.at
    await ada.get("/session")
    running_server.clock.at += HOUR
    await sign_in(running_server, "Ada", PHONE)
    running_server.clock.at += HOUR
    desktop = await sign_in(running_server, "Ada", FIREFOX)
    await player(running_server, "Bob")
    found = await sessions(desktop)
    assert [(one.get("browser"), one.get("system"), one.get("current")) for one in found] == [
        ("Firefox", "Linux", True),
        ("Chrome", "Android", None),
        (None, None, None),
    ]
    assert [one["created_at"] for one in found] == [started + 2 * HOUR, started + HOUR, started]
    assert [one["used_at"] for one in found] == [started + 2 * HOUR, started + HOUR, started]
    assert ada.token not in str(found)


async def test_a_use_is_noted_again_only_after_a_while(sqlite_server: RunningServer) -> None:
    ada = await player(sqlite_server, "Ada")
    (first,) = await sessions(ada)
    sqlite_server.clock.at += 9 * 60 * 1000
    assert (await sessions(ada))[0]["used_at"] == first["used_at"]
    sqlite_server.clock.at += 60 * 1000
    assert (await sessions(ada))[0]["used_at"] == sqlite_server.clock.at


async def test_another_session_is_ended_and_its_sockets_are_closed(running_server: RunningServer) -> None:
    ada = await player(running_server, "Ada")
    phone = await sign_in(running_server, "Ada", PHONE)
    (theirs,) = [one["id"] for one in await sessions(ada) if not one.get("current")]
    async with phone.connect() as socket, ada.connect() as own:
        status, left = await ada.ask("DELETE", f"/sessions/{theirs}")
        assert (status, [one["current"] for one in left["sessions"]]) == (200, [True])
        with pytest.raises(ConnectionClosed) as closed:
            await socket.receive("never")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == SIGNED_OUT
        assert (await own.watch_day("2026-11-20"))["type"] == "day_progress"
    assert (await phone.get("/friends"))[1]["code"] == "unauthorized"
    assert (await ada.ask("DELETE", f"/sessions/{theirs}"))[1]["code"] == "not_found"


async def test_ending_a_session_on_one_node_closes_what_is_open_on_the_other(two_nodes: TwoNodes) -> None:
    ada = await player(two_nodes.first, "Ada")
    phone = await sign_in(two_nodes.second, "Ada", PHONE)
    async with phone.connect() as socket:
        status, left = await ada.ask("DELETE", "/sessions/others")
        assert (status, len(left["sessions"])) == (200, 1)
        with pytest.raises(ConnectionClosed):
            await socket.receive("never")


async def test_the_session_in_use_and_those_of_others_are_not_ended(sqlite_server: RunningServer) -> None:
    ada, bob = await player(sqlite_server, "Ada"), await player(sqlite_server, "Bob")
    (own,), (theirs,) = await sessions(ada), await sessions(bob)
    assert (await ada.ask("DELETE", f"/sessions/{own['id']}"))[1]["code"] == "conflict"
    assert (await ada.ask("DELETE", f"/sessions/{theirs['id']}"))[1]["code"] == "not_found"
    assert (await bob.get("/friends"))[0] == 200


async def test_ending_all_others_spares_personal_tokens_and_other_players(sqlite_server: RunningServer) -> None:
    ada, bob = await player(sqlite_server, "Ada"), await player(sqlite_server, "Bob")
    phone, program = await sign_in(sqlite_server, "Ada", PHONE), sqlite_server.stranger()
    program.token = (await ada.post("/tokens", {"name": "Notebook", "scopes": ["read"]}))[1]["token"]
    await ada.ask("DELETE", "/sessions/others")
    assert (await phone.get("/friends"))[1]["code"] == "unauthorized"
    for one in (ada, bob, program):
        assert (await one.get("/friends"))[0] == 200
    assert (await program.get("/sessions"))[1]["code"] == "unauthorized"
