"""Entry: who may begin as a guest or create an account; who is here already stays."""

from typing import Any

import pytest

from tests.harness.hosts import PASSWORD, log_of, player, with_role
from tests.harness.people import Person
from tests.harness.running_server import RunningServer

DAY = 24 * 3600 * 1000


async def create(person: Person, name: str, invitation: str | None = None) -> tuple[int, Any]:
    """The answer to somebody who creates an account."""
    return await person.post("/account", {"name": name, "password": PASSWORD, "invitation": invitation})


async def change(host: Person, **entry: Any) -> None:
    """Change who may come in."""
    status, answer = await host.ask("PUT", "/house/entry", {"accounts": "open", "guests": True, **entry})
    assert status == 200, answer


async def test_an_account_is_created_in_one_step(running_server: RunningServer) -> None:
    ada = running_server.stranger()
    status, made = await create(ada, "Ada")
    assert (status, made["player"]["guest"]) == (200, False)
    assert (await ada.get("/session"))[1]["player"]["name"] == "Ada"
    assert (await create(running_server.stranger(), "ADA"))[1]["code"] == "name_taken"


async def test_a_closed_house_takes_nobody_new_and_keeps_everybody(running_server: RunningServer) -> None:
    host, guest = await with_role(running_server, "Ada", "host"), await running_server.guest()
    bob = await player(running_server, "Bob")
    await change(host, accounts="closed", guests=False)
    assert (await running_server.stranger().get("/house/entry"))[1] == {"accounts": "closed", "guests": False}
    for status, refused in (
        await running_server.stranger().post("/session/guest"),
        await create(running_server.stranger(), "Carol"),
        await create(guest, "Dora"),
    ):
        assert (status, refused["code"]) == (403, "forbidden")
    await guest.deal()
    await bob.deal()
    assert (await running_server.stranger().post("/session", {"name": "Bob", "password": PASSWORD}))[0] == 200
    assert (await create(bob, "Bob"))[0] == 200  # the same request again
    await change(host)
    assert (await create(guest, "Dora"))[0] == 200
    assert [(act["accounts"], act["guests"]) for act in (await log_of(host))[:2]] == [("open", True), ("closed", False)]


async def test_an_invitation_lets_in_as_many_as_it_says(running_server: RunningServer) -> None:
    host = await with_role(running_server, "Ada", "host")
    await change(host, accounts="invitation")
    status, made = await host.post("/house/invitations", {"uses": 2, "days": 7})
    assert (status, made["expires_at"]) == (200, running_server.clock.at + 7 * DAY)
    people = [running_server.stranger() for _ in range(3)] + [await running_server.guest()]
    assert (await create(people[0], "Bob"))[1]["code"] == "forbidden"
    assert (await create(people[0], "Bob", "x" * 43))[1]["code"] == "forbidden"
    assert (await create(people[0], "Bob", made["token"]))[0] == 200
    assert (await create(people[3], "BOB", made["token"]))[1]["code"] == "name_taken"  # which uses nothing up
    _, listed = await host.get("/house/invitations")
    assert [(one["id"], one["uses"]) for one in listed["invitations"]] == [(made["id"], 1)]
    assert made["token"] not in str(listed)
    assert (await create(people[3], "Carol", made["token"]))[0] == 200
    assert (await create(people[2], "Dora", made["token"]))[1]["code"] == "forbidden"
    assert (await host.get("/house/invitations"))[1]["invitations"] == []


async def test_an_invitation_ends_in_time_or_when_a_host_ends_it(sqlite_server: RunningServer) -> None:
    host = await with_role(sqlite_server, "Ada", "host")
    await change(host, accounts="invitation")
    _, stored = await host.post("/house/invitations", {"days": 1})
    _, ended = await host.post("/house/invitations", {"days": 1})
    status, left = await host.ask("DELETE", f"/house/invitations/{ended['id']}")
    assert (status, [one["id"] for one in left["invitations"]]) == (200, [stored["id"]])
    assert (await host.ask("DELETE", f"/house/invitations/{ended['id']}"))[1]["code"] == "not_found"
    assert (await create(sqlite_server.stranger(), "Bob", ended["token"]))[1]["code"] == "forbidden"
    sqlite_server.clock.at += DAY
    assert (await create(sqlite_server.stranger(), "Bob", stored["token"]))[1]["code"] == "forbidden"
    assert [act["act"] for act in (await log_of(host))[:3]] == ["invitation_ended", "invited", "invited"]


@pytest.mark.parametrize("purpose", ["access", "host"])
async def test_no_code_for_another_purpose_is_an_invitation(sqlite_server: RunningServer, purpose: str) -> None:
    host, bob = await with_role(sqlite_server, "Ada", "host"), await player(sqlite_server, "Bob")
    _, made = await host.ask("PUT", f"/house/players/{bob.id}/access", {"reason": "request"})
    code = made["path"].removeprefix("/access/")
    await change(host, accounts="invitation")
    if purpose == "access":
        assert (await create(sqlite_server.stranger(), "Carol", code))[1]["code"] == "forbidden"
    else:
        assert (await bob.ask("PUT", "/house/host", {"code": code}))[1]["code"] == "not_found"


async def test_a_hundred_invitations_are_enough(sqlite_server: RunningServer) -> None:
    host = await with_role(sqlite_server, "Ada", "host")
    for _ in range(100):
        assert (await host.post("/house/invitations"))[0] == 200
    status, refused = await host.post("/house/invitations")
    assert (status, refused["code"]) == (429, "too_many")
