"""A server whose people sign in by an OpenID Connect provider, for tests."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest

from tests.harness.hosts import confirm
from tests.harness.oidc_provider import CLIENT, SECRET, OidcProvider
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server

Answer = dict[str, str]


NOT_RIGHT = (401, "bad_credentials")


@pytest.fixture(autouse=True)
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test may try as often as it likes."""
    monkeypatch.setattr("cadogan.server.core.rate_limits.ACCOUNTS_AT_ONCE", 1000)


@pytest.fixture
async def company(sqlite_url: str, oidc_provider: OidcProvider) -> AsyncIterator[RunningServer]:
    """A server whose people can sign in by the provider."""
    async for one in open_company(sqlite_url, oidc_provider):
        yield one


@pytest.fixture
async def each_company(database_url: str, oidc_provider: OidcProvider) -> AsyncIterator[RunningServer]:
    """The same, once over SQLite, once over PostgreSQL."""
    async for one in open_company(database_url, oidc_provider):
        yield one


async def open_company(database_url: str, provider: OidcProvider) -> AsyncIterator[RunningServer]:
    """A server whose people can sign in by this provider."""
    settings = replace(
        TEST_SETTINGS,
        database_url=database_url,
        oidc_issuer=provider.url,
        oidc_client_id=CLIENT,
        oidc_client_secret=SECRET,
    )
    async with open_server(settings) as one:
        provider.now = one.clock
        yield one


@asynccontextmanager
async def browser(company: RunningServer) -> AsyncIterator[Person]:
    """Somebody with a browser, which keeps cookies."""
    async with aiohttp.ClientSession(
        cookie_jar=aiohttp.CookieJar(unsafe=True), headers={"Origin": company.url}
    ) as session:
        yield Person(company.url, session)


async def visit_provider(person: Person, path: str = "/session/oidc/request") -> Answer:
    """Sign in at the provider, and return what it has put into the address that it leads back to."""
    status, begun = await person.post(path)
    assert status == 200, begun
    async with aiohttp.ClientSession() as session, session.get(begun["address"], allow_redirects=False) as answer:
        back = urlsplit(answer.headers["Location"])
    assert f"{back.scheme}://{back.netloc}{back.path}" == f"{person.url}/account/provider"
    return {name: values[0] for name, values in parse_qs(back.query).items()}


async def sign_in(person: Person, path: str = "/session/oidc/request") -> tuple[int, Any]:
    """The answer to somebody who has signed in at the provider."""
    return await person.post("/session/oidc", await visit_provider(person, path))


async def join(company: RunningServer, name: str = "Ada") -> str:
    """Create an account by the provider; the player's id."""
    async with browser(company) as person:
        assert await sign_in(person) == (200, {"outcome": "new"})
        status, made = await person.post("/account/oidc", {"player": name})
        assert status == 200, made
        return str(made["player"]["id"])


async def linked(company: RunningServer, person: Person, name: str = "Ada") -> str:
    """An account with a password that is linked now; the player's id."""
    _, made = await person.post("/account", {"name": name, "password": "eight red queens"})
    person.token = ""
    assert (await person.post("/account/oidc/request"))[1]["code"] == "confirmation_needed"
    await confirm(person)
    status, done = await sign_in(person, "/account/oidc/request")
    assert (status, done["outcome"]) == (200, "linked"), done
    return str(made["player"]["id"])
