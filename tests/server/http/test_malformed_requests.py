"""Odd requests: whatever somebody writes into an address or a body, it is refused, and never our failure."""

from itertools import product
from typing import Any

import msgspec
import pytest
from yarl import URL

from cadogan.wire.endpoint import Endpoint
from cadogan.wire.endpoints import ENDPOINTS
from cadogan.wire.examples import example
from tests.harness.running_server import RunningServer

pytestmark = pytest.mark.slow

ODD = ("%00", "%ff", "%ED%A0%80", "..%2f..%2f", "%27%3B--", "%25", "a" * 300, "%F0%9F%82%A1", "bot-", "-1")
ODD_IN_SQL = ("%00", "%ED%A0%80", "a" * 300)
VALUES: tuple[Any, ...] = ("\0", "a\0b", "\u2028", "\U0001f0a1" * 24, "' OR 1=1 --", "../x", 1 << 70, -1, [], None)
VALUES_ODD_IN_SQL: tuple[Any, ...] = ("a\0b", "\U0001f0a1" * 24, 1 << 70)
"""What drivers and databases refuse in different ways; all else is tried over SQLite alone."""


@pytest.mark.both_databases
async def test_a_malformed_url_never_causes_an_internal_error(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    failed = []
    for text, one in product(ODD if is_on_sqlite(running_server) else ODD_IN_SQL, ENDPOINTS):
        if one.parameters:
            path = one.path.format(**dict.fromkeys(one.parameters, text))
            body = msgspec.to_builtins(example(one.request)) if one.request else None
            if await status(running_server, ann.headers, one, path, body) >= 500:
                failed.append((one.name, text))
    assert failed == []


@pytest.mark.both_databases
async def test_a_malformed_body_never_causes_an_internal_error(running_server: RunningServer) -> None:
    failed = []
    values = VALUES if is_on_sqlite(running_server) else VALUES_ODD_IN_SQL
    for one in ENDPOINTS:
        if one.request is None:
            continue
        ann = await running_server.guest()
        path = one.path.format(**{**dict.fromkeys(one.parameters, "aaaaaaaaaaaaaaaa"), "day": "today", "slot": 1})
        whole: dict[str, Any] = msgspec.to_builtins(example(one.request))
        for key, odd in product(whole, values):
            if await status(running_server, ann.headers, one, path, whole | {key: odd}) >= 500:
                failed.append((one.name, key, odd))
    assert failed == []


def is_on_sqlite(running_server: RunningServer) -> bool:
    """Whether the server's database is SQLite."""
    return running_server.server.database.is_sqlite


async def status(running_server: RunningServer, headers: dict[str, str], one: Endpoint, path: str, body: Any) -> int:
    """The status of the answer to a request, sent as it stands."""
    address = URL(f"{running_server.url}{path}", encoded=True)
    async with running_server.session.request(one.method, address, json=body, headers=headers) as response:
        await response.read()
        return response.status
