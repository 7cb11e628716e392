"""The settings of a server: the fields of `Settings`, for a file, the environment, the flags and `docs/hosting.md`.

The field `port` is the key `port` of a file such as `cadogan.toml`, the environment variable `CADOGAN_PORT` and the
flag `--port`. `cadogan.server.config_sources` reads them. The file `cadogan.toml` next to this one is an example for
hosts and documents each setting: its comments become the text of the table, the help and the messages.

    python -m cadogan.server.config     # prints the table of docs/hosting.md

    SettingError    a value that cannot be used; the message says which setting, why, and what to do
"""

import re
from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from email.utils import parseaddr
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from sqlalchemy.exc import ArgumentError

from cadogan.server.core.addresses import Origin
from cadogan.server.core.cluster.nats_address import read_nats_address
from cadogan.server.core.database.connections import DatabaseUnsupported, database_url
from cadogan.server.core.mailer import SmtpServer, read_sender
from cadogan.server.subjects.accounts.oidc_provider import read_address
from cadogan.server.subjects.daily.beacon_days import BeaconAddress
from cadogan.server.subjects.daily.rules import read_calendar
from cadogan.server.subjects.transparency.notes import LOG, WITNESSES, BadKey, VerifierKey

PREFIX = "CADOGAN_"
AUTO = "auto"
MAX_PROCESSES = 64
"""Each process opens up to 16 connections to the database."""
SOCKETS_PER_BURST = 25
"""One address may have this many times `burst` sockets and HTTP streams open at once."""
Value = TypeVar("Value")
_EXAMPLE = Path(__file__).with_name("cadogan.toml").read_text("utf-8")
_MEANINGS = {name: text for text, name in re.findall(r"((?:^# .*\n)+)#(\w+) = ", _EXAMPLE, re.MULTILINE)}


class SettingError(ValueError):
    """A setting that cannot be used. The message never includes a value that may be secret."""


# Readers parse the text of a setting. They raise ValueError, which says what is wrong, and what to do.


def _text(value: str) -> str:
    if not value.strip():
        raise ValueError("must not be empty")
    return value.strip()


def _checked(check: Callable[[str], object]) -> Callable[[str], str]:
    """Return a reader that accepts a text if `check` does not raise ValueError."""

    def read(value: str) -> str:
        check(_text(value))
        return value.strip()

    return read


def _switch(value: str) -> bool:
    words = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
    if value.strip().lower() not in words:
        raise ValueError(f"{value!r} is neither true nor false")
    return words[value.strip().lower()]


def _number(minimum: int, maximum: int, *words: str) -> Callable[[str], int | str]:
    """Return a reader of an integer from `minimum` to `maximum`, or of one of the given words."""

    def read(value: str) -> int | str:
        text = value.strip().lower()
        if text in words:
            return text
        if not re.fullmatch(r"[0-9]{1,15}", text) or not minimum <= int(text) <= maximum:
            start = f"neither {' nor '.join(words)} nor" if words else "not"
            raise ValueError(f"{value!r} is {start} a whole number from {minimum} to {maximum}")
        return int(text)

    return read


def _read_choice(*words: str) -> Callable[[str], str]:
    def read(value: str) -> str:
        if value.strip().lower() not in words:
            raise ValueError(f"{value!r} is not one of {', '.join(words)}")
        return value.strip().lower()

    return read


def _several(read: Callable[[str], str]) -> Callable[[str], tuple[str, ...]]:
    """Return a reader of comma-separated texts; duplicates are removed."""
    return lambda value: tuple(dict.fromkeys(read(text) for text in value.replace(",", " ").split()))


def _database(value: str) -> str:
    try:
        url = database_url(_text(value))
    except DatabaseUnsupported as error:
        raise ValueError(str(error)) from None
    except (ArgumentError, ValueError):  # their messages may include a part of the password
        raise ValueError("is not a database URL: try sqlite:///cadogan.db or postgresql://user@host/name") from None
    file = Path(url.database or "")
    if url.get_backend_name() == "sqlite" and not file.parent.is_dir():
        raise ValueError(f"{str(file.parent)!r} is not a folder: create it first")
    if url.get_backend_name() == "sqlite" and file.is_dir():
        raise ValueError(f"{str(file)!r} is a folder: name a file")
    return value.strip()


def _bus(value: str) -> str:
    value = _text(value)
    if value.lower() in (AUTO, "local", "postgresql"):
        return value.lower()
    try:
        read_nats_address(value).tls_context()
    except OSError as error:
        raise ValueError(f"names a file that cannot be used: {error}") from None
    return value


def _public_key(*kinds: int) -> Callable[[str], str]:
    """Return a reader of the public key of a log or of a witness."""

    def read(text: str) -> str:
        try:
            key = VerifierKey.read(text)
        except BadKey as error:
            raise ValueError(f"{text!r} is not a public key: {error}") from None
        if key.kind not in kinds:
            raise ValueError(f"{text!r} is the key of a {'log' if key.kind == LOG else 'witness'}")
        if not key.is_checkable:
            raise ValueError(f"{text!r} needs a later version of the library cryptography, which knows ML-DSA-44")
        return key.text

    return read


def _witness(text: str) -> str:
    url, _, key = text.partition("#")
    if not re.fullmatch(r"https?://[^@?#]+", url):
        raise ValueError(f"{text!r} does not begin with the address of a witness, like https://friends.example/witness")
    _public_key(*WITNESSES)(key)
    return text


def _token(value: str) -> str:
    if not re.fullmatch(r"[!-~]{16,256}", value.strip()):
        raise ValueError("is not a token: write 16 to 256 letters, digits and signs, without spaces")
    return value.strip()


def _show(value: str) -> str:
    return value


def _hide(value: str) -> str:
    return "***" if value else ""


def _hide_credentials(url: str) -> str:
    """Mask the name and the password in a URL, and its query, which may also contain a password."""
    return re.sub(r"\?.*", "?***", re.sub(r"://.*@", "://***@", url, flags=re.DOTALL), flags=re.DOTALL)


def _setting(default: Value, read: Callable[[str], object], mask: Callable[[str], str] = _show) -> Value:
    """Declare a setting: its default, and its reader.

    `mask` returns what may be shown of its text; a setting with another mask than `_show` is secret.
    """
    made: Value = field(default=default, metadata={"read": read, "mask": mask})
    return made


@dataclass(frozen=True)
class Settings:
    """All settings of a server. `Settings()` holds the defaults; `cadogan.toml` documents each of them."""

    host: str = _setting("127.0.0.1", _text)
    port: int = _setting(8000, _number(1, 65535))
    processes: int | str = _setting(1, _number(1, MAX_PROCESSES, AUTO))
    database_url: str = _setting("sqlite+aiosqlite:///cadogan.db", _database, _hide_credentials)
    key_file: str = _setting("", _text)
    witnesses: tuple[str, ...] = _setting((), _several(_witness))
    witness_for: tuple[str, ...] = _setting((), _several(_public_key(LOG)))
    migrate: bool = _setting(False, _switch)
    bus: str = _setting(AUTO, _bus, _hide_credentials)
    origin: tuple[str, ...] = _setting((), _several(lambda text: str(Origin.read(text))))
    secure_cookies: bool = _setting(False, _switch)
    proxies: int = _setting(0, _number(0, 10))
    daily_grace: int = _setting(3600, _number(0, 43200))
    calendar: str = _setting("", _checked(read_calendar))
    beacon: str = _setting("", _checked(BeaconAddress.read))
    certify: bool = _setting(True, _switch)
    analysts: int = _setting(1, _number(0, 64))
    compiled: bool = _setting(True, _switch)
    search_positions: int = _setting(2_000_000, _number(10_000, 1_000_000_000))
    fresh: int = _setting(7 * 86400, _number(0, 365 * 86400))
    private_destinations: tuple[str, ...] = _setting((), _several(_read_choice("webhooks", "notifications")))
    smtp_url: str = _setting("", _checked(SmtpServer.read), _hide_credentials)
    mail_from: str = _setting("", read_sender)
    oidc_issuer: str = _setting("", read_address)
    oidc_client_id: str = _setting("", _text)
    oidc_client_secret: str = _setting("", _text, _hide)
    rate: int = _setting(20, _number(1, 1_000_000))
    burst: int = _setting(40, _number(1, 1_000_000))
    metrics_token: str = _setting("", _token, _hide)
    log_level: str = _setting("info", _read_choice("debug", "info", "warning", "error"))
    log_format: str = _setting("console", _read_choice("console", "json"))

    @property
    def sockets(self) -> int:
        """How many sockets and HTTP streams one address may have open at once."""
        return self.burst * SOCKETS_PER_BURST

    @property
    def oidc_name(self) -> str:
        """The provider's name on the pages: its host name."""
        return urlsplit(self.oidc_issuer).hostname or ""


@dataclass(frozen=True)
class Removed:
    """Settings of version 0.3 without effect; the default of each is the behaviour that replaced it."""

    bundle: str = "the bundle is served if it was made from the present modules; without it the modules are"
    shutdown: str = "connections get ten seconds to finish when the server stops"
    sockets: str = f"one address may have {SOCKETS_PER_BURST} times `burst` sockets and streams open"
    oidc_name: str = "the pages call the provider by the host in `oidc_issuer`"
    webhooks_inside: str = "if it was true, add `webhooks` to `private_destinations`"
    notifications_inside: str = "if it was true, add `notifications` to `private_destinations`"


REMOVED: tuple[Field[str], ...] = fields(Removed)


def process_count(settings: Settings, cores: int) -> int:
    """Return the number of server processes, on a machine with `cores` usable cores.

    >>> process_count(Settings(processes="auto"), 8)
    1
    >>> process_count(Settings(processes="auto", database_url="postgresql://club@127.0.0.1/club"), 8)
    8
    """
    if settings.processes == AUTO:
        return 1 if why_single(settings) else min(cores, MAX_PROCESSES)
    return int(settings.processes)


def why_single(settings: Settings) -> str:
    """Return why these settings allow only one process, and what to do; empty if several are possible."""
    if database_url(settings.database_url).get_backend_name() == "sqlite":
        return f"an SQLite file belongs to one process: set {PREFIX}DATABASE_URL to a PostgreSQL database"
    if settings.bus == "local":
        return f"with the bus `local` they do not hear of each other: set {PREFIX}BUS to auto, or to nats://host:4222"
    return ""


def witness_keys(settings: Settings) -> list[str]:
    """Return the public keys of the witnesses that are requested to sign the log."""
    return [text.partition("#")[2] for text in settings.witnesses]


def contact_of(settings: Settings) -> str:
    """Return the contact for operators of push services: a mail URL or the page; empty if neither is set.

    >>> contact_of(Settings(mail_from="The club <club@patience.example>"))
    'mailto:club@patience.example'
    """
    if settings.mail_from:
        return f"mailto:{parseaddr(settings.mail_from)[1]}"
    return next((origin for origin in settings.origin if origin.startswith("https://")), "")


def all_settings() -> tuple[Field[Any], ...]:
    """Return every setting, as the fields of `Settings`."""
    return fields(Settings)


def variable(setting: Field[Any]) -> str:
    """Return the setting's environment variable, like ``CADOGAN_DATABASE_URL``."""
    return PREFIX + setting.name.upper()


def flag(setting: Field[Any]) -> str:
    """Return the setting's flag, like ``--database-url``."""
    return "--" + setting.name.replace("_", "-")


def is_secret(setting: Field[Any]) -> bool:
    """Whether the setting is secret, such as a password."""
    return setting.metadata.get("mask", _show) is not _show


def as_text(value: Any) -> str:
    """Return a setting's value as written in an environment variable."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, tuple) else str(value)


def default(setting: Field[Any]) -> str:
    """Return the setting's default as written in an environment variable."""
    return as_text(setting.default)


def meaning(setting: Field[Any]) -> str:
    """Return the setting's documentation from `cadogan.toml`."""
    return " ".join(_MEANINGS[setting.name].replace("# ", "").split())


def settings_table() -> str:
    """Return the table of settings in `docs/hosting.md`, in Markdown."""
    rows = [f"| `{variable(one)}` | `{default(one) or '(none)'}` | {meaning(one)} |" for one in all_settings()]
    lines = ["| variable | default | meaning |", "| --- | --- | --- |", *rows]
    return "\n".join(lines).replace("`(none)`", "(none)")


if __name__ == "__main__":
    print(settings_table())
