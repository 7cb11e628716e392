"""A real SMTP server on this machine, which stores the mails that it accepts."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any
from warnings import catch_warnings, simplefilter

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope

from tests.harness.patience import soon

USER, PASSWORD = "club", "a password/with:signs"


@dataclass
class Post:
    """The received mails, and the addresses whose mails are refused."""

    mails: list[EmailMessage] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    url: str = ""
    _came: asyncio.Event = field(default_factory=asyncio.Event)

    # aiosmtpd requires these two names.
    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Envelope, address: str, _options: Any) -> str:  # noqa: N802
        """Accept or refuse a recipient."""
        if address in self.refused:
            return "550 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Envelope) -> str:  # noqa: N802
        """Store a mail."""
        assert isinstance(envelope.content, bytes)
        mail = message_from_bytes(envelope.content, policy=default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        self.recipients += envelope.rcpt_tos
        self._came.set()
        return "250 OK"

    async def next(self) -> EmailMessage:
        """Wait for the oldest mail that was not returned yet, and return it."""
        async with asyncio.timeout(soon()):
            while not self.mails:
                self._came.clear()
                await self._came.wait()
        return self.mails.pop(0)


def _is_member(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
    is_member = (data.login, data.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=is_member, handled=False)


@pytest.fixture
async def post() -> AsyncIterator[Post]:
    """Run a server that accepts mails from everybody."""
    async with open_post({}) as stored:
        yield stored


@pytest.fixture
async def guarded_post() -> AsyncIterator[Post]:
    """Run a server that accepts mails only with the password."""
    async with open_post({"authenticator": _is_member, "auth_required": True, "auth_require_tls": False}) as stored:
        yield stored


@asynccontextmanager
async def open_post(options: dict[str, Any]) -> AsyncIterator[Post]:
    """Run a server with these options, in the current event loop."""
    stored = Post()
    loop = asyncio.get_running_loop()

    def protocol() -> SMTP:
        with catch_warnings():
            simplefilter("ignore")  # ignore the warning that a password is sent without TLS: it is a test password
            return SMTP(stored, loop=loop, **options)

    server = await loop.create_server(protocol, "127.0.0.1", 0)
    stored.url = f"smtp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield stored
