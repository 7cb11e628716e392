"""Devices: each belongs to a session and ends with it, in whatever way that ends; a player has a few."""

from typing import Any

import pytest
from sqlalchemy import func, select

from cadogan.server.core.database.tables import notification_devices, notification_keys, notifications, notified_ranks
from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.core.people import SESSION_LIFETIME_SECONDS
from cadogan.server.core.web.requests import SERVER
from cadogan.server.subjects.news.notifications.devices import MAX_DEVICES
from tests.harness.daily_actions import play_and_resign
from tests.harness.hosts import PASSWORD, WHY, confirm, player, with_role
from tests.harness.people import Person
from tests.harness.push_service import Device, PushService
from tests.harness.running_server import RunningServer
from tests.server.news.notifications.conftest import look_and_send, switch_on


async def signed_in_again(running_server: RunningServer, person: Person) -> Person:
    """The same player, in another session."""
    other = Person(running_server.url, running_server.session)
    session = await running_server.server.sign_in.accounts.open_session(person.id)
    other.id, other.token = person.id, session.token
    return other


async def count(running_server: RunningServer, table: Any = notification_devices) -> int:
    """How many rows a table has."""
    async with running_server.server.database.reading() as connection:
        return await connection.scalar(select(func.count()).select_from(table)) or 0


async def test_what_a_device_has_switched_on_is_shown_to_it_and_to_no_other(
    server: RunningServer, service: PushService
) -> None:
    ada = await player(server, "Ada")
    elsewhere = await signed_in_again(server, ada)
    quiet = {"begin": "21:30", "end": "06:00"}
    await switch_on(ada, service.device("phone"), "race_started", "overtaken", quiet=quiet)
    _, shown = await ada.get("/account/notifications")
    assert (shown["device"]["topics"], shown["device"]["quiet"]) == (["overtaken", "race_started"], quiet)
    assert shown.get("others", 0) == 0
    assert service.url not in str(shown)
    _, shown = await elsewhere.get("/account/notifications")
    assert (shown.get("device"), shown["others"]) == (None, 1)
    _, shown = await ada.ask("DELETE", "/account/notifications")
    assert shown.get("device") is None
    assert await count(server) == 0


async def test_every_device_of_a_player_is_told(server: RunningServer, service: PushService) -> None:
    ada = await player(server, "Ada")
    elsewhere = await signed_in_again(server, ada)
    await switch_on(ada, service.device("phone"), "day_opened")
    await switch_on(elsewhere, service.device("laptop"), "day_opened")
    server.clock.at += MILLISECONDS_PER_DAY
    await look_and_send(server)
    assert sorted(one.path for one in service.arrived) == ["/send/laptop", "/send/phone"]


async def test_a_player_has_a_few_devices(server: RunningServer, service: PushService) -> None:
    ada = await player(server, "Ada")
    for number in range(MAX_DEVICES):
        await switch_on(await signed_in_again(server, ada), service.device(f"{number}"), "overtaken")
    one_more = await signed_in_again(server, ada)
    status, refused = await one_more.ask(
        "PUT", "/account/notifications", service.device("more").subscription("overtaken")
    )
    assert (status, refused["code"]) == (429, "too_many")
    await switch_on(one_more, service.device("0"), "overtaken")  # the same browser, signed in anew


async def test_a_browser_in_which_somebody_else_signs_in_tells_nothing_of_the_first_any_more(
    server: RunningServer, service: PushService
) -> None:
    ada, bob = await player(server, "Ada"), await player(server, "Bob")
    browser = service.device("shared")
    await switch_on(ada, browser, "day_opened")
    foreign = Device(service.url, browser.path, secret=bytes(16))
    await switch_on(bob, foreign, "day_opened")  # who only knows the address takes it from nobody
    assert (await ada.get("/account/notifications"))[1]["device"] is not None
    await switch_on(bob, browser, "day_opened")
    assert (await ada.get("/account/notifications"))[1].get("device") is None
    server.clock.at += MILLISECONDS_PER_DAY
    await look_and_send(server)
    assert len(service.arrived) == 1


@pytest.mark.parametrize(
    "ending", ["sign_out", "everywhere", "end_session", "end_others", "password", "erase", "by_host"]
)
async def test_a_device_ends_with_its_session_and_what_waits_for_it_is_never_sent(
    server: RunningServer, service: PushService, ending: str
) -> None:
    host, ada = await with_role(server, "Hosting", "host"), await player(server, "Ada")
    elsewhere = await signed_in_again(server, ada)
    await switch_on(ada, service.device("phone"), "day_opened")
    await ada.post("/account/notifications/test")
    match ending:
        case "sign_out":
            answer = await ada.ask("DELETE", "/session")
        case "everywhere":
            answer = await elsewhere.ask("DELETE", "/sessions")
        case "end_session":
            _, listed = await elsewhere.get("/sessions")
            other = next(one["id"] for one in listed["sessions"] if not one.get("current"))
            answer = await elsewhere.ask("DELETE", f"/sessions/{other}")
        case "end_others":
            answer = await elsewhere.ask("DELETE", "/sessions/others")
        case "password":
            answer = await elsewhere.ask("PUT", "/account/password", {"old": PASSWORD, "new": "nine black knaves"})
        case "erase":
            await confirm(elsewhere)
            answer = await elsewhere.ask("DELETE", "/account")
        case _:
            answer = await host.ask("PUT", f"/house/players/{ada.id}/sessions", WHY)
    assert answer[0] == 200, answer
    assert (await count(server), await count(server, notifications)) == (0, 0)
    await look_and_send(server)
    assert service.asked == 0


async def test_nothing_is_sent_to_somebody_who_is_banned_or_suspended(
    server: RunningServer, service: PushService
) -> None:
    host, ada = await with_role(server, "Hosting", "host"), await player(server, "Ada")
    await switch_on(ada, service.device("phone"), "day_opened")
    for path, body in (
        ("suspension", {**WHY, "until": server.clock.at + MILLISECONDS_PER_DAY}),
        ("ban", {**WHY, "banned": True}),
    ):
        await ada.post("/account/notifications/test")
        answer = await host.ask("PUT", f"/house/players/{ada.id}/{path}", body)
        assert answer[0] == 200, answer
        await look_and_send(server)
        assert (service.asked, await count(server, notifications)) == (0, 0)
        answer = await host.ask("PUT", f"/house/players/{ada.id}/ban", {**WHY, "banned": False})
        assert answer[0] == 200, answer
    await ada.post("/account/notifications/test")
    await look_and_send(server)
    assert len(service.arrived) == 1


async def test_the_device_of_a_session_that_has_expired_gets_nothing_and_is_forgotten(
    server: RunningServer, service: PushService
) -> None:
    ada = await player(server, "Ada")
    await switch_on(ada, service.device("phone"), "day_opened")
    server.clock.at += SESSION_LIFETIME_SECONDS * 1000
    await look_and_send(server)
    assert service.asked == 0
    await server.app[SERVER].news.notifier.devices.clear()
    assert await count(server) == 0


WRONG: list[dict[str, Any]] = [
    {"endpoint": "http://push.example/x"},
    {"endpoint": "https://user@push.example/x"},
    {"endpoint": "https://push.example:99999/x"},
    {"endpoint": "https://[::1/x"},
    {"endpoint": "https://push.example/" + "x" * 1000},
    {"endpoint": "https://push.example/\u00e9"},
    {"p256dh": "B" + "A" * 86},
    {"p256dh": "short"},
    {"auth": "short"},
    {"topics": []},
    {"topics": ["day_closed"]},
    {"time_zone": "Europe/Nowhere"},
    {"time_zone": "../../etc/passwd"},
    {"time_zone": "/etc/localtime"},
    {"time_zone": ""},
    {"quiet": {"begin": "24:00", "end": "07:00"}},
    {"quiet": {"begin": "7", "end": "07:00"}},
    {"language": "x" * 36},
]


async def test_what_nothing_can_be_sent_to_is_refused(sqlite_server: RunningServer) -> None:
    ada = await sqlite_server.guest()
    right = Device("https://push.example", "/x").subscription("day_opened")
    for wrong in WRONG:
        status, refused = await ada.ask("PUT", "/account/notifications", {**right, **wrong})
        assert (status, refused["code"]) == (400, "bad_message"), wrong
    assert (await ada.ask("PUT", "/account/notifications", right))[0] == 200


async def test_a_personal_token_may_not_switch_anything_on(sqlite_server: RunningServer) -> None:
    ada = await player(sqlite_server, "Ada")
    _, made = await ada.post("/tokens", {"name": "Script", "scopes": ["read", "play"]})
    script = Person(sqlite_server.url, sqlite_server.session)
    script.token = made["token"]
    for answer in (
        await script.get("/account/notifications"),
        await script.ask(
            "PUT", "/account/notifications", Device("https://push.example", "/x").subscription("overtaken")
        ),
        await script.post("/account/notifications/test"),
    ):
        assert answer[0] == 403, answer


async def test_a_player_is_given_what_is_kept_about_their_devices_and_an_erasure_leaves_nothing(
    server: RunningServer, service: PushService
) -> None:
    ada = await player(server, "Ada")
    await play_and_resign(ada, await ada.enter(), moves=1)
    await switch_on(ada, service.device("phone"), "overtaken", "day_opened")
    await look_and_send(server)
    await ada.post("/account/notifications/test")
    _, data = await ada.get("/account/data")
    (device,) = data["tables"]["notification_devices"]
    assert device["endpoint"] == service.device("phone").endpoint
    assert "secret" not in device
    assert data["tables"]["notifications"][0]["kind"] == "test"
    assert data["tables"]["notified_ranks"][0]["rank"] == 1
    await confirm(ada)
    assert (await ada.ask("DELETE", "/account"))[0] == 200
    for table in (notification_devices, notifications, notified_ranks):
        assert await count(server, table) == 0
    assert await count(server, notification_keys) == 1
