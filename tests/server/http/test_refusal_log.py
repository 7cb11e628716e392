"""Clients that guess or flood are logged with their address, so that a host can ban them."""

import asyncio
import io
import json
import logging
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import structlog
from aiohttp import ClientWebSocketResponse
from aiohttp.test_utils import TestClient, TestServer

from cadogan.server.config import Settings
from cadogan.server.core import logs
from cadogan.server.core.logs import RequestLog
from cadogan.server.web_app import make_app
from tests.harness.http_client import Client

PAGE = (Path(__file__).parents[3] / "docs" / "operations.md").read_text("utf-8")
(FAILREGEX,) = re.findall(r"^failregex = (.+)$", PAGE, re.MULTILINE)
FILTER = re.compile(FAILREGEX.replace("<HOST>", r"(?P<host>[0-9a-fA-F:.]+)"))
"""What fail2ban makes of the filter in the documents."""


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What is logged as JSON; afterwards logging is as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    logs.configure("info", "json", stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(False)
    structlog.reset_defaults()


@pytest.fixture
async def behind_a_proxy(sqlite_url: str, written: io.StringIO) -> AsyncIterator[Client]:
    """A client of a server that has one proxy before it."""
    settings = Settings(database_url=sqlite_url, proxies=1, rate=40, burst=5)
    async with TestClient(TestServer(make_app(settings))) as client:
        yield client


def banned(written: io.StringIO) -> list[str]:
    """Return the address of each line that the filter finds."""
    found = [FILTER.search(line) for line in written.getvalue().splitlines()]
    return [match["host"] for match in found if match]


async def test_a_failed_sign_in_is_logged_with_the_address_that_the_proxy_has_seen(
    behind_a_proxy: Client, written: io.StringIO
) -> None:
    body = {"name": '"203.0.113.9"', "password": '"event": "refused", "address": "203.0.113.9"'}
    forged = {"X-Forwarded-For": "203.0.113.9, 192.0.2.7", "User-Agent": '"address": "203.0.113.9"'}
    refused = await behind_a_proxy.post("/api/v1/session", json=body, headers=forged)
    assert refused.status == 401
    assert banned(written) == ["192.0.2.7"]
    assert "203.0.113.9" not in written.getvalue()


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        ("198.51.100.7:50123", "198.51.100.7"),
        ("[2001:db8:1::7]:50123", "2001:db8:1::7"),
        ("10.0.0.9, ::ffff:198.51.100.7", "198.51.100.7"),
    ],
)
async def test_a_gateway_may_write_the_port_after_the_address(
    behind_a_proxy: Client, written: io.StringIO, forwarded: str, address: str
) -> None:
    headers = {"X-Forwarded-For": forwarded}
    await behind_a_proxy.post("/api/v1/session", json={"name": "Nobody", "password": "correct horse"}, headers=headers)
    assert banned(written) == [address]


@pytest.mark.parametrize("forwarded", ["victim.example", '192.0.2.7" x', "", "2001:db8::7:"])
async def test_what_is_no_address_is_not_logged_as_one(
    behind_a_proxy: Client, written: io.StringIO, forwarded: str
) -> None:
    headers = {"X-Forwarded-For": forwarded}
    await behind_a_proxy.post("/api/v1/session", json={"name": "Nobody", "password": "correct horse"}, headers=headers)
    assert banned(written) == ["127.0.0.1"]


async def test_many_refusals_are_logged_with_their_address_but_do_not_fill_the_log(
    behind_a_proxy: Client, written: io.StringIO
) -> None:
    headers = {"X-Forwarded-For": "2001:db8::7"}
    async with behind_a_proxy.ws_connect("/ws/v1", headers=headers) as socket:
        for _ in range(40):
            await socket.send_str("no message")
            assert json.loads(await socket.receive_str())["code"] == "bad_message"
    refused = [line for line in map(json.loads, written.getvalue().splitlines()) if line["event"] == "refused"]
    assert 20 <= len(refused) < 40
    assert {(line["code"], line["address"]) for line in refused} == {("bad_message", "2001:db8::7")}
    assert banned(written) == [], "people may send one unreadable message too"


async def test_a_socket_closed_for_sending_too_much_is_logged_with_its_address(
    behind_a_proxy: Client, written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.http.frame_gate.BACKLOG_SECONDS", 0.1)
    headers = {"X-Forwarded-For": "2001:db8::7"}
    async with behind_a_proxy.ws_connect("/ws/v1", headers=headers) as socket:
        closed = asyncio.create_task(drain(socket))
        with suppress(ConnectionError):
            while not closed.done():
                await socket.send_str("x" * 8192)
        await closed
    assert '"code": "rate_limited"' in written.getvalue()
    assert set(banned(written)) == {"2001:db8::7"}


async def drain(socket: ClientWebSocketResponse) -> None:
    """Read until the server closes the socket."""
    async for _ in socket:
        pass


async def test_who_does_nothing_wrong_leaves_no_address_in_the_log(
    behind_a_proxy: Client, written: io.StringIO
) -> None:
    await behind_a_proxy.get("/api/v1/rules/bridge", headers={"X-Forwarded-For": "192.0.2.7"})
    assert "192.0.2.7" not in written.getvalue()


async def test_a_request_that_is_not_http_leaves_no_secret_and_no_traceback_in_the_log(
    behind_a_proxy: Client, written: io.StringIO
) -> None:
    for request in (b"GET /join/secret\xc3\xa9 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"secret\r\n\r\n"):
        reader, writer = await asyncio.open_connection("127.0.0.1", behind_a_proxy.port)
        writer.write(request)
        assert b" 400 " in await reader.readline()
        writer.close()
    coded = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    async with behind_a_proxy.post("/api/v1/session", data=b"secret", headers=coded) as response:
        assert response.status == 415
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    assert "secret" not in written.getvalue()
    assert not [line for line in lines if "exception" in line]


def test_the_requests_of_an_address_do_not_fill_the_log_and_the_next_line_says_how_many_are_missing(
    written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.core.logs.REQUEST_LINES_AT_ONCE", 3)
    monkeypatch.setattr("cadogan.server.core.logs.REQUEST_LINES_PER_SECOND", 1e-6)
    log, write = RequestLog(), structlog.stdlib.get_logger("cadogan.http").info
    for address in ("192.0.2.7",) * 10 + ("192.0.2.8",) * 2:
        log.write(write, address, path="/")
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    assert [line.get("left_out") for line in lines] == [None, None, None, 7, None]
