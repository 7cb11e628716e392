"""Sending: encrypted and signed as the standards say, retried for a while, and no slow service holds up another."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace

import pytest
from aiohttp import ClientSession

from cadogan.server.core.outbox import BACKOFF_MILLISECONDS, UNPROVEN_AT_ONCE, Answer
from cadogan.server.core.web.requests import SERVER
from cadogan.server.subjects.news import requests
from cadogan.server.subjects.news.notifications.devices import MAX_UNPROVEN, TOKEN_SECONDS
from cadogan.server.subjects.news.notifications.sender import MAX_FAILURES, PAUSES
from cadogan.server.subjects.news.requests import Outgoing
from tests.harness.hosts import player, with_role
from tests.harness.patience import soon
from tests.harness.push_service import Device, PushService, decode, encode
from tests.harness.race_actions import make_race
from tests.harness.rebinding import Rebinding
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server
from tests.harness.two_nodes import TwoNodes
from tests.server.news.notifications.conftest import SETTINGS, look_and_send, on_both, switch_on


def test_the_device_of_these_tests_reads_the_example_of_the_standard() -> None:
    private = int.from_bytes(decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), "big")
    device = Device("", "", private, decode("BTBZMqHH6r4Tts7J_aSIgg"))
    body = (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3"
        "jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    assert device.decrypt(decode(body)) == b"When I grow up, I want to be a watermelon"


async def test_a_test_arrives_at_the_device_that_asks_signed_with_the_key_that_its_page_was_given(
    server: RunningServer, service: PushService
) -> None:
    ada = await player(server, "Ada")
    phone = service.device("phone")
    await switch_on(ada, phone, "day_opened", language="de")
    status, shown = await ada.post("/account/notifications/test")
    assert (status, shown["device"]["topics"]) == (200, ["day_opened"])
    await look_and_send(server)
    await look_and_send(server)
    (one,) = service.arrived
    assert one.path == phone.path
    assert one.shown == {
        "title": "Cadogan",
        "body": "Das ist ein Test. Benachrichtigungen kommen hier an.",
        "url": "/account",
        "tag": "test/",
    }
    assert one.key == shown["key"]
    assert one.claims["sub"] == "mailto:club@patience.example"
    assert one.claims["exp"] == server.clock.at // 1000 + TOKEN_SECONDS
    assert int(one.headers["TTL"]) > 0


async def test_the_same_test_asked_for_again_is_sent_once(server: RunningServer, service: PushService) -> None:
    ada = await player(server, "Ada")
    await switch_on(ada, service.device("phone"), "day_opened")
    for _ in range(2):
        headers = {**ada.headers, "Idempotency-Key": "one"}
        url = f"{ada.url}/api/v1/account/notifications/test"
        async with ada.session.post(url, headers=headers) as answer:
            assert answer.status == 200
    await look_and_send(server)
    assert len(service.arrived) == 1


async def test_somebody_who_asks_for_many_tests_has_to_wait(server: RunningServer, service: PushService) -> None:
    ada = await player(server, "Ada")
    await switch_on(ada, service.device("phone"), "day_opened")
    answers = [(await ada.post("/account/notifications/test"))[0] for _ in range(5)]
    assert answers == [200, 200, 200, 429, 429]


async def test_what_fails_is_sent_again_with_growing_pauses_as_long_as_it_is_news(
    server: RunningServer, service: PushService
) -> None:
    ada, bob = await player(server, "Ada"), await player(server, "Bob")
    await switch_on(ada, service.device("phone"), "race_started")
    service.answers = [503, 503, 503, 503]
    await make_race(ada, bob)
    await look_and_send(server)
    for asked, pause in ((1, PAUSES[0]), (2, PAUSES[1])):
        assert service.asked == asked
        server.clock.at += pause - 1
        await look_and_send(server)
        assert service.asked == asked
        server.clock.at += pause // 4 + 1
        await look_and_send(server)
    assert service.asked == 3
    server.clock.at += PAUSES[2] * 2  # five minutes after its start nobody is called to a race
    await look_and_send(server)
    assert (service.asked, service.arrived) == (3, [])


async def test_a_service_says_when_to_try_again(server: RunningServer, service: PushService) -> None:
    ada = await player(server, "Ada")
    await switch_on(ada, service.device("phone"), "day_opened")
    await ada.post("/account/notifications/test")
    service.answers, service.retry_after = [429], "300"
    await look_and_send(server)
    server.clock.at += 299_000
    await look_and_send(server)
    assert service.asked == 1
    server.clock.at += 1_000
    await look_and_send(server)
    assert len(service.arrived) == 1


@pytest.mark.parametrize("status", [404, 410])
async def test_a_device_that_the_service_does_not_know_any_more_is_forgotten(
    server: RunningServer, service: PushService, status: int
) -> None:
    ada = await player(server, "Ada")
    await switch_on(ada, service.device("phone"), "day_opened")
    await ada.post("/account/notifications/test")
    service.answers = [status]
    await look_and_send(server)
    assert (await ada.get("/account/notifications"))[1].get("device") is None
    assert (await ada.post("/account/notifications/test"))[0] == 404
    await look_and_send(server)
    assert service.asked == 1


async def test_a_device_to_which_nothing_arrives_any_more_is_forgotten(
    server: RunningServer, service: PushService
) -> None:
    ada = await player(server, "Ada")
    await switch_on(ada, service.device("phone"), "race_started")
    bob = await player(server, "Bob")
    service.answers = [403] * MAX_FAILURES
    for count in range(MAX_FAILURES):
        assert (await ada.get("/account/notifications"))[1]["device"] is not None, count
        await make_race(ada, bob)
        await look_and_send(server)
    assert service.asked == MAX_FAILURES
    assert (await ada.get("/account/notifications"))[1].get("device") is None


async def close(writer: asyncio.StreamWriter) -> None:
    """Close a connection, and wait until it is."""
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


@asynccontextmanager
async def silent_services(count: int) -> AsyncIterator[tuple[list[str], list[str]]]:
    """Push services that take connections and never answer: their addresses, and who was connected to, so far."""
    asked = list[str]()
    async with AsyncExitStack() as stack:
        urls = []

        async def listen() -> None:
            def never_answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                asked.append(str(writer.get_extra_info("sockname")[1]))
                stack.push_async_callback(close, writer)

            listening = await stack.enter_async_context(await asyncio.start_server(never_answer, "127.0.0.1", 0))
            urls.append(f"https://127.0.0.1:{listening.sockets[0].getsockname()[1]}")

        for _ in range(count):
            await listen()
        yield urls, asked


async def test_a_silent_service_rests_longer_each_time_with_all_that_waits_for_it(
    server: RunningServer, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    send, asked = requests.send, list[str]()

    async def send_briefly(session: ClientSession, request: Outgoing, seconds: float) -> Answer:
        if not request.url.startswith(silent):
            return await send(session, request, soon())
        asked.append(request.url)
        return await send(session, request, 0.05)

    monkeypatch.setattr(requests, "send", send_briefly)
    people = [await server.guest() for _ in range(12)]
    async with silent_services(1) as ((silent,), _):
        for number, person in enumerate(people):
            device = Device(silent, f"/{number}") if number < 11 else service.device("phone")
            await switch_on(person, device, "day_opened")
            await person.post("/account/notifications/test")
        for rest, tried in ((1, 1), (2, 2), (4, 3)):
            await look_and_send(server)
            assert len(asked) == tried
            server.clock.at += BACKOFF_MILLISECONDS * rest - 1
            await look_and_send(server)
            assert len(asked) == tried
            server.clock.at += BACKOFF_MILLISECONDS * rest // 4 + 1
        assert [one.path for one in service.arrived] == ["/send/phone"]


async def test_forty_silent_services_of_one_address_hold_up_nobody_else(
    service: PushService, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        open_server(replace(SETTINGS, database_url=sqlite_url, proxies=1)) as server,
        silent_services(40) as (silent, asked),
    ):
        answers = []
        for number, url in enumerate(silent):
            guest = await server.guest()
            guest.session.headers["X-Forwarded-For"] = "192.0.2.7"
            body = Device(url, f"/{number}").subscription("day_opened")
            answers.append((await guest.ask("PUT", "/account/notifications", body))[1].get("code"))
            await guest.post("/account/notifications/test")
        assert answers == [None] * MAX_UNPROVEN + ["too_many"] * (40 - MAX_UNPROVEN)
        guest.session.headers["X-Forwarded-For"] = "198.51.100.7"
        sender = server.app[SERVER].news.notifier.sender
        await sender.start_due()
        ada = await player(server, "Ada")
        for _ in range(2):  # the first time at a service that nobody knows, the second at one that is proven
            await switch_on(ada, service.device("phone"), "day_opened")
            await ada.post("/account/notifications/test")
            await sender.start_due()
            await service.next()  # while others still wait for their answers
            server.clock.at += 3_600_000
        assert 0 < len(asked) <= UNPROVEN_AT_ONCE
        stopping = asyncio.Event()
        stopping.set()
        await sender.send_due(stopping)


@pytest.mark.both_databases
async def test_two_nodes_send_everything_once(nodes: TwoNodes, service: PushService) -> None:
    people = [await nodes.first.guest() for _ in range(20)]
    for number, person in enumerate(people):
        await switch_on(person, service.device(f"{number}"), "day_opened")
        await person.post("/account/notifications/test")
    nodes.first.clock.at += 12 * 3_600_000
    await on_both(nodes)
    kinds = sorted((one.path, one.shown["tag"]) for one in service.arrived)
    assert kinds == sorted((f"/send/{number}", "day_opened/2026-11-21") for number in range(20))


async def test_all_nodes_have_one_key_and_keep_it_when_they_start_again(nodes: TwoNodes, service: PushService) -> None:
    ada = await player(nodes.first, "Ada")
    keys = {(await node.get("/account/notifications"))[1]["key"] for node in (ada, nodes.at_second(ada))}
    settings = replace(SETTINGS, database_url=nodes.first.server.settings.database_url)
    async with open_server(settings) as again:
        other = await again.guest()
        keys.add((await other.get("/account/notifications"))[1]["key"])
    assert len(keys) == 1
    assert decode(keys.pop())[0] == 4  # an uncompressed point


async def test_no_notification_goes_into_the_network_of_the_host(
    service: PushService, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_server(replace(TEST_SETTINGS, database_url=sqlite_url)) as outside:
        ada = await player(outside, "Ada")
        for url in ("https://localhost/", "https://127.0.0.1/", "https://[::1]/", "https://169.254.169.254/x"):
            status, refused = await ada.ask("PUT", "/account/notifications", Device(url, "").subscription("overtaken"))
            assert (status, refused["code"]) == (400, "bad_message")
        monkeypatch.setattr("cadogan.server.subjects.news.requests.OwnThreads", Rebinding)
        port = service.url.rpartition(":")[2]
        device = Device(f"https://push.example:{port}", "/send/phone")
        await switch_on(ada, device, "day_opened")
        await ada.post("/account/notifications/test")
        await look_and_send(outside)
        assert service.asked == 0
        outside.clock.at += 1_000
        await look_and_send(outside)
        assert service.asked == 0


async def test_nothing_is_sent_to_a_service_whose_certificate_nobody_believes(
    server: RunningServer, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    ada = await player(server, "Ada")
    await switch_on(ada, service.device("phone"), "day_opened")
    await ada.post("/account/notifications/test")
    await look_and_send(server)
    assert service.asked == 0


async def test_the_longest_name_of_a_house_still_fits_into_a_notification(
    server: RunningServer, service: PushService
) -> None:
    host = await with_role(server, "Ada", "host")
    name = "🂡" * 40
    assert (await host.ask("PUT", "/house/profile", {"name": name}))[0] == 200
    await switch_on(host, service.device("phone"), "day_opened")
    await host.post("/account/notifications/test")
    await look_and_send(server)
    (one,) = service.arrived
    assert one.shown["title"] == name
    assert int(one.headers["Content-Length"]) <= 4096


async def test_a_notification_is_sent_by_itself_at_once(server: RunningServer, service: PushService) -> None:
    ada = await player(server, "Ada")
    await switch_on(ada, service.device("phone"), "day_opened")
    await ada.post("/account/notifications/test")
    await service.next()
    assert service.asked == 1


def test_what_is_read_is_what_was_written() -> None:
    assert decode(encode(b"\0\xff?>")) == b"\0\xff?>"
