"""Servers that send digests to a real SMTP server; none of them sends any by itself."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from email.message import EmailMessage

import pytest

from cadogan.server.core import dates
from cadogan.server.core.web.requests import SERVER
from cadogan.server.subjects.news.digest_text import HOUR
from tests.harness.hosts import confirm, player
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server
from tests.harness.smtp_server import Post
from tests.harness.two_nodes import TwoNodes, open_two_nodes

ORIGIN = "https://club.example"
SETTINGS = replace(TEST_SETTINGS, mail_from="The club <club@patience.example>", origin=(ORIGIN,))
MONDAY = dates.day_times("2026-11-23", 0).opens_at
DUE = MONDAY + 6 * HOUR


@pytest.fixture(autouse=True)
def nothing_by_itself(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No node sends digests until a test asks it to, but for the test that is about it; passwords have no limit."""

    async def no_rounds(*_: object) -> None:
        """Make none."""

    monkeypatch.setattr("cadogan.server.core.rate_limits.ACCOUNTS_AT_ONCE", 1000)
    if "by_itself" not in request.node.name:
        monkeypatch.setattr("cadogan.server.subjects.news.news.run_periodically", no_rounds)


@pytest.fixture
async def mailing(database_url: str, post: Post) -> AsyncIterator[RunningServer]:
    """A server that sends mails."""
    async with open_server(replace(SETTINGS, database_url=database_url, smtp_url=post.url)) as one:
        yield one


@pytest.fixture
async def nodes(database_url: str, post: Post) -> AsyncIterator[TwoNodes]:
    """Two such nodes."""
    async with open_two_nodes(replace(SETTINGS, database_url=database_url, smtp_url=post.url), None) as one:
        yield one


async def with_address(server: RunningServer, post: Post, name: str) -> Person:
    """A player with a confirmed address."""
    person = await player(server, name)
    await confirm(person)
    status, answer = await person.ask("PUT", "/account/mail", {"address": address_of(name)})
    assert status == 200, answer
    code = re.search(r"/mail/([\w-]+)", (await post.next()).get_content())
    assert code is not None
    assert (await server.stranger().ask("PUT", "/account/mail/confirmation", {"code": code[1]}))[0] == 200
    return person


async def reader(server: RunningServer, post: Post, name: str, language: str = "en") -> Person:
    """A player with a confirmed address who gets digests."""
    person = await with_address(server, post, name)
    status, answer = await switch(person, on=True, language=language)
    assert (status, answer["digest"]) == (200, True)
    return person


async def switch(person: Person, on: bool, language: str = "en") -> tuple[int, dict[str, object]]:
    """Switch the digests of a player on or off."""
    return await person.ask("PUT", "/account/mail/digest", {"on": on, "language": language})


def address_of(name: str) -> str:
    """The address of the player of this name."""
    return f"{name.lower()}@mail.example"


async def send(server: RunningServer) -> int:
    """What a node does every few seconds."""
    return await server.app[SERVER].news.digest_sender.send_due()


def parts(mail: EmailMessage) -> tuple[str, str]:
    """The plain text and the HTML of a mail."""
    text, html = (mail.get_body((kind,)) for kind in ("plain", "html"))
    assert text is not None
    assert html is not None
    return text.get_content().replace("\r\n", "\n"), html.get_content()


def code_in(mail: EmailMessage) -> str:
    """The code of the link that ends the digests."""
    found = re.search(rf"{ORIGIN}/digest/([\w-]+)\s", parts(mail)[0])
    assert found is not None
    return found[1]
