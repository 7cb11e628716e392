"""Reading the value of a setting from its text.

Each function raises ValueError, which says what is wrong, and what to do. The messages never hold a value that may be
secret.
"""

import re
from collections.abc import Callable
from pathlib import Path

from sqlalchemy.exc import ArgumentError

from cadogan.server.cluster.nats_address import read_nats_address
from cadogan.server.competitions.daily.schedule import read_calendar
from cadogan.server.core.addresses import Origin
from cadogan.server.database.connections import DatabaseUnsupported, database_url
from cadogan.server.fairness.beacon_source import BeaconAddress
from cadogan.server.mail.mailer import SmtpServer
from cadogan.server.transparency.signing.keys import LOG, WITNESS, BadKey, VerifierKey

AUTO = "auto"
MAX_PROCESSES = 64
"""Each process opens up to 16 connections to the database."""


def some_text(value: str) -> str:
    """Read a text that is not empty."""
    if not value.strip():
        raise ValueError("must not be empty")
    return value.strip()


def database(value: str) -> str:
    """Read a database's URL, of a file that can be there."""
    try:
        url = database_url(some_text(value))
    except DatabaseUnsupported as error:
        raise ValueError(str(error)) from None
    except (ArgumentError, ValueError):  # their own messages may repeat a part of the password
        raise ValueError("is not a database URL: try sqlite:///cadogan.db or postgresql://user@host/name") from None
    if url.get_backend_name() == "sqlite":
        file = Path(url.database or "")
        if not file.parent.is_dir():
            raise ValueError(f"{str(file.parent)!r} is not a folder: create it first")
        if file.is_dir():
            raise ValueError(f"{str(file)!r} is a folder: name a file")
    return value.strip()


def bus(value: str) -> str:
    """Read a word for a bus, or the address of NATS."""
    value = some_text(value)
    if value.lower() in ("auto", "local", "postgresql"):
        return value.lower()
    address = read_nats_address(value)
    try:
        address.tls_context()
    except OSError as error:
        raise ValueError(f"names a file that cannot be used: {error}") from None
    return value


def calendar(value: str) -> str:
    """Read the calendar of the daily games."""
    read_calendar(some_text(value))
    return value.strip()


def beacon(value: str) -> str:
    """Read the address of a beacon."""
    BeaconAddress.read(value)
    return value.strip()


def origins(value: str) -> tuple[str, ...]:
    """Read origins, with commas between them, in the form in which browsers send them."""
    return tuple(dict.fromkeys(str(Origin.read(text)) for text in value.replace(",", " ").split()))


def log_keys(value: str) -> tuple[str, ...]:
    """Read the public keys of logs, with commas between them."""
    return tuple(_public_key(text, LOG).text for text in value.replace(",", " ").split())


def witnesses(value: str) -> tuple[str, ...]:
    """Read addresses of witnesses with their keys, with commas between them."""
    named = value.replace(",", " ").split()
    for text in named:
        url, _, key = text.partition("#")
        if not re.fullmatch(r"https?://[^@?#]+", url):
            raise ValueError(
                f"{text!r} does not begin with the address of a witness, like https://friends.example/witness"
            )
        _public_key(key, WITNESS)
    return tuple(named)


def _public_key(text: str, kind: int) -> VerifierKey:
    try:
        key = VerifierKey.read(text)
    except BadKey as error:
        raise ValueError(f"{text!r} is not a public key: {error}") from None
    if key.kind != kind:
        raise ValueError(f"{text!r} is the key of a {'witness' if kind == LOG else 'log'}")
    return key


def smtp_url(value: str) -> str:
    """Read the address of an SMTP server."""
    SmtpServer.read(value)
    return value.strip()


def token(value: str) -> str:
    """Read a secret of 16 characters or more."""
    if not re.fullmatch(r"[!-~]{16,256}", value.strip()):
        raise ValueError("is not a token: write 16 to 256 letters, digits and signs, without spaces")
    return value.strip()


def switch(value: str) -> bool:
    """Read yes or no."""
    words = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
    if value.strip().lower() not in words:
        raise ValueError(f"{value!r} is neither true nor false")
    return words[value.strip().lower()]


def whole_number(minimum: int, maximum: int) -> Callable[[str], int]:
    """Return what reads a whole number from `minimum` to `maximum`."""

    def read(value: str) -> int:
        if not re.fullmatch(r"[0-9]{1,15}", value.strip()) or not minimum <= int(value) <= maximum:
            raise ValueError(f"{value!r} is not a whole number from {minimum} to {maximum}")
        return int(value)

    return read


def process_count(value: str) -> int | str:
    """Read a number of processes, or `auto`."""
    if value.strip().lower() == AUTO:
        return AUTO
    try:
        return whole_number(1, MAX_PROCESSES)(value)
    except ValueError:
        raise ValueError(f"{value!r} is neither {AUTO} nor a whole number from 1 to {MAX_PROCESSES}") from None


def one_of(*words: str) -> Callable[[str], str]:
    """Return what reads one of these words."""

    def read(value: str) -> str:
        if value.strip().lower() not in words:
            raise ValueError(f"{value!r} is not one of {', '.join(words)}")
        return value.strip().lower()

    return read
