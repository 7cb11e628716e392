"""Guesses at a password: how many are tried, who is locked out by them (nobody), and how long others wait."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import pytest
from argon2 import PasswordHasher

from cadogan.server.config import Settings
from cadogan.server.core.errors import BadMessage, RateLimited
from cadogan.server.subjects.accounts.passwords import (
    FIRST_TRIES_AT_ONCE,
    MAX_QUEUED_HASHES,
    MAX_WAITING,
    NETWORK_AT_ONCE,
    NICENESS,
    STRANGERS_AT_ONCE,
    Origin,
    Passwords,
    SignInLimits,
    add_device_mark,
    device_mark,
    read_marks,
    refuse_easy_password,
)
from tests.harness.hosts import player
from tests.harness.patience import soon
from tests.harness.running_server import RunningServer, open_server

ADA, HASH = "m3x5q7a2b4c6d2ef", "$argon2id$Ada's"
PASSWORD = "eight red queens"


def tried(limits: SignInLimits, *origins: Origin, name: str = "ada") -> int:
    """How many of these attempts are let through."""
    count = 0
    for origin in origins:
        with suppress(RateLimited):
            limits.take(name, origin, ADA, HASH)
            count += 1
    return count


def test_of_many_guesses_at_one_name_from_many_addresses_few_are_tried() -> None:
    guesses = [Origin(f"192.0.2.{number % 20}") for number in range(200)]
    assert tried(SignInLimits(), *guesses) == STRANGERS_AT_ONCE + 20
    everywhere = [Origin(f"10.{number // 250}.{number % 250}.1") for number in range(2_000)]
    assert tried(SignInLimits(), *everywhere) == STRANGERS_AT_ONCE + FIRST_TRIES_AT_ONCE


def test_strangers_who_reach_every_process_may_try_no_more_than_at_one() -> None:
    processes = [SignInLimits(4) for _ in range(4)]
    everywhere = [Origin(f"10.{number // 250}.{number % 250}.1") for number in range(2_000)]
    at_each = [tried(limits, *everywhere) for limits in processes]
    assert min(at_each) > 0
    assert sum(at_each) <= STRANGERS_AT_ONCE + FIRST_TRIES_AT_ONCE


@pytest.mark.parametrize(
    "owner",
    [
        Origin("198.51.100.7"),
        Origin("203.0.113.9", read_marks(add_device_mark("another.\u00e9", device_mark(ADA, HASH)))),
        Origin("203.0.113.9", (), ADA),
    ],
    ids=["from the same address", "in the same browser", "signed in"],
)
def test_guesses_of_others_do_not_lock_out_who_has_signed_in_before(owner: Origin) -> None:
    limits = SignInLimits()
    limits.remember("ada", Origin("198.51.100.7"))
    tried(limits, *[Origin(f"10.{number // 250}.{number % 250}.1") for number in range(2_000)])
    assert limits.take("ada", owner, ADA, HASH).is_known
    assert tried(limits, owner, *[owner] * 50) < 15
    assert tried(limits, Origin("203.0.113.10", (device_mark(ADA, "an older hash"),))) == 0


def test_the_owner_may_try_from_a_new_place_while_others_guess() -> None:
    limits = SignInLimits()
    tried(limits, *[Origin(f"192.0.2.{number % 20}") for number in range(200)])
    assert tried(limits, Origin("203.0.113.9")) == 1


def test_only_failures_are_charged_and_no_network_takes_all_of_what_strangers_have() -> None:
    limits = SignInLimits()
    for _ in range(1000):
        limits.take("ada", Origin("192.0.2.7")).give_back()
    assert tried(limits, *[Origin("192.0.2.7")] * STRANGERS_AT_ONCE) == STRANGERS_AT_ONCE
    names = [tried(limits, Origin("192.0.2.7"), name=f"name {number}") for number in range(1000)]
    assert sum(names) == NETWORK_AT_ONCE - STRANGERS_AT_ONCE
    assert tried(limits, Origin("192.0.2.8"), name="name 999") == 1


def test_one_browser_keeps_the_marks_of_a_few_players() -> None:
    cookie = None
    for number in range(8):
        cookie = add_device_mark(cookie, device_mark(str(number), HASH))
    assert list(read_marks(cookie)) == [device_mark(str(number), HASH) for number in (7, 6, 5, 4, 3)]


class SlowHasher:
    """Computes nothing, and takes until it is told to go on."""

    memory_cost = time_cost = parallelism = 1
    salt_len = hash_len = 16

    def __init__(self) -> None:
        self.go_on = threading.Event()

    def verify(self, hash: str, password: str) -> bool:
        return self.go_on.wait(soon())


async def test_few_passwords_wait_and_those_of_known_players_wait_for_no_stranger() -> None:
    slow: Any = SlowHasher()
    passwords = Passwords(slow)
    waiting = [asyncio.ensure_future(passwords.verify(HASH, "a guess")) for _ in range(200)]
    refused, _ = await asyncio.wait(waiting, timeout=0.01)
    known = asyncio.ensure_future(passwords.verify(HASH, PASSWORD, known=True))
    assert len(refused) == 200 - 1 - MAX_WAITING
    for one in refused:
        error = one.exception()
        assert isinstance(error, RateLimited)
        assert error.retry_after
    slow.go_on.set()
    assert await known
    assert all(await asyncio.gather(*(set(waiting) - refused)))


async def test_one_network_has_a_few_places_of_those_that_strangers_have() -> None:
    slow: Any = SlowHasher()
    passwords = Passwords(slow)
    of_one = [asyncio.ensure_future(passwords.verify(HASH, "a guess", who="192.0.2.7")) for _ in range(200)]
    refused, waiting = await asyncio.wait(of_one, timeout=0.01)
    assert len(waiting) == MAX_QUEUED_HASHES
    assert all(isinstance(one.exception(), RateLimited) for one in refused)
    other = asyncio.ensure_future(passwords.verify(HASH, PASSWORD, who="192.0.2.8"))
    slow.go_on.set()
    assert await other
    assert all(await asyncio.gather(*waiting))


@pytest.mark.parametrize(
    ("password", "name"),
    [
        *(
            ("password", "Ada"),
            ("Password1!", "Ada"),
            ("12345678", "Ada"),
            ("qwertyuiop", "Ada"),
            ("!!dragon99", "Ada"),
        ),
        *(
            ("ｐａｓｓｗｏｒｄ", "Ada"),
            ("drowssap", "Ada"),
            ("aaaaaaaaaa", "Ada"),
            ("abababab", "Ada"),
            ("cadogan2026", "Ada"),
        ),
        *(
            ("ada lovelace", "Ada Lovelace"),
            ("AdaLovelace1", "AdaLovelace"),
            ("adaadaada", "Ada"),
            ("ecalevolada", "AdaLovelace"),
        ),
        ("--------", "Ada"),
    ],
)
def test_an_easy_password_is_refused(password: str, name: str) -> None:
    with pytest.raises(BadMessage):
        refuse_easy_password(password, name)


@pytest.mark.parametrize("password", [PASSWORD, "Café noir", "correct horse", "Ada's eight queens", "x7!kQ2#p"])
def test_other_passwords_are_allowed(password: str) -> None:
    refuse_easy_password(password, "Ada")


@pytest.fixture
async def proxied(sqlite_url: str) -> AsyncIterator[RunningServer]:
    """A server behind a proxy, which says from where requests come."""
    async with open_server(Settings(database_url=sqlite_url, proxies=1)) as one:
        yield one


@pytest.mark.slow
async def test_two_hundred_guesses_from_twenty_addresses_leave_the_server_and_the_owner_alone(
    proxied: RunningServer,
) -> None:
    ada = await proxied.guest()
    assert (await ada.post("/account", {"name": "Ada", "password": "password"}))[0] == 400
    assert (await ada.post("/account", {"name": "Ada", "password": PASSWORD}))[0] == 200

    async def sign_in(password: str, address: str) -> int:
        body, headers = {"name": "Ada", "password": password}, {"X-Forwarded-For": address}
        async with proxied.session.post(f"{proxied.url}/api/v1/session", json=body, headers=headers) as answer:
            refusal = await answer.json()
            assert (answer.status == 429) == (refusal.get("code") == "rate_limited" and refusal["retry_after"] > 0)
            return answer.status

    assert await sign_in(PASSWORD, "198.51.100.7") == 200
    addresses = [f"192.0.2.{number}" for number in range(20)]
    guesses = [asyncio.ensure_future(sign_in(f"my guess {n}", addresses[n % 20])) for n in range(200)]
    assert await sign_in(PASSWORD, "198.51.100.7") == 200
    statuses = await asyncio.gather(*guesses)
    assert set(statuses) == {401, 429}
    assert statuses.count(401) <= STRANGERS_AT_ONCE + len(addresses)  # then each network has one try
    assert (await proxied.stranger().get("/rules"))[0] == 200


@pytest.mark.slow
async def test_guesses_at_the_own_password_are_limited_for_each_player_from_wherever_they_come(
    proxied: RunningServer,
) -> None:
    ada = await player(proxied, "Ada")
    statuses = []
    for number in range(12):
        headers = {**ada.headers, "X-Forwarded-For": f"192.0.2.{number}"}
        body = {"old": "not my password", "new": "nine black knaves"}
        address = f"{proxied.url}/api/v1/account/password"
        async with proxied.session.put(address, json=body, headers=headers) as answer:
            statuses.append(answer.status)
    assert statuses[:10] == [401] * 10
    assert statuses[-1] == 429


class NicenessHasher(PasswordHasher):
    """Returns, for a hash, the priority of the thread that computes it."""

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        return str(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))


@pytest.mark.skipif("sys.platform != 'linux'", reason="threads have priorities on Linux alone")
async def test_what_computes_a_hash_gives_way_to_the_event_loop() -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert int(await Passwords(NicenessHasher()).hash("eight red queens", "Ada")) == min(own + NICENESS, 19)
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == own
