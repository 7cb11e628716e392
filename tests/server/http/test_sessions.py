"""Sessions over HTTP: cookies for browsers, bearer tokens for programs, and nothing for other sites' pages."""

from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

from cadogan.server.config import Settings
from cadogan.server.http.request_checks import is_own_origin
from cadogan.server.subjects.accounts.passwords import STRANGERS_AT_ONCE
from cadogan.server.web_app import make_app
from tests.harness.http_client import Client, from_our_page, sign_up
from tests.harness.schema_checks import check_body

pytestmark = pytest.mark.slow

PASSWORD = "eight red queens"
MANY = 2 * STRANGERS_AT_ONCE
"""Attempts that are too many even where each takes seconds."""


async def who(client: Client, **headers: str) -> Any:
    """Whom the server takes us for."""
    response = await client.get("/api/v1/session", headers=headers)
    body = await response.json()
    check_body("Session", body)
    return body["player"]


async def check_invalid(client: Client, token: str) -> None:
    """Assert that this token is refused."""
    response = await client.get("/api/v1/session", headers={"Authorization": f"Bearer {token}"})
    assert response.status == 401


async def test_a_guest_gets_a_cookie_that_scripts_cannot_read(client: Client) -> None:
    response = await client.post("/api/v1/session/guest")
    cookie = response.cookies["cadogan_session"]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["secure"]) == (True, "Lax", "/", "")
    body = await response.json()
    check_body("SignedIn", body)
    assert cookie.value == body["token"]
    assert await who(client) == body["player"]


@pytest.mark.parametrize(
    ("settings", "host"),
    [({"secure_cookies": True}, None), ({"origin": ("https://patience.example",)}, "patience.example")],
    ids=["by setting", "by origin"],
)
async def test_behind_tls_the_cookie_is_for_this_host_alone(
    sqlite_url: str, settings: dict[str, Any], host: str | None
) -> None:
    app = make_app(Settings(database_url=sqlite_url, **settings))
    headers = {"Host": host} if host else {}
    async with TestClient(TestServer(app)) as client:
        response = await client.post("/api/v1/session/guest", headers=headers)
        assert set(response.cookies) == {"__Host-cadogan_session"}
        cookie = response.cookies["__Host-cadogan_session"]
        assert (cookie["secure"], cookie["path"], cookie["domain"], cookie["httponly"]) == (True, "/", "", True)
        assert "max-age" in response.headers["Strict-Transport-Security"]
        tossed = {**headers, "Cookie": f"cadogan_session={cookie.value}"}
        assert (await client.get("/api/v1/friends", headers=tossed)).status == 401
        own = {**headers, "Cookie": f"__Host-cadogan_session={cookie.value}"}
        assert (await (await client.get("/api/v1/session", headers=own)).json())["player"] is not None


async def test_behind_tls_a_guest_with_a_cookie_of_the_old_name_gets_one_with_the_new_name(sqlite_url: str) -> None:
    async with TestClient(TestServer(make_app(Settings(database_url=sqlite_url, secure_cookies=True)))) as client:
        named = await (await client.post("/api/v1/session/guest")).json()
        guest = await (await client.post("/api/v1/session/guest")).json()
        claiming = {"Authorization": f"Bearer {named['token']}"}
        body = {"name": "Ada", "password": PASSWORD}
        named = await (await client.post("/api/v1/account", json=body, headers=claiming)).json()
        client.session.cookie_jar.clear()
        for token, expected in ((named["token"], None), ("wrong", None), (guest["token"], guest["player"])):
            old = {"Cookie": f"cadogan_session={token}"}
            write = await client.post("/api/v1/deals", json={"rules": "klondike"}, headers=old)
            assert write.status == 403
            response = await client.get("/api/v1/session", headers=old)
            assert (await response.json())["player"] == expected
            assert response.cookies["cadogan_session"]["max-age"] == "0"
            new = response.cookies.get("__Host-cadogan_session")
            assert (new is not None) == (expected is not None)
        assert new is not None
        assert new.value != guest["token"]
        both = {"Cookie": f"cadogan_session={named['token']}; __Host-cadogan_session={new.value}"}
        response = await client.get("/api/v1/session", headers=both)
        assert ((await response.json())["player"], dict(response.cookies)) == (guest["player"], {})


async def test_a_program_sends_its_token_as_bearer(client: Client) -> None:
    body = await (await client.post("/api/v1/session/guest")).json()
    client.session.cookie_jar.clear()
    assert await who(client) is None
    assert await who(client, Authorization=f"Bearer {body['token']}") == body["player"]


async def test_a_token_that_is_not_valid_is_refused_and_not_taken_for_nobody(client: Client) -> None:
    for header in ("Bearer wrong", "Bearer", "Bearer  ", "wrong", "", "Token wrong", "bearer a b"):
        await client.post("/api/v1/session/guest")  # and the cookie of a valid session does not help
        await refuse_token(client, {"Authorization": header, **from_our_page(client)})


async def refuse_token(client: Client, headers: dict[str, str]) -> None:
    """Check that a request with these headers is refused, wherever it goes."""
    for method, path in (("GET", "/rules"), ("GET", "/session"), ("GET", "/openapi.json"), ("DELETE", "/session")):
        response = await client.request(method, f"/api/v1{path}", headers=headers)
        assert (response.status, (await response.json())["code"]) == (401, "unauthorized")
        assert response.headers["WWW-Authenticate"] == "Bearer"
    assert (await client.get("/ws/v1", headers={**headers, "Upgrade": "websocket"})).status == 401
    assert (await client.get("/", headers=headers)).status == 200
    assert (await client.post("/api/v1/session/guest", headers=headers)).status == 200  # a session begins


async def test_the_password_of_a_proxy_before_the_server_is_no_token(client: Client) -> None:
    player = (await (await client.post("/api/v1/session/guest")).json())["player"]
    assert await who(client, Authorization="Basic Y2x1YjpwYXRpZW5jZQ==") == player


async def test_a_browser_whose_session_has_ended_loses_its_cookie_and_goes_on(client: Client) -> None:
    token = (await (await client.post("/api/v1/session/guest")).json())["token"]
    await client.delete("/api/v1/session", headers=from_our_page(client))
    client.session.cookie_jar.update_cookies({"cadogan_session": token}, client.make_url("/"))
    assert (await client.get("/api/v1/rules")).status == 200
    assert (await client.post("/api/v1/deals", json={}, headers=from_our_page(client))).status == 401
    async with client.ws_connect("/ws/v1", headers=from_our_page(client)) as socket:
        await socket.send_str('{"type":"ping","id":"1"}')
        assert (await socket.receive_json())["type"] == "pong"
    response = await client.get("/api/v1/session")
    assert (await response.json()) == {"player": None}
    assert response.cookies["cadogan_session"]["max-age"] == "0"
    begun = await client.post("/api/v1/session/guest", headers=from_our_page(client))
    assert await who(client) == (await begun.json())["player"]


async def test_claim_sign_out_and_sign_in_again(client: Client) -> None:
    player = await sign_up(client, "Ada", PASSWORD)
    assert (player["name"], player["guest"]) == ("Ada", False)
    ours = from_our_page(client)
    signed_out = await client.delete("/api/v1/session", headers=ours)
    assert await signed_out.json() == {"player": None}
    assert await who(client) is None
    again = await client.post("/api/v1/session", json={"name": "ada", "password": PASSWORD}, headers=ours)
    assert (await again.json())["player"] == player
    assert await who(client) == player


async def test_signing_out_ends_the_session_and_not_only_the_cookie(client: Client) -> None:
    body = await (await client.post("/api/v1/session/guest")).json()
    await client.delete("/api/v1/session", headers=from_our_page(client))
    await check_invalid(client, body["token"])


async def test_signing_in_ends_the_previous_session(client: Client) -> None:
    await sign_up(client, "Ada", PASSWORD)
    first = next(iter(client.session.cookie_jar)).value
    await client.post("/api/v1/session", json={"name": "Ada", "password": PASSWORD}, headers=from_our_page(client))
    assert next(iter(client.session.cookie_jar)).value != first
    await check_invalid(client, first)


async def test_all_wrong_credentials_get_the_same_refusal(client: Client) -> None:
    await sign_up(client, "Ada", PASSWORD)
    bodies = []
    for name in ("Ada", "Nobody"):
        response = await client.post(
            "/api/v1/session", json={"name": name, "password": "wrong word"}, headers=from_our_page(client)
        )
        assert response.status == 401
        bodies.append(await response.text())
    assert bodies[0] == bodies[1]
    check_body("Refusal", await response.json())


async def test_an_account_is_created_without_a_session_before_it(client: Client) -> None:
    response = await client.post("/api/v1/account", json={"name": "Ada", "password": PASSWORD})
    assert (response.status, (await response.json())["player"]["name"]) == (200, "Ada")


@pytest.mark.slow
async def test_too_many_attempts_from_one_address_are_refused_for_a_while(client: Client) -> None:
    for _ in range(MANY):
        response = await client.post("/api/v1/session", json={"name": "Nobody", "password": PASSWORD})
        if response.status == 429:
            break
    body = await response.json()
    assert (response.status, body["code"]) == (429, "rate_limited")
    assert 0 < body["retry_after"] <= int(response.headers["Retry-After"]) + 1


@pytest.mark.slow
async def test_behind_a_proxy_the_client_address_is_the_one_that_it_adds(sqlite_url: str) -> None:
    app = make_app(Settings(database_url=sqlite_url, proxies=1))
    body = {"name": "Nobody", "password": PASSWORD}
    async with TestClient(TestServer(app)) as client:
        for attempt in range(MANY):
            claimed = {"X-Forwarded-For": f"10.0.0.{attempt}, 192.0.2.7"}
            response = await client.post("/api/v1/session", json=body, headers=claimed)
            if response.status == 429:
                break
        assert response.status == 429
        other = await client.post("/api/v1/session", json=body, headers={"X-Forwarded-For": "192.0.2.7, 192.0.2.8"})
        assert other.status == 401


async def test_with_a_cookie_only_pages_of_our_origin_change_anything(client: Client) -> None:
    await client.post("/api/v1/session/guest")
    for headers in (
        {},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"},
    ):
        assert (await client.delete("/api/v1/session", headers=headers)).status == 403, headers
        assert await who(client) is not None, headers
    assert (await client.delete("/api/v1/session", headers={"Sec-Fetch-Site": "same-origin"})).status == 200
    assert await who(client) is None


async def test_a_page_of_another_origin_cannot_begin_a_session(client: Client) -> None:
    response = await client.post("/api/v1/session/guest", headers={"Origin": "https://evil.example"})
    assert response.status == 403
    assert "Set-Cookie" not in response.headers


async def test_a_page_of_another_origin_cannot_open_a_socket_with_the_cookie(client: Client) -> None:
    refused = await client.get("/ws/v1", headers={"Origin": "https://evil.example", "Upgrade": "websocket"})
    assert refused.status == 403
    check_body("Refusal", await refused.json())
    async with client.ws_connect("/ws/v1", headers=from_our_page(client)) as socket:
        await socket.send_str('{"type":"ping","id":"1"}')
        assert (await socket.receive_json())["type"] == "pong"


@pytest.mark.parametrize(
    ("origin", "host", "allowed", "ours"),
    [
        ("https://patience.example", "patience.example", (), True),
        ("http://127.0.0.1:8000", "127.0.0.1:8000", (), True),
        ("https://PATIENCE.example", "patience.example", (), True),
        ("https://patience.example:444", "patience.example", (), False),
        ("https://patience.example.evil", "patience.example", (), False),
        ("https://evilpatience.example", "patience.example", (), False),
        ("https://evil.patience.example", "patience.example", (), False),
        ("https://patience.example", "evilpatience.example", (), False),
        ("https://patience.example@evil.example", "patience.example", (), False),
        ("ftp://patience.example", "patience.example", (), False),
        ("http://[bad", "patience.example", (), False),
        ("null", "null", (), False),
        ("https://patience.example", "127.0.0.1:8000", ("https://patience.example",), True),
        ("http://patience.example", "127.0.0.1:8000", ("https://patience.example",), False),
        ("https://evilpatience.example", "patience.example", ("https://patience.example",), False),
        ("https://patience.example.evil", "patience.example", ("https://patience.example",), False),
        ("https://patience.exampl", "patience.example", ("https://patience.example",), False),
        ("http://127.0.0.1:8000", "127.0.0.1:8000", ("https://patience.example",), False),
    ],
)
def test_an_origin_is_ours_if_configured_or_else_if_it_equals_the_host(
    origin: str, host: str, allowed: tuple[str, ...], ours: bool
) -> None:
    assert is_own_origin(origin, host, allowed) is ours
