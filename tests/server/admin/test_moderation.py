"""Acts on players: each one works, is in the log, and is refused where it makes no sense."""

from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from cadogan.wire.codec import SIGNED_OUT
from tests.harness.hosts import PASSWORD, WHY, log_of, player, with_role
from tests.harness.people import Person
from tests.harness.running_server import RunningServer
from tests.harness.two_nodes import TwoNodes

HOUR = 3600 * 1000
BAN = {"banned": True, **WHY}


async def sign_in(running_server: RunningServer, name: str, password: str = PASSWORD) -> tuple[int, Any]:
    """The answer to somebody who signs in with this name."""
    return await running_server.stranger().post("/session", {"name": name, "password": password})


async def act(person: Person, target: str, what: str, body: dict[str, Any]) -> tuple[int, Any]:
    """The answer to an act on a player."""
    return await person.ask("PUT", f"/house/players/{target}/{what}", body)


async def names(person: Person, query: str) -> list[str]:
    """The names of the players whom a search finds."""
    _, found = await person.get(f"/house/players?{query}")
    return [one["player"]["name"] for one in found["players"]]


async def test_players_are_found_by_the_beginning_of_their_names(running_server: RunningServer) -> None:
    mod = await with_role(running_server, "Mo", "moderator")
    for name in ("Ada", "adam", "Bob"):
        await player(running_server, name)
    guest = await running_server.guest()
    assert await names(mod, "name=AD") == ["Ada", "adam"]
    assert await names(mod, "name=zz") == []
    assert await names(mod, f"name={guest.id}") == [f"Guest {guest.id[:8]}"]
    assert await names(mod, f"name=guest%20{guest.id[:5]}") == [f"Guest {guest.id[:8]}"]
    everybody = await names(mod, "")
    assert everybody == ["Ada", "adam", "Bob", "Mo", f"Guest {guest.id[:8]}"]
    status, page = await mod.get("/house/players?offset=1&limit=2")
    assert (status, [one["player"]["name"] for one in page["players"]], page["more"]) == (200, everybody[1:3], True)
    assert (await mod.get("/house/players?offset=3&limit=2"))[1]["more"] is False


async def test_a_renamed_player_signs_in_with_the_new_name_and_the_old_one_is_free(
    running_server: RunningServer,
) -> None:
    mod = await with_role(running_server, "Mo", "moderator")
    bob = await player(running_server, "Rude Name")
    status, renamed = await act(mod, bob.id, "name", {"name": "Bob", **WHY})
    assert (status, renamed["player"]["name"]) == (200, "Bob")
    assert (await bob.get("/session"))[1]["player"]["name"] == "Bob"
    assert (await sign_in(running_server, "Rude Name"))[1]["code"] == "bad_credentials"
    assert (await sign_in(running_server, "Bob"))[0] == 200
    await player(running_server, "Rude Name")
    host = await with_role(running_server, "Ada", "host")
    (_, last, *_) = await log_of(host)
    assert (last["act"], last["player"]["name"]) == ("renamed", "Bob")
    assert "Rude" not in str(last)


@pytest.mark.parametrize(
    ("name", "code"),
    [("Ada", "name_taken"), ("A-d-a", "name_taken"), ("Guest 1", "bad_message"), ("\u200bx", "bad_message")],
)
async def test_a_new_name_follows_the_rules_of_names(sqlite_server: RunningServer, name: str, code: str) -> None:
    mod, bob = await with_role(sqlite_server, "Mo", "moderator"), await player(sqlite_server, "Bob")
    await player(sqlite_server, "Ada")
    assert (await act(mod, bob.id, "name", {"name": name, **WHY}))[1]["code"] == code
    assert (await bob.get("/session"))[1]["player"]["name"] == "Bob"


async def test_a_suspended_player_is_told_until_when_and_comes_back_after_it(running_server: RunningServer) -> None:
    mod, bob = await with_role(running_server, "Mo", "moderator"), await player(running_server, "Bob")
    until = running_server.clock.at + HOUR
    status, suspended = await act(mod, bob.id, "suspension", {"until": until, **WHY})
    assert (status, suspended["suspended_until"]) == (200, until)
    for status, refused in (
        await bob.post("/deals", {"rules": "klondike"}),
        await bob.get("/session"),
        await sign_in(running_server, "Bob"),
    ):
        assert (status, refused["code"]) == (403, "suspended")
        assert refused["said"]["values"] == {"until": "2026-11-20 13:00 UTC"}
    assert (await sign_in(running_server, "Bob", "wrong horse"))[1]["code"] == "bad_credentials"
    running_server.clock.at = until
    assert (await bob.post("/deals", {"rules": "klondike"}))[0] == 200
    assert (await sign_in(running_server, "Bob"))[0] == 200


async def test_a_suspension_is_ended_by_a_moderator(sqlite_server: RunningServer) -> None:
    mod, bob = await with_role(sqlite_server, "Mo", "moderator"), await player(sqlite_server, "Bob")
    host = await with_role(sqlite_server, "Ada", "host")
    await act(mod, bob.id, "suspension", {"until": sqlite_server.clock.at + HOUR, **WHY})
    status, restored = await act(mod, bob.id, "suspension", {"until": None, **WHY})
    assert (status, "suspended_until" in restored) == (200, False)
    assert (await bob.get("/session"))[0] == 200
    assert [one["act"] for one in (await log_of(host))[:2]] == ["restored", "suspended"]


@pytest.mark.parametrize("hours", [0, -1, 10_000_000_000])
async def test_a_suspension_ends_in_the_future_and_before_the_end_of_time(
    sqlite_server: RunningServer, hours: int
) -> None:
    mod, bob = await with_role(sqlite_server, "Mo", "moderator"), await player(sqlite_server, "Bob")
    until = max(0, sqlite_server.clock.at + hours * HOUR)
    assert (await act(mod, bob.id, "suspension", {"until": until, **WHY}))[1]["code"] == "bad_message"
    assert (await bob.get("/session"))[0] == 200


async def test_a_ban_ends_sockets_and_holds_for_bots_and_personal_tokens(running_server: RunningServer) -> None:
    host, bob = await with_role(running_server, "Ada", "host"), await player(running_server, "Bob")
    bot, program = running_server.stranger(), running_server.stranger()
    bot.token = (await bob.post("/bots", {"name": "Marvin"}))[1]["token"]
    program.token = (await bob.post("/tokens", {"name": "Notebook", "scopes": ["read"]}))[1]["token"]
    async with bob.connect() as socket, bot.connect() as of_bot:
        status, banned = await act(host, bob.id, "ban", BAN)
        assert (status, banned["banned"]) == (200, True)
        for opened in (socket, of_bot):
            with pytest.raises(ConnectionClosed) as closed:
                await opened.receive("never")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == SIGNED_OUT
    for one in (bob, bot, program):
        status, refused = await one.get("/friends")
        assert (status, refused["code"]) == (403, "suspended"), refused
    assert (await sign_in(running_server, "Bob"))[1]["code"] == "suspended"
    status, restored = await act(host, bob.id, "ban", {**BAN, "banned": False})
    assert (status, "banned" in restored) == (200, False)
    for one in (bob, bot, program):
        assert (await one.get("/friends"))[0] == 200


async def test_a_ban_on_one_node_ends_what_is_open_on_the_other(two_nodes: TwoNodes) -> None:
    first, second = two_nodes.first, two_nodes.second
    host, bob = await with_role(first, "Ada", "host"), await player(second, "Bob")
    async with bob.connect() as socket:
        assert (await act(host, bob.id, "ban", BAN))[0] == 200
        with pytest.raises(ConnectionClosed):
            await socket.receive("never")
    assert (await bob.get("/friends"))[1]["code"] == "suspended"


async def test_a_moderator_cannot_end_a_ban(sqlite_server: RunningServer) -> None:
    host, bob = await with_role(sqlite_server, "Ada", "host"), await player(sqlite_server, "Bob")
    mod = await with_role(sqlite_server, "Mo", "moderator")
    await act(host, bob.id, "ban", BAN)
    for until in (None, sqlite_server.clock.at + HOUR):
        assert (await act(mod, bob.id, "suspension", {"until": until, **WHY}))[1]["code"] == "forbidden"
    assert (await bob.get("/friends"))[1]["code"] == "suspended"


async def test_signing_a_player_out_ends_sessions_and_sockets(running_server: RunningServer) -> None:
    mod, bob = await with_role(running_server, "Mo", "moderator"), await player(running_server, "Bob")
    async with bob.connect() as socket:
        assert (await act(mod, bob.id, "sessions", WHY))[0] == 200
        with pytest.raises(ConnectionClosed):
            await socket.receive("never")
    assert (await bob.get("/friends"))[1]["code"] == "unauthorized"
    assert (await sign_in(running_server, "Bob"))[0] == 200


async def test_a_link_sets_a_new_password_once_and_ends_all_sessions(running_server: RunningServer) -> None:
    host, bob = await with_role(running_server, "Ada", "host"), await player(running_server, "Bob")
    _, first = await act(host, bob.id, "access", WHY)
    _, made = await act(host, bob.id, "access", WHY)
    assert made["expires_at"] == running_server.clock.at + 3 * 24 * HOUR
    assert (await bob.get("/friends"))[0] == 200  # until the link is used, nothing has changed
    stranger = running_server.stranger()
    new = {"password": "nine black knaves"}

    async def regain(path: str, body: dict[str, str]) -> tuple[int, Any]:
        return await stranger.ask("PUT", "/account/access", {"code": path.removeprefix("/access/"), **body})

    assert (await regain(first["path"], new))[1]["code"] == "not_found"
    assert (await regain(made["path"], {"password": "password"}))[1]["code"] == "bad_message"
    status, signed_in = await regain(made["path"], new)
    assert (status, signed_in["player"]["name"]) == (200, "Bob")
    assert (await regain(made["path"], new))[1]["code"] == "not_found"
    assert (await bob.get("/friends"))[1]["code"] == "unauthorized"
    assert (await sign_in(running_server, "Bob"))[1]["code"] == "bad_credentials"
    assert (await sign_in(running_server, "Bob", "nine black knaves"))[0] == 200
    assert made["path"].removeprefix("/access/") not in str(await log_of(host))


async def test_a_link_ends_after_three_days_and_does_not_help_who_is_banned(sqlite_server: RunningServer) -> None:
    host, bob = await with_role(sqlite_server, "Ada", "host"), await player(sqlite_server, "Bob")
    stranger = sqlite_server.stranger()
    body = {"password": "nine black knaves"}
    _, made = await act(host, bob.id, "access", WHY)
    body["code"] = made["path"].removeprefix("/access/")
    await act(host, bob.id, "ban", BAN)
    assert (await stranger.ask("PUT", "/account/access", body))[1]["code"] == "suspended"
    await act(host, bob.id, "ban", {**BAN, "banned": False})
    sqlite_server.clock.at += 3 * 24 * HOUR
    assert (await stranger.ask("PUT", "/account/access", body))[1]["code"] == "not_found"


@pytest.mark.parametrize(
    ("what", "body"),
    [("name", {"name": "Rowan", **WHY}), ("sessions", WHY), ("access", WHY)],
)
async def test_what_needs_a_name_is_refused_for_a_guest(
    sqlite_server: RunningServer, what: str, body: dict[str, Any]
) -> None:
    host, guest = await with_role(sqlite_server, "Ada", "host"), await sqlite_server.guest()
    status, refused = await act(host, guest.id, what, body)
    assert (status, refused["code"]) == (409, "conflict")
    assert (await guest.get("/friends"))[0] == 200


ACTS = [
    ("name", {"name": "Rowan", **WHY}),
    ("mute", {"until": 1_795_176_000_000 + HOUR, **WHY}),
    ("suspension", {"until": 1_795_176_000_000 + HOUR, **WHY}),
    ("ban", BAN),
    ("sessions", WHY),
    ("access", WHY),
]


@pytest.mark.parametrize(("what", "body"), ACTS)
async def test_nobody_acts_on_a_moderator_or_on_somebody_unknown(
    sqlite_server: RunningServer, what: str, body: dict[str, Any]
) -> None:
    host, mod = await with_role(sqlite_server, "Ada", "host"), await with_role(sqlite_server, "Mo", "moderator")
    assert (await act(host, mod.id, what, body))[1]["code"] == "forbidden"
    assert (await mod.get("/house/players"))[0] == 200
    for unknown in ("aaaaaaaaaaaaaaaa", "nothing"):
        assert (await act(host, unknown, what, body))[1]["code"] == "not_found"
    assert {one["act"] for one in await log_of(host)} == {"role_changed"}
