"""Passkeys: they sign in, confirm and create accounts; an answer that is not right in any way does none of it."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from cadogan.server.core.errors import RateLimited
from cadogan.server.core.web.requests import SERVER
from cadogan.server.subjects.accounts.passkeys import CHALLENGE_MILLISECONDS, MAX_PASSKEYS
from tests.harness.authenticator import Authenticator, encode
from tests.harness.hosts import PASSWORD, WHY, confirm, player, with_role
from tests.harness.people import Person
from tests.harness.running_server import RunningServer

Answer = dict[str, Any]
pytestmark = pytest.mark.usefixtures("no_limits")


@pytest.fixture
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test may try as often as it likes."""
    monkeypatch.setattr("cadogan.server.core.rate_limits.ACCOUNTS_AT_ONCE", 1000)


async def challenge(person: Person, path: str = "/session/passkey/challenge") -> Answer:
    """What the server wants to have signed."""
    status, answer = await person.post(path)
    assert status == 200, answer
    made: Answer = answer
    return made


async def add(person: Person, device: Authenticator, name: str = "Phone") -> tuple[int, Any]:
    """The answer to somebody who adds a passkey."""
    made = device.make(await challenge(person, "/account/passkey/challenge"), name)
    return await person.ask("PUT", "/passkeys", made)


async def with_passkey(running_server: RunningServer, name: str) -> tuple[Person, Authenticator]:
    """A player with a passkey, and the device that has it."""
    person, device = await player(running_server, name), Authenticator(running_server.url)
    await confirm(person)
    status, answer = await add(person, device)
    assert status == 200, answer
    return person, device


async def sign_in(running_server: RunningServer, device: Authenticator) -> tuple[int, Any]:
    """The answer to somebody who signs in with the passkey of this device."""
    stranger = running_server.stranger()
    return await stranger.post("/session/passkey", device.sign(await challenge(stranger)))


async def test_a_passkey_signs_in_without_a_name_or_a_password(running_server: RunningServer) -> None:
    ada, device = await with_passkey(running_server, "Ada")
    await with_passkey(running_server, "Bob")
    running_server.clock.at += 1000
    status, signed_in = await sign_in(running_server, device)
    assert (status, signed_in["player"]["id"]) == (200, ada.id)
    _, listed = await ada.get("/passkeys")
    assert [(one["name"], one["used_at"]) for one in listed["passkeys"]] == [("Phone", running_server.clock.at)]
    assert (await sign_in(running_server, device))[0] == 200


@pytest.mark.both_databases
async def test_adding_and_removing_one_needs_a_confirmation(running_server: RunningServer) -> None:
    ada, device = await player(running_server, "Ada"), Authenticator(running_server.url)
    assert (await add(ada, device))[1]["code"] == "confirmation_needed"
    await confirm(ada)
    status, added = await add(ada, device, "Key ring")
    assert (status, [one["name"] for one in added["passkeys"]]) == (200, ["Key ring"])
    bob = await player(running_server, "Bob")
    await confirm(bob)
    passkey = added["passkeys"][0]["id"]
    assert (await bob.ask("DELETE", f"/passkeys/{passkey}"))[1]["code"] == "not_found"
    assert await ada.ask("DELETE", f"/passkeys/{passkey}") == (200, {"passkeys": []})
    assert (await sign_in(running_server, device))[1]["code"] == "bad_credentials"


async def test_a_passkey_confirms_where_a_password_would(running_server: RunningServer) -> None:
    ada, device = await with_passkey(running_server, "Ada")
    running_server.clock.at += 11 * 60 * 1000
    assert (await ada.ask("PUT", "/account/recovery-codes"))[1]["code"] == "confirmation_needed"
    status, _ = await ada.ask("PUT", "/session/passkey/confirmation", device.sign(await challenge(ada)))
    assert status == 200
    assert (await ada.ask("PUT", "/account/recovery-codes"))[0] == 200


async def test_the_passkey_of_another_player_confirms_nothing(sqlite_server: RunningServer) -> None:
    _, device = await with_passkey(sqlite_server, "Ada")
    bob = await player(sqlite_server, "Bob")
    answer = await bob.ask("PUT", "/session/passkey/confirmation", device.sign(await challenge(bob)))
    assert answer[1]["code"] == "bad_credentials"
    assert (await bob.ask("PUT", "/account/recovery-codes"))[1]["code"] == "confirmation_needed"


def with_other_origin(device: Authenticator, asked: Answer) -> Answer:
    device.origin = "https://evil.example"
    return device.sign(asked)


def with_other_site(device: Authenticator, asked: Answer) -> Answer:
    return device.sign({**asked, "site": "evil.example"})


def with_other_challenge(device: Authenticator, asked: Answer) -> Answer:
    return device.sign({**asked, "challenge": encode(bytes(32))})


def with_other_key(device: Authenticator, asked: Answer) -> Answer:
    known = list(device.keys)[-1]
    device.make(asked)
    device.keys[known] = device.keys[list(device.keys)[-1]]
    return device.sign(asked, known)


def with_unknown_key(device: Authenticator, asked: Answer) -> Answer:
    device.make(asked)
    return device.sign(asked)


def without_verification(device: Authenticator, asked: Answer) -> Answer:
    device.flags = 0b001
    return device.sign(asked)


def with_count_going_back(device: Authenticator, asked: Answer) -> Answer:
    device.count = 1
    return device.sign(asked)


def as_new_passkey(device: Authenticator, asked: Answer) -> Answer:
    return {**device.sign(asked), "client_data": device.make(asked)["client_data"]}


def with_garbage(device: Authenticator, asked: Answer) -> Answer:
    return {**device.sign(asked), "authenticator_data": "AAAA"}


def with_no_json(device: Authenticator, asked: Answer) -> Answer:
    return {**device.sign(asked), "client_data": "AAAA"}


WRONG = [
    with_other_origin,
    with_other_site,
    with_other_challenge,
    with_other_key,
    with_unknown_key,
    without_verification,
    with_count_going_back,
    as_new_passkey,
    with_garbage,
    with_no_json,
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda one: one.__name__)
async def test_an_answer_that_is_not_right_signs_nobody_in(
    sqlite_server: RunningServer, wrong: Callable[[Authenticator, Answer], Answer]
) -> None:
    _, device = await with_passkey(sqlite_server, "Ada")
    device.count = 9
    assert (await sign_in(sqlite_server, device))[0] == 200
    stranger = sqlite_server.stranger()
    answer = wrong(device, await challenge(stranger))
    status, refused = await stranger.post("/session/passkey", answer)
    assert (status, refused["code"]) == (401, "bad_credentials")


async def test_every_wrong_answer_gets_the_same_refusal(sqlite_server: RunningServer) -> None:
    refusals = []
    for name, wrong in (("Ada", with_unknown_key), ("Bob", with_other_key), ("Carol", with_other_origin)):
        _, device = await with_passkey(sqlite_server, name)
        stranger = sqlite_server.stranger()
        refusals.append(await stranger.post("/session/passkey", wrong(device, await challenge(stranger))))
    assert refusals[0] == refusals[1] == refusals[2]


async def test_an_answer_is_good_once_and_for_five_minutes(running_server: RunningServer) -> None:
    _, device = await with_passkey(running_server, "Ada")
    stranger = running_server.stranger()
    answer = device.sign(await challenge(stranger))
    assert (await stranger.post("/session/passkey", answer))[0] == 200
    assert (await running_server.stranger().post("/session/passkey", answer))[1]["code"] == "bad_credentials"
    late = await challenge(running_server.stranger())
    running_server.clock.at += CHALLENGE_MILLISECONDS
    refused = await running_server.stranger().post("/session/passkey", device.sign(late))
    assert refused[1]["code"] == "bad_credentials"


@pytest.mark.parametrize("key", ["origin", "site", "challenge", "flags", "attestation", "whose"])
async def test_a_new_passkey_that_is_not_right_is_not_added(sqlite_server: RunningServer, key: str) -> None:
    ada, device = await player(sqlite_server, "Ada"), Authenticator(sqlite_server.url)
    await confirm(ada)
    asked = await challenge(ada, "/account/passkey/challenge")
    if key == "origin":
        device.origin = "https://evil.example"
    if key == "flags":
        device.flags = 0b001
    if key == "whose":
        asked = await challenge(sqlite_server.stranger(), "/account/passkey/challenge")
    changes = {"site": "evil.example", "challenge": encode(bytes(32))}
    made = device.make({**asked, **({key: changes[key]} if key in changes else {})})
    if key == "attestation":
        made["attestation"] = "oA"
    assert (await ada.ask("PUT", "/passkeys", made))[1]["code"] == "bad_credentials"
    assert (await ada.get("/passkeys"))[1] == {"passkeys": []}


async def test_a_passkey_is_of_one_player_only_and_a_player_has_some_only(sqlite_server: RunningServer) -> None:
    ada, device = await with_passkey(sqlite_server, "Ada")
    (credential,) = device.keys
    asked = await challenge(ada, "/account/passkey/challenge")
    assert asked["known"] == [credential]
    for _ in range(MAX_PASSKEYS - 1):
        assert (await add(ada, device))[0] == 200
    assert (await add(ada, device))[1]["code"] == "too_many"


async def test_an_account_is_created_with_a_passkey_and_no_password(running_server: RunningServer) -> None:
    guest, device = await running_server.guest(), Authenticator(running_server.url)
    game = await guest.deal()
    made = {**device.make(await challenge(guest, "/account/passkey/challenge")), "player": "Ada"}
    status, account = await guest.post("/account/passkey", made)
    assert (status, account["player"]["id"], len(account["recovery_codes"])) == (200, guest.id, 10)
    ada = running_server.stranger()
    ada.token = account["token"]
    assert (await ada.get(f"/games/{game}"))[1]["sight"] == "seat"
    assert (await sign_in(running_server, device))[1]["player"]["name"] == "Ada"
    by_password = await running_server.stranger().post("/session", {"name": "Ada", "password": PASSWORD})
    assert by_password[1]["code"] == "bad_credentials"
    for path, body in (
        ("/session/confirmation", {"password": PASSWORD}),
        ("/account/password", {"old": PASSWORD, "new": PASSWORD}),
    ):
        status, refused = await ada.ask("PUT", path, body)
        assert (status, refused["code"]) == (409, "conflict")
        assert "choose another way" in refused["message"]


async def test_the_only_way_into_an_account_is_not_removed(running_server: RunningServer) -> None:
    stranger, device = running_server.stranger(), Authenticator(running_server.url)
    made = {**device.make(await challenge(stranger, "/account/passkey/challenge")), "player": "Ada"}
    _, account = await stranger.post("/account/passkey", made)
    ada = running_server.stranger()
    ada.token = account["token"]
    (one,) = (await ada.get("/passkeys"))[1]["passkeys"]
    assert (await ada.ask("DELETE", f"/passkeys/{one['id']}"))[1]["code"] == "confirmation_needed"
    assert (await ada.ask("PUT", "/session/passkey/confirmation", device.sign(await challenge(ada))))[0] == 200
    assert (await ada.ask("DELETE", f"/passkeys/{one['id']}"))[1]["code"] == "conflict"
    code = {"name": "Ada", "code": account["recovery_codes"][0], "password": "nine black knaves"}
    _, recovered = await running_server.stranger().ask("PUT", "/account/recovery", code)
    ada.token = recovered["token"]
    assert (await ada.ask("PUT", "/session/confirmation", {"password": "nine black knaves"}))[0] == 200
    assert (await ada.ask("DELETE", f"/passkeys/{one['id']}"))[0] == 200


async def test_a_name_that_is_taken_is_refused_and_nothing_is_made(sqlite_server: RunningServer) -> None:
    await player(sqlite_server, "Ada")
    stranger, device = sqlite_server.stranger(), Authenticator(sqlite_server.url)
    made = {**device.make(await challenge(stranger, "/account/passkey/challenge")), "player": "ada"}
    assert (await stranger.post("/account/passkey", made))[1]["code"] == "name_taken"
    assert (await sign_in(sqlite_server, device))[1]["code"] == "bad_credentials"


async def test_a_closed_house_takes_nobody_with_a_passkey_either(sqlite_server: RunningServer) -> None:
    host = await with_role(sqlite_server, "Mo", "host")
    assert (await host.ask("PUT", "/house/entry", {"accounts": "closed", "guests": True}))[0] == 200
    stranger, device = sqlite_server.stranger(), Authenticator(sqlite_server.url)
    made = {**device.make(await challenge(stranger, "/account/passkey/challenge")), "player": "Ada"}
    assert (await stranger.post("/account/passkey", made))[1]["code"] == "forbidden"


async def test_who_is_banned_is_told_so(sqlite_server: RunningServer) -> None:
    host = await with_role(sqlite_server, "Mo", "host")
    ada, device = await with_passkey(sqlite_server, "Ada")
    await host.ask("PUT", f"/house/players/{ada.id}/ban", {"banned": True, **WHY})
    assert (await sign_in(sqlite_server, device))[1]["code"] == "suspended"


async def test_a_guest_adds_none(sqlite_server: RunningServer) -> None:
    guest = await sqlite_server.guest()
    assert (await add(guest, Authenticator(sqlite_server.url)))[1]["code"] == "conflict"


async def test_one_address_asks_for_some_challenges_only(sqlite_server: RunningServer) -> None:
    limit = sqlite_server.app[SERVER].limits.sign_in
    stranger = sqlite_server.stranger()
    for path in ("/session/passkey/challenge", "/account/passkey/challenge"):
        assert (await stranger.post(path))[0] == 200
    with suppress(RateLimited):
        for _ in range(2000):
            limit.take("127.0.0.1")
    for path in ("/session/passkey/challenge", "/account/passkey/challenge"):
        status, refused = await stranger.post(path)
        assert (status, refused["code"]) == (429, "rate_limited")
