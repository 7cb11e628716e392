"""Personal tokens, and what pages of other sites may do with them and without."""

from dataclasses import replace
from typing import Any

import pytest

from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.subjects.accounts.personal_tokens import MAX_TOKENS
from tests.harness.hosts import player
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server

ELSEWHERE = {"Origin": "https://elsewhere.example"}


async def holder(owner: Person, *scopes: str, days: int = 30) -> Person:
    """Somebody who acts for a player with a new personal token."""
    status, made = await owner.post("/tokens", {"name": "Notebook", "scopes": scopes, "days": days})
    assert status == 200, made
    person = Person(owner.url, owner.session)
    person.id, person.token = owner.id, made["token"]
    return person


async def code(person: Person, method: str, path: str, body: Any = None) -> Any:
    """The code of a refusal, or the status of any other answer."""
    address = f"{person.url}/api/v1{path}"
    async with person.session.request(method, address, json=body, headers=person.headers) as response:
        return response.status if response.status < 400 else (response.status, (await response.json())["code"])


async def test_a_token_may_do_what_its_scopes_say_and_nothing_else(running_server: RunningServer) -> None:
    ada = await running_server.guest()
    reader, player = await holder(ada, "read"), await holder(ada, "play")
    game = await ada.deal("quatorze")
    refused = (403, "unauthorized")
    for method, path, body, expected in (
        ("GET", "/session", None, (200, 200)),
        ("HEAD", f"/games/{game}", None, (200, 200)),
        ("POST", "/deals", {"rules": "klondike"}, (refused, 200)),
        ("POST", "/dailies/today/deals/1/games", {}, (refused, 200)),
        ("GET", "/groups", None, (refused, refused)),  # their tokens are in it
        ("GET", "/tokens", None, (refused, refused)),
        ("POST", "/tokens", {"name": "More", "scopes": ["play"]}, (refused, refused)),
        ("PUT", "/settings", {}, (refused, refused)),
        ("POST", "/account", {"name": "Eve", "password": "eight red queens"}, (refused, refused)),
        ("DELETE", "/session", None, (refused, refused)),
        ("DELETE", "/sessions", None, (refused, refused)),
    ):
        answers = tuple([await code(one, method, path, body) for one in (reader, player)])
        assert answers == expected, (method, path)
    for one, answer in ((reader, "refused"), (player, "move_played")):
        async with one.connect() as socket:
            seen = await socket.request("subscribe", game=game)
            assert seen["sight"] == "seat"
            assert (await socket.play(seen))["type"] == answer


async def test_a_token_reads_no_more_over_a_socket_than_over_http(sqlite_server: RunningServer) -> None:
    ada = await player(sqlite_server, "Ada")
    reader, players = await holder(ada, "read"), await holder(ada, "play")
    _, group = await ada.post("/groups", {"name": "The club"})
    await ada.ask("PUT", f"/groups/{group['id']}/talk", {"on": True})
    game = await ada.deal("quatorze")
    for one, may_play in ((reader, False), (players, True)):
        assert await code(one, "GET", f"/groups/{group['id']}/messages") == (403, "unauthorized")
        async with one.connect() as socket:
            assert (await socket.request("watch_talk", group=group["id"]))["code"] == "unauthorized"
            asked = await socket.request("ask_if_winnable", game=game, version=1)
            assert asked.get("code") == (None if may_play else "unauthorized")


async def test_a_token_ends_when_its_time_is_up_or_it_is_revoked(running_server: RunningServer) -> None:
    ada, bob = await running_server.guest(), await running_server.guest()
    reader = await holder(ada, "read")
    _, listed = await ada.get("/tokens")
    (shown,) = listed["tokens"]
    assert (shown["name"], shown["scopes"], "token" in shown) == ("Notebook", ["read"], False)
    assert await code(bob, "DELETE", f"/tokens/{shown['id']}") == (404, "not_found")
    async with reader.connect() as socket:
        assert (await ada.ask("DELETE", f"/tokens/{shown['id']}"))[1] == {"tokens": []}
        await socket.connection.wait_closed()
        assert socket.connection.close_code == 4002
    assert await code(reader, "GET", "/rules") == (401, "unauthorized")
    day = await holder(ada, "play", days=1)
    assert await code(day, "GET", "/session") == 200
    running_server.clock.at += MILLISECONDS_PER_DAY
    assert await code(day, "GET", "/session") == (401, "unauthorized")
    assert (await ada.get("/tokens"))[1] == {"tokens": []}


async def test_a_socket_is_closed_when_the_time_of_its_token_is_up(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.web_app.CLOCK_INTERVAL_SECONDS", 0.01)
    async with open_server(replace(TEST_SETTINGS, database_url=sqlite_url)) as running_server:
        ada = await running_server.guest()
        day = await holder(ada, "read", days=1)
        async with ada.connect() as own, day.connect() as socket:
            running_server.clock.at += MILLISECONDS_PER_DAY
            await socket.connection.wait_closed()
            assert socket.connection.close_code == 4002
            assert (await own.request("ping"))["type"] == "pong"


async def test_signing_out_everywhere_ends_personal_tokens(sqlite_server: RunningServer) -> None:
    ada = await sqlite_server.guest()
    reader = await holder(ada, "read")
    await ada.ask("DELETE", "/sessions")
    assert await code(reader, "GET", "/session") == (401, "unauthorized")


async def test_a_token_without_scope_or_end_is_not_made(sqlite_server: RunningServer) -> None:
    ada = await sqlite_server.guest()
    refused = (400, "bad_message")
    mistakes: tuple[dict[str, Any], ...] = (
        {"scopes": []},
        {"scopes": ["all"]},
        {"days": 0},
        {"days": 366},
        {"name": ""},
        {"name": "a\0b"},
    )
    for wrong in mistakes:
        assert await code(ada, "POST", "/tokens", {"name": "N", "scopes": ["read"], **wrong}) == refused, wrong


async def test_a_player_has_so_many_tokens_and_a_cookie_is_none(sqlite_server: RunningServer) -> None:
    ada = await sqlite_server.guest()
    for _ in range(MAX_TOKENS):
        reader = await holder(ada, "read")
    assert await code(ada, "POST", "/tokens", {"name": "N", "scopes": ["read"]}) == (429, "too_many")
    headers = {"Cookie": f"cadogan_session={reader.token}"}
    async with ada.session.get(f"{ada.url}/api/v1/session", headers=headers) as response:
        assert (await response.json()) == {"player": None}


async def test_pages_of_other_sites_read_without_cookies_and_write_only_with_a_token(
    sqlite_server: RunningServer,
) -> None:
    ada = await sqlite_server.guest()
    player = await holder(ada, "play")
    address, session = f"{ada.url}/api/v1", ada.session
    for path, headers in (
        ("/rules", ELSEWHERE),
        ("/nothing", ELSEWHERE),
        ("/session", {**ELSEWHERE, **player.headers}),
    ):
        async with session.get(f"{address}{path}", headers=headers) as response:
            assert response.headers["Access-Control-Allow-Origin"] == "*"
            assert {"ETag", "Retry-After"} <= set(response.headers["Access-Control-Expose-Headers"].split(", "))
            assert "Access-Control-Allow-Credentials" not in response.headers
    asked = {**ELSEWHERE, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    async with session.options(f"{address}/deals", headers=asked) as response:
        assert (response.status, response.headers["Access-Control-Allow-Origin"]) == (204, "*")
        allowed = set(response.headers["Access-Control-Allow-Headers"].split(", "))
        assert {"Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "Last-Event-ID"} <= allowed
        assert "Access-Control-Allow-Credentials" not in response.headers
    for path in ("/", "/ws/v1"):
        async with session.options(f"{ada.url}{path}", headers=asked) as response:
            assert response.status >= 400
            assert "Access-Control-Allow-Origin" not in response.headers
    cookie = {"Cookie": f"cadogan_session={ada.token}"}
    for headers, status in ((player.headers, 200), (cookie, 403), ({}, 403)):
        async with session.post(
            f"{address}/deals", json={"rules": "klondike"}, headers=ELSEWHERE | headers
        ) as response:
            assert response.status == status
    wrong = {**ELSEWHERE, "Authorization": "Bearer wrong"}
    async with session.post(f"{address}/session/guest", headers=wrong) as response:
        assert response.status == 403
