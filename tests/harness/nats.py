"""The NATS server of the tests, and the bus types that need a server."""

import asyncio
import os
import secrets
from urllib.parse import urlsplit

import pytest

from tests.harness.databases import leave_out
from tests.harness.patience import soon

NATS = os.environ.get("CADOGAN_TEST_NATS", "nats://127.0.0.1:4222")
"""The NATS server of the tests, without a subject."""
REMOTE = ("postgresql", "nats")


@pytest.fixture(scope="session")
def nats_server() -> None:
    """Require a NATS server that answers; otherwise skip the test, or fail it if CADOGAN_REQUIRE_SERVICES is 1."""
    if error := asyncio.run(_find_nats_error()):
        leave_out(f"no NATS answers at {NATS}: {error}")


async def _find_nats_error() -> Exception | None:
    address = urlsplit(NATS)
    try:
        async with asyncio.timeout(soon()):
            _, writer = await asyncio.open_connection(address.hostname, address.port)
    except (OSError, TimeoutError) as error:
        return error
    writer.close()
    await writer.wait_closed()
    return None


@pytest.fixture
def nats_url(nats_server: None) -> str:
    """Return a NATS URL with a unique subject."""
    pytest.importorskip("nats", reason="nats-py is not installed")
    return f"{NATS}/test_{secrets.token_hex(6)}"


@pytest.fixture(params=REMOTE)
def remote_kind(request: pytest.FixtureRequest) -> tuple[str, str]:
    """Return a bus type that needs a server, and its URL."""
    return request.param, request.getfixturevalue(f"{request.param}_url")
