"""The routes, the documents that describe them, and what every answer has."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestClient, TestServer
from structlog.testing import capture_logs
from yarl import URL

from cadogan.engine import game, slugs
from cadogan.engine.colour_relevance import distinguishes_colours
from cadogan.server.config import Settings
from cadogan.server.core.metrics import CONTENT_TYPE
from cadogan.server.core.web.requests import MAX_BODY_BYTES, SERVER
from cadogan.server.http.middleware import HEADERS
from cadogan.server.http.routes import ROUTES
from cadogan.server.web_app import make_app
from cadogan.wire.endpoints import ENDPOINTS
from cadogan.wire.schema import asyncapi, openapi
from tests.harness.databases import taken_away
from tests.harness.http_client import FOR_METRICS, METRICS_TOKEN, Client, from_our_page
from tests.harness.schema_checks import body_faults, check_body


def test_every_route_is_documented_and_every_endpoint_is_served() -> None:
    served = {(route.method, route.path, route.handler.__name__) for route in ROUTES if route.path.startswith("/api")}
    assert served == {(entry.method, entry.path, entry.name) for entry in ENDPOINTS}


async def test_the_documents_are_served(client: Client) -> None:
    for document in (openapi, asyncapi):
        response = await client.get(f"/api/v1/{document.__name__}.json")
        assert json.loads(await response.read()) == json.loads(json.dumps(document()))


READING = [
    (entry, entry.response) for entry in ENDPOINTS if entry.method == "GET" and entry.response and not entry.signed_in
]


async def test_public_answers_conform_to_the_openapi_document(client: Client) -> None:
    for entry, answer in READING:
        values = {"slug": "klondike", "day": "today", "board": "all", "other": "b" * 16, "version": 1, "slot": 1}
        values |= {"player": "b" * 16, "token": "c" * 16}
        path = entry.path.format_map({**values, "id": "a" * 16, "deal": "a" * 16, "code": "AAAAAA", "round": 1})
        response = await client.get(path)
        body = await response.json()
        is_unknown = any(one in entry.path for one in ("{id}", "{deal}", "{code}", "{token}")) or entry.name.startswith(
            "show_puzzle"
        )
        status, kind = (404, "Refusal") if is_unknown else (200, answer.__name__)
        if entry.name in ("day_record", "show_review", "show_best_line"):  # no day has closed yet
            status, kind = (403, "Refusal")
            assert body["code"] == "spoiler_embargo"
        assert (response.status, body_faults(kind, body)) == (status, []), entry.name


async def test_every_game_has_its_page_and_layout(client: Client) -> None:
    listed = await (await client.get("/api/v1/rules")).json()
    assert [card["slug"] for card in listed["rules"]] == list(slugs())
    for slug in slugs():
        page = await (await client.get(f"/api/v1/rules/{slug}")).json()
        check_body("RulesPage", page)
        assert page["page"].startswith("<h1>")
        assert page["layout"]["piles"]
        assert page["colours"] == (2 if distinguishes_colours(game(slug).declaration) else 4)


REFUSED = [
    ("GET", "/api/v1/nothing", 404, "not_found"),
    ("GET", "/api/nothing", 404, "not_found"),
    ("GET", "/api/v1/rules/nothing", 404, "not_found"),
    ("GET", "/api/v1/dailies/yesterday", 404, "not_found"),
    ("GET", "/api/v1/dailies?before=soon", 400, "bad_message"),
    ("GET", "/api/v1/dailies?before=2026-02-30", 400, "bad_message"),
    ("GET", "/api/v1/dailies?limit=32", 400, "bad_message"),
    ("GET", "/api/v1/dailies/today/share", 401, "unauthorized"),
    ("POST", "/api/v1/dailies/today/deals/1/spoil", 401, "unauthorized"),
    ("GET", "/api/v1/players/nobody", 404, "not_found"),
    ("GET", "/api/v1/games/..%2f..%2fetc", 404, "not_found"),
    ("GET", "/nothing.js", 404, "not_found"),
    ("GET", "/ws/v2", 404, "not_found"),
    ("GET", "/api/v1/account", 405, "bad_message"),
    ("PUT", "/api/v1/session", 405, "bad_message"),
    ("POST", "/", 405, "bad_message"),
    ("POST", "/api/v1/deals", 401, "unauthorized"),
    ("POST", "/api/v1/games", 401, "unauthorized"),
    ("POST", "/api/v1/dailies/today/deals/1/games", 401, "unauthorized"),
    ("GET", "/api/v1/boards/all?limit=201", 400, "bad_message"),
    ("GET", "/api/v1/boards/all?offset=-1", 400, "bad_message"),
    ("GET", "/api/v1/boards/all?offset=", 400, "bad_message"),
    ("GET", "/api/v1/boards/all?around=", 400, "bad_message"),
    ("GET", "/api/v1/boards/all?offset=%C2%B2", 400, "bad_message"),
]


async def test_every_refusal_has_the_same_shape(client: Client) -> None:
    for method, path, status, code in REFUSED:
        response = await client.request(method, path)
        body = await response.json()
        assert (response.status, body["code"], body_faults("Refusal", body)) == (status, code, []), (method, path)
        assert all(response.headers[name] == value for name, value in HEADERS.items()), (method, path)


async def test_a_wrong_method_is_answered_with_the_allowed_ones(client: Client) -> None:
    assert (await client.put("/api/v1/session")).headers["Allow"] == "DELETE,GET,HEAD,POST"


async def test_a_body_that_cannot_be_read_is_refused(client: Client) -> None:
    unreadable: list[tuple[str, bytes, int]] = [
        ("application/json", b"{", 400),
        ("application/json", b"", 400),
        ("application/json", b"\xff", 400),
        ("application/json", b'{"name":"Ada"}', 400),
        ("application/json", b"[" * 60_000, 400),
        ("text/plain", b'{"name":"Ada","password":"eight red queens"}', 415),
        ("application/x-www-form-urlencoded", b"name=Ada", 415),
        ("application/json", b'"' + b"x" * MAX_BODY_BYTES + b'"', 413),
    ]
    for kind, body, status in unreadable:
        response = await client.post("/api/v1/session", data=body, headers={"Content-Type": kind})
        answer = await response.json()
        check_body("Refusal", answer)
        assert (response.status, answer["code"]) == (status, "bad_message"), (kind, body[:40])


async def test_a_client_that_disconnects_in_a_body_causes_no_internal_error(settings: Settings) -> None:
    async with served(settings) as (host, port), ClientSession() as session:
        reader, writer = await asyncio.open_connection(host, port)
        head = ["POST /api/v1/session HTTP/1.1", f"Host: {host}", "Content-Type: application/json", "Content-Length: 9"]
        writer.write("\r\n".join([*head, "Expect: 100-continue", "", "{"]).encode())
        await reader.readuntil(b"100 Continue")
        writer.close()
        figures = ""
        while "cadogan_refusals_total{" not in figures:
            async with session.get(f"http://{host}:{port}/metrics", headers=FOR_METRICS) as response:
                figures = await response.text()
        assert 'cadogan_refusals_total{code="bad_message"} 1.0' in figures


@asynccontextmanager
async def served(settings: Settings) -> AsyncIterator[tuple[str, int]]:
    """The application's address, served as `cadogan serve` does; a test server ends what its clients have left."""
    runner = web.AppRunner(make_app(settings))
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0]
        yield host, port
    finally:
        await runner.cleanup()


async def test_an_internal_error_reveals_only_the_request_id(client: Client) -> None:
    async with client.app[SERVER].database.writing() as connection:
        await connection.exec_driver_sql("ALTER TABLE players RENAME TO gone")
    response = await client.post("/api/v1/session/guest")
    body = await response.json()
    assert (response.status, body["code"]) == (500, "internal")
    assert response.headers["X-Request-Id"] in body["message"]
    assert "players" not in body["message"]


async def test_api_answers_are_not_cached_and_all_answers_have_security_headers(client: Client) -> None:
    response = await client.get("/api/v1/rules")
    assert response.headers["Cache-Control"] == "no-store"
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


async def test_every_url_of_the_web_client_is_answered_with_the_page(client: Client) -> None:
    for path in ("/", "/daily/2026-11-20", "/games/k3v7q2m5x4c6z2ab"):
        response = await client.get(path)
        said = (response.status, response.content_type, response.charset, response.headers["Cache-Control"])
        assert said == (200, "text/html", "utf-8", "no-cache"), path


async def test_a_page_that_has_not_changed_is_not_sent_again(client: Client) -> None:
    first = await client.get("/")
    again = await client.get("/", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status == 304
    assert again.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]


async def test_no_address_leads_out_of_the_clients_folder(client: Client) -> None:
    address = client.make_url("/").origin()
    paths = (
        "/../pyproject.toml",
        "/%2e%2e/%2e%2e/pyproject.toml",
        "/..%2f..%2fpyproject.toml",
        "/.hidden.js",
        "/%00.js",
    )
    answers = {path: await client.session.get(URL(f"{address}{path}", encoded=True)) for path in paths}
    assert {path: answer.status for path, answer in answers.items()} == dict.fromkeys(paths, 404)


async def test_a_url_longer_than_any_file_name_is_not_found(client: Client) -> None:
    for path in ("/" + "a" * 300 + ".js", "/" + "a/" * 3000 + "a.js"):
        assert (await client.get(path)).status == 404


async def test_health_readiness_and_metrics_are_answered(client: Client) -> None:
    assert (await client.get("/healthz")).status == 200
    assert (await client.get("/readyz")).status == 200
    await client.post("/api/v1/session/guest", headers=from_our_page(client))
    figures = await client.get("/metrics", headers=FOR_METRICS)
    assert figures.headers["Content-Type"] == CONTENT_TYPE
    text = await figures.text()
    assert 'cadogan_requests_total{method="POST",route="/api/v1/session/guest",status="200"} 1.0' in text


async def test_metrics_are_only_for_who_has_the_token(client: Client, sqlite_url: str) -> None:
    for headers in ({}, {"Authorization": "Bearer another-token-for-it"}, {"Authorization": f"Basic {METRICS_TOKEN}"}):
        refused = await client.get("/metrics", headers=headers)
        assert (refused.status, (await refused.json())["code"]) == (401, "unauthorized")
    async with TestClient(TestServer(make_app(Settings(database_url=sqlite_url)))) as without_setting:
        for headers in ({}, {"Authorization": "Bearer "}, FOR_METRICS):
            assert (await without_setting.get("/metrics", headers=headers)).status == 401


async def test_metrics_never_name_a_game_or_a_person(client: Client) -> None:
    player = (await (await client.post("/api/v1/session/guest")).json())["player"]["id"]
    await client.get(f"/api/v1/games/{player}")
    await client.get(f"/{player}.js")
    assert player not in await (await client.get("/metrics", headers=FOR_METRICS)).text()


async def test_without_its_database_the_server_is_alive_but_not_ready(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.operations.upkeep.CHECK_SECONDS", 0.0)
    with capture_logs() as logged:
        await client.app[SERVER].database.engine.dispose()
        with taken_away(client.app[SERVER].database):
            assert (await client.get("/healthz")).status == 200
            for _ in range(2):
                assert (await client.get("/readyz")).status == 503
    (logged_event,) = (line for line in logged if line["event"] == "database_unavailable")
    assert "unable to open database file" in logged_event["reason"]
    assert (await client.get("/readyz")).status == 200
