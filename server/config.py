"""The settings of a server: the fields of `Settings`, for the environment, the flags and `docs/hosting.md`.

The field `port` is the environment variable `CADOGAN_PORT` and the flag `--port`. A flag overrides the environment.

    python -m server.config     # prints the table of docs/hosting.md

    SettingError    a value that cannot be used; says which setting, why, and what to do
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from sqlalchemy.exc import ArgumentError

from server.competitions.daily.schedule import read_calendar
from server.database.connections import DatabaseUnsupported, database_url

PREFIX = "CADOGAN_"

Value = TypeVar("Value")


class SettingError(ValueError):
    """A setting that cannot be used. The message never holds a value that may be secret."""


def _setting(default: Value, read: Callable[[str], Value], meaning: str) -> Value:
    made: Value = field(default=default, metadata={"read": read, "meaning": meaning})
    return made


def _text(value: str) -> str:
    if not value.strip():
        raise ValueError("must not be empty")
    return value.strip()


def _database(value: str) -> str:
    try:
        url = database_url(_text(value))
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


def _bus(value: str) -> str:
    value = _text(value)
    if value.lower() in ("auto", "local", "postgresql"):
        return value.lower()
    address = urlsplit(value)
    if address.scheme not in ("nats", "tls") or not address.hostname:
        raise ValueError("is not one of auto, local, postgresql and nats://host:4222")
    if not re.fullmatch(r"/?[A-Za-z0-9_-]*", address.path):
        raise ValueError(
            "has something after the host that is not a subject: write one word, like nats://host:4222/cadogan"
        )
    return value


def _calendar(value: str) -> str:
    read_calendar(_text(value))
    return value.strip()


def _origins(value: str) -> tuple[str, ...]:
    origins = tuple(origin.rstrip("/").lower() for origin in value.replace(",", " ").split())
    for origin in origins:
        if not re.fullmatch(r"https?://[^/@?#]+", origin):
            raise ValueError(
                f"{origin!r} is not an origin: write https://patience.example, and put commas between several"
            )
    return origins


def _token(value: str) -> str:
    if not re.fullmatch(r"[!-~]{16,256}", value.strip()):
        raise ValueError("is not a token: write 16 to 256 letters, digits and signs, without spaces")
    return value.strip()


def _switch(value: str) -> bool:
    words = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
    if value.strip().lower() not in words:
        raise ValueError(f"{value!r} is neither true nor false")
    return words[value.strip().lower()]


def _whole_number(minimum: int, maximum: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not re.fullmatch(r"[0-9]{1,15}", value.strip()) or not minimum <= int(value) <= maximum:
            raise ValueError(f"{value!r} is not a whole number from {minimum} to {maximum}")
        return int(value)

    return read


def _one_of(*words: str) -> Callable[[str], str]:
    def read(value: str) -> str:
        if value.strip().lower() not in words:
            raise ValueError(f"{value!r} is not one of {', '.join(words)}")
        return value.strip().lower()

    return read


@dataclass(frozen=True)
class Settings:
    """Everything that a host can set. `Settings()` holds the defaults."""

    host: str = _setting("127.0.0.1", _text, "the address to listen on; `0.0.0.0` listens on all")
    port: int = _setting(8000, _whole_number(1, 65535), "the port to listen on")
    database_url: str = _setting(
        "sqlite+aiosqlite:///cadogan.db", _database, "an SQLite file, or `postgresql://user:password@host/name`"
    )
    migrate: bool = _setting(
        False,
        _switch,
        "bring the tables up to date at the start; nodes that start at the same time wait for the one that does it",
    )
    bus: str = _setting(
        "auto",
        _bus,
        "how nodes wake each other: `local` (there is only one), `postgresql`, or `nats://host:4222/club`, where all "
        "subjects begin with the last word (`cadogan` if there is none); "
        "`auto` is `postgresql` where that is the database, else `local`",
    )
    origin: tuple[str, ...] = _setting(
        (),
        _origins,
        "the addresses that people type, like `https://patience.example`; requests to other names are "
        "refused, except to `localhost` and to the IP address that the server listens on",
    )
    bundle: bool = _setting(
        True,
        _switch,
        "serve the web client in a few files, where it was bundled; `false` serves its modules as they are",
    )
    secure_cookies: bool = _setting(False, _switch, "send cookies over TLS only; set it behind a proxy that speaks TLS")
    proxies: int = _setting(
        0, _whole_number(0, 10), "how many proxies are before the server and add to `X-Forwarded-For`"
    )
    daily_grace: int = _setting(
        3600,
        _whole_number(0, 43200),
        "seconds after the end of a day in which a run that began on that day may still finish",
    )
    calendar: str = _setting(
        "", _calendar, "a file that says which games the deals of each day have; by default all games take turns"
    )
    certify: bool = _setting(
        True,
        _switch,
        "search the deals of the coming days for one that can be won, in a process of its own (`cadogan certify`); "
        "of several nodes one is enough; `false` leaves every day uncertified, unless something else runs that command",
    )
    analysts: int = _setting(
        1,
        _whole_number(0, 64),
        "how many analysts run beside the server, each in a process of its own (`cadogan analyst`), and find out which "
        "games could be won, and where they were lost; `0` leaves it to analysts that are started elsewhere",
    )
    fresh: int = _setting(
        7 * 86400,
        _whole_number(0, 365 * 86400),
        "seconds that a name must be old when a day opens or a race starts, so that its player may see the cards of "
        "others and practise before the end; guests and newer names see only the progress; 0 trusts everybody",
    )
    rate: int = _setting(
        20,
        _whole_number(1, 1_000_000),
        "commands a second that one connection may send on average; also deals and the like that one player or address "
        "may create; a 400th of it are guests that may come from one address, and races that may be opened there",
    )
    burst: int = _setting(
        40,
        _whole_number(1, 1_000_000),
        "commands that one connection may send at once; also deals, guests and races at once",
    )
    sockets: int = _setting(
        1000, _whole_number(1, 1_000_000), "sockets and HTTP streams that one address may have open at once"
    )
    shutdown: int = _setting(10, _whole_number(0, 300), "seconds that connections get to finish when the server stops")
    metrics_token: str = _setting(
        "", _token, "who sends this token, of 16 characters or more, gets the metrics; by default nobody"
    )
    log_level: str = _setting("info", _one_of("debug", "info", "warning", "error"), "the lowest level that is logged")
    log_format: str = _setting("console", _one_of("console", "json"), "`console` for people, `json` for programs")


def all_settings() -> tuple[Field[Any], ...]:
    """Return every setting, as the fields of `Settings`."""
    return fields(Settings)


def variable(setting: Field[Any]) -> str:
    """Return the setting's environment variable, like ``CADOGAN_DATABASE_URL``."""
    return PREFIX + setting.name.upper()


def flag(setting: Field[Any]) -> str:
    """Return the setting's flag, like ``--database-url``."""
    return "--" + setting.name.replace("_", "-")


def default(setting: Field[Any]) -> str:
    """Return the setting's default as a host would write it."""
    if isinstance(setting.default, bool):
        return str(setting.default).lower()
    return ",".join(setting.default) if isinstance(setting.default, tuple) else str(setting.default)


def read_settings(
    environment: Mapping[str, str] = os.environ, flags: Mapping[str, str | None] | None = None
) -> Settings:
    """Read the settings: each from its flag if that is given, else from the environment, else its default.

    `flags` holds the texts by field name. A variable that is set but empty counts as not set, because compose files
    write it so. Raises SettingError.
    """
    values: dict[str, Any] = {}
    for setting in all_settings():
        given = (flags or {}).get(setting.name)
        source, text = (flag(setting), given) if given is not None else (variable(setting), "")
        if given is None:
            text = environment.get(variable(setting), "")
        if given is None and not text:
            continue
        try:
            values[setting.name] = setting.metadata["read"](text)
        except ValueError as error:
            raise SettingError(f"{source}: {error} (it is {setting.metadata['meaning']})") from None
    settings = Settings(**values)
    if settings.bus == "postgresql" and database_url(settings.database_url).get_backend_name() != "postgresql":
        raise SettingError(f"{PREFIX}BUS: postgresql needs a PostgreSQL database ({PREFIX}DATABASE_URL)")
    return settings


def settings_table() -> str:
    """Return the table of settings in `docs/hosting.md`, in Markdown."""
    rows = [
        (variable(setting), default(setting) or "(none)", setting.metadata["meaning"]) for setting in all_settings()
    ]
    lines = [f"| `{name}` | `{value}` | {meaning} |" for name, value, meaning in rows]
    return "\n".join(["| variable | default | meaning |", "| --- | --- | --- |", *lines]).replace("`(none)`", "(none)")


if __name__ == "__main__":
    print(settings_table())
