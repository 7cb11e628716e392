"""Sends mails through one SMTP server, such as the host's: plain text, and the same as HTML if there is any.

MailFailed      the server did not accept a mail; the message has the reason, without the address
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid, parseaddr
from typing import Literal, NamedTuple
from urllib.parse import unquote, urlsplit

import aiosmtplib

TIMEOUT_SECONDS = 20.0
"""Seconds after which a server that does not answer counts as down."""
PERMANENT = 500
"""SMTP reply codes from this one on are permanent failures (RFC 5321)."""
PORTS = {"smtp": 25, "smtps": 465}
_ADDRESS = re.compile(r"[^\s@<>\"(),:;\\\[\]\x00-\x1f\x7f]{1,64}@[A-Za-z0-9.-]{1,253}\.?[A-Za-z0-9]")
MAX_ADDRESS_LENGTH = 254
_POLICY = SMTP.clone(refold_source="none", cte_type="7bit")


FailureKind = Literal["refused", "rejected", "later", "down"]
"""Why a mail failed: address permanently `refused`, mail permanently `rejected`, try `later`, or server `down`."""


class MailFailed(Exception):
    """A mail was not sent; `kind` decides whether to retry."""

    def __init__(self, message: str, kind: FailureKind = "down") -> None:
        super().__init__(message)
        self.kind: FailureKind = kind


class SmtpServer(NamedTuple):
    """An SMTP server. With `smtps` TLS is used from the start, otherwise STARTTLS if the server offers it."""

    host: str
    port: int
    use_tls: bool
    user: str | None = None
    password: str | None = None

    @classmethod
    def read(cls, url: str) -> "SmtpServer":
        """Parse a URL. Raises ValueError; its text contains no password.

        >>> SmtpServer.read("smtp://127.0.0.1:1025")
        SmtpServer(host='127.0.0.1', port=1025, use_tls=False, user=None, password=None)
        """
        parts = urlsplit(url.strip())
        try:
            port = parts.port
        except ValueError:
            port = 0
        if parts.scheme not in PORTS or not parts.hostname or port == 0 or parts.path.strip("/") or parts.query:
            raise ValueError("is not the address of an SMTP server: write smtp://user:password@mail.example:587")
        user, password = (unquote(text) if text else None for text in (parts.username, parts.password))
        return cls(parts.hostname, port or PORTS[parts.scheme], parts.scheme == "smtps", user, password)


def read_sender(text: str) -> str:
    """Parse the sender of mails, an address or a name with an address, and return it normalized. Raises ValueError.

    >>> read_sender("The club <club@patience.example>")
    'The club <club@patience.example>'
    """
    name, address = parseaddr(text)
    if not is_address(address) or any(ord(letter) < 32 for letter in text):
        raise ValueError("is not an address for mails: write The club <club@patience.example>, or only the address")
    return str(Address(name, addr_spec=address))


def is_address(text: str) -> bool:
    """Return whether the text is one mail address, in the characters that almost all addresses have.

    >>> is_address("ada@mail.example"), is_address("Ada <ada@mail.example>")
    (True, False)
    """
    return len(text) <= MAX_ADDRESS_LENGTH and text.isascii() and _ADDRESS.fullmatch(text) is not None


class Mailer:
    """Sends mails from one sender through one SMTP server."""

    def __init__(self, server: SmtpServer, sender: str) -> None:
        self._server = server
        self._sender = sender

    async def check(self) -> None:
        """Connect to the server and sign in, without sending a mail. Raises MailFailed."""
        server = self._server
        try:
            async with aiosmtplib.SMTP(
                hostname=server.host,
                port=server.port,
                username=server.user,
                password=server.password,
                use_tls=server.use_tls,
                timeout=TIMEOUT_SECONDS,
            ):
                pass
        except (aiosmtplib.SMTPException, OSError) as error:
            raise _failure(server, error) from error

    async def send(
        self, to: str, subject: str, text: str, html: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        """Send a mail to one address. Raises MailFailed, and ValueError if the address is invalid.

        `headers` are written unchanged, one line each, because encoding or folding would break addresses in them.
        """
        if not is_address(to):
            raise ValueError("not an address")
        mail = EmailMessage(policy=_POLICY)
        mail["From"], mail["To"], mail["Subject"] = self._sender, to, subject
        mail["Date"] = format_datetime(datetime.now(UTC))
        mail["Message-ID"] = make_msgid(domain=parseaddr(self._sender)[1].rpartition("@")[2])
        mail["Auto-Submitted"] = "auto-generated"  # suppresses automatic replies
        for name, value in (headers or {}).items():
            if not value.isascii() or not value.isprintable():
                raise ValueError("not the value of a header")
            mail.set_raw(name, value)
        mail.set_content(text)
        if html is not None:
            mail.add_alternative(html, subtype="html")
        try:
            await aiosmtplib.send(
                mail.as_bytes(),  # aiosmtplib would fold the headers of a message by its own policy
                sender=parseaddr(self._sender)[1],
                recipients=[to],
                hostname=self._server.host,
                port=self._server.port,
                username=self._server.user,
                password=self._server.password,
                use_tls=self._server.use_tls,
                timeout=TIMEOUT_SECONDS,
            )
        except (aiosmtplib.SMTPException, OSError) as error:
            raise _failure(self._server, error) from error


def _failure(server: SmtpServer, error: Exception) -> MailFailed:
    return MailFailed(f"{type(error).__name__} of {server.host}:{server.port}", _kind(error))


def _kind(error: Exception) -> FailureKind:
    match error:
        case aiosmtplib.SMTPRecipientsRefused():
            return "refused" if all(one.code >= PERMANENT for one in error.recipients) else "later"
        case aiosmtplib.SMTPDataError():
            return "rejected" if error.code >= PERMANENT else "later"
        case _:
            return "down"
