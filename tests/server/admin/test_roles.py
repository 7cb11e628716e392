"""Hosts and moderators: how they are made and unmade, and that one host is always left."""

import asyncio

import pytest

from cadogan.server.core.errors import Conflict
from cadogan.wire.admin import Why
from tests.harness.hosts import WHY, log_of, player, roles, with_role
from tests.harness.running_server import RunningServer

CHANGE = {"role": "moderator", **WHY}


async def test_a_host_makes_a_moderator_and_unmakes_them_and_the_log_says_so(running_server: RunningServer) -> None:
    ada, bob = await with_role(running_server, "Ada", "host"), await player(running_server, "Bob")
    status, changed = await ada.ask("PUT", f"/house/players/{bob.id}/role", CHANGE)
    assert (status, changed["role"]) == (200, "moderator")
    assert (await bob.get("/session"))[1]["role"] == "moderator"
    assert (await bob.get("/house/players?name=bo"))[1]["players"][0]["player"]["name"] == "Bob"
    status, changed = await ada.ask("PUT", f"/house/players/{bob.id}/role", {**CHANGE, "role": None})
    assert (status, "role" in changed) == (200, False)
    assert (await bob.get("/house/players"))[1]["code"] == "forbidden"
    last, first, _ = await log_of(ada)
    assert (first["act"], first["by"]["name"], first["player"]["name"]) == ("role_changed", "Ada", "Bob")
    assert (first["role"], first["reason"], first["note"]) == ("moderator", "conduct", "Warned before.")
    assert first["at"] == running_server.clock.at
    assert "role" not in last


async def test_the_same_change_again_is_not_in_the_log_twice(sqlite_server: RunningServer) -> None:
    ada, bob = await with_role(sqlite_server, "Ada", "host"), await player(sqlite_server, "Bob")
    for _ in range(2):
        assert (await ada.ask("PUT", f"/house/players/{bob.id}/role", CHANGE))[0] == 200
    assert [act["version"] for act in await log_of(ada)] == [2, 1]


async def test_the_last_host_stays_a_host(running_server: RunningServer) -> None:
    ada, bob = await with_role(running_server, "Ada", "host"), await with_role(running_server, "Bob", "host")
    leave = {"role": None, "reason": "request"}
    assert (await ada.ask("PUT", f"/house/players/{ada.id}/role", leave))[0] == 200
    status, refused = await bob.ask("PUT", f"/house/players/{bob.id}/role", {**leave, "role": "moderator"})
    assert (status, refused["code"]) == (409, "conflict")
    assert (await bob.get("/session"))[1]["role"] == "host"


@pytest.mark.both_databases
async def test_two_hosts_who_leave_at_once_leave_one_host(running_server: RunningServer) -> None:
    hosts = [await with_role(running_server, name, "host") for name in ("Ada", "Bob")]
    leaving = [roles(running_server).change(None, one.id, None, Why(reason="request")) for one in hosts]
    ended = await asyncio.gather(*leaving, return_exceptions=True)
    assert [type(one) for one in ended if one is not None] == [Conflict]


@pytest.mark.parametrize("kind", ["guest", "bot", "suspended"])
async def test_only_who_has_an_account_and_may_use_it_becomes_a_moderator(
    sqlite_server: RunningServer, kind: str
) -> None:
    ada, bob = await with_role(sqlite_server, "Ada", "host"), await player(sqlite_server, "Bob")
    chosen = bob.id
    if kind == "guest":
        chosen = (await sqlite_server.guest()).id
    elif kind == "bot":
        chosen = (await bob.post("/bots", {"name": "Marvin"}))[1]["player"]["id"]
    else:
        await ada.ask("PUT", f"/house/players/{bob.id}/ban", {"banned": True, **WHY})
    status, refused = await ada.ask("PUT", f"/house/players/{chosen}/role", CHANGE)
    assert (status, refused["code"]) == (409, "conflict")


async def test_a_role_of_nobody_is_not_found(sqlite_server: RunningServer) -> None:
    ada = await with_role(sqlite_server, "Ada", "host")
    status, refused = await ada.ask("PUT", "/house/players/aaaaaaaaaaaaaaaa/role", CHANGE)
    assert (status, refused["code"]) == (404, "not_found")


async def test_the_first_code_makes_one_host_and_no_second(running_server: RunningServer) -> None:
    code = await roles(running_server).first_host_code()
    assert code is not None
    assert await roles(running_server).first_host_code() is None  # it was printed already
    guest, ada, bob = await running_server.guest(), await player(running_server, "Ada"), None
    bob = await player(running_server, "Bob")
    assert (await ada.ask("PUT", "/house/host", {"code": "x" * 43}))[1]["code"] == "not_found"
    assert (await guest.ask("PUT", "/house/host", {"code": code}))[1]["code"] == "conflict"
    status, answer = await ada.ask("PUT", "/house/host", {"code": code})
    assert (status, answer["role"]) == (200, "host")
    assert (await bob.ask("PUT", "/house/host", {"code": code}))[1]["code"] == "not_found"
    assert await roles(running_server).first_host_code() is None  # there is a host
    (act,) = await log_of(ada)
    assert (act["by"]["name"], act["player"]["name"], act["role"]) == ("Ada", "Ada", "host")


async def test_a_first_code_that_was_not_used_ends_when_somebody_becomes_a_host_otherwise(
    sqlite_server: RunningServer,
) -> None:
    code = await roles(sqlite_server).first_host_code()
    ada, bob = await with_role(sqlite_server, "Ada", "host"), await player(sqlite_server, "Bob")
    assert (await bob.ask("PUT", "/house/host", {"code": code}))[1]["code"] == "not_found"
    assert (await ada.get("/session"))[1]["role"] == "host"
