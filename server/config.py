"""The settings: one table, the fields of `Settings`, for environment, flags and the README's table.

A field `port` is the variable `CADOGAN_PORT` and the flag `--port`; a flag goes before the environment.

    python -m server.config     # prints the README's table

    SettingError    a value that cannot be; says which, why, and what to do
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
    """A setting that cannot be used. The message never holds the value of one that may be secret."""


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
    except (ArgumentError, ValueError):  # its own words may repeat a part of the password
        raise ValueError("is no database URL: try sqlite:///cadogan.db or postgresql://user@host/name") from None
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").parent.is_dir():
        raise ValueError(f"{str(Path(url.database or '').parent)!r} is no folder: make it first")
    return value.strip()


def _bus(value: str) -> str:
    value = _text(value)
    if value.lower() in ("auto", "local", "postgresql"):
        return value.lower()
    address = urlsplit(value)
    if address.scheme not in ("nats", "tls") or not address.hostname:
        raise ValueError("is none of auto, local, postgresql and nats://host:4222")
    if not re.fullmatch(r"/?[A-Za-z0-9_-]*", address.path):
        raise ValueError("names no subject after the host: write one word, as nats://host:4222/cadogan")
    return value


def _calendar(value: str) -> str:
    read_calendar(_text(value))
    return value.strip()


def _origins(value: str) -> tuple[str, ...]:
    origins = tuple(origin.rstrip("/").lower() for origin in value.replace(",", " ").split())
    for origin in origins:
        if not re.fullmatch(r"https?://[^/@?#]+", origin):
            raise ValueError(f"{origin!r} is no origin: write https://patience.example, several with commas between")
    return origins


def _switch(value: str) -> bool:
    words = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
    if value.strip().lower() not in words:
        raise ValueError(f"{value!r} is neither true nor false")
    return words[value.strip().lower()]


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not re.fullmatch(r"[0-9]{1,15}", value.strip()) or not least <= int(value) <= most:
            raise ValueError(f"{value!r} is no whole number from {least} to {most}")
        return int(value)

    return read


def _one_of(*words: str) -> Callable[[str], str]:
    def read(value: str) -> str:
        if value.strip().lower() not in words:
            raise ValueError(f"{value!r} is none of {', '.join(words)}")
        return value.strip().lower()

    return read


@dataclass(frozen=True)
class Settings:
    """What a host may decide. `Settings()` holds the defaults."""

    host: str = _setting("127.0.0.1", _text, "the address to listen on; `0.0.0.0` for every one")
    port: int = _setting(8000, _whole(1, 65535), "the port to listen on")
    database_url: str = _setting(
        "sqlite+aiosqlite:///cadogan.db", _database, "an SQLite file, or `postgresql://user:password@host/name`"
    )
    bus: str = _setting(
        "auto",
        _bus,
        "how nodes wake each other: `local` (there is but one), `postgresql`, or `nats://host:4222/club`, where all "
        "subjects begin with the last word (`cadogan` if there is none); "
        "`auto` is `postgresql` where that is the database, else `local`",
    )
    origin: tuple[str, ...] = _setting(
        (), _origins, "the addresses people type, as `https://patience.example`; by default any that reaches the server"
    )
    secure_cookies: bool = _setting(False, _switch, "cookies over TLS only; set it behind a proxy that speaks TLS")
    proxies: int = _setting(0, _whole(0, 10), "how many proxies stand before the server and add to `X-Forwarded-For`")
    daily_grace: int = _setting(
        3600, _whole(0, 43200), "seconds after a day's end in which a run begun that day may still finish"
    )
    calendar: str = _setting(
        "", _calendar, "a file that says which games the days' deals have; by default every game comes round"
    )
    fresh: int = _setting(
        86400,
        _whole(0, 30 * 86400),
        "seconds for which a new account sees of others' games of an open day or race no more than how far they are",
    )
    rate: int = _setting(
        20,
        _whole(1, 1_000_000),
        "commands a second that one connection may send for long; so many deals and the like may one player make, and "
        "so many guests come from one address",
    )
    burst: int = _setting(40, _whole(1, 1_000_000), "commands that one connection may send at once, and the like")
    shutdown: int = _setting(10, _whole(0, 300), "seconds that connections get to end when the server stops")
    log_level: str = _setting("info", _one_of("debug", "info", "warning", "error"), "the least that is logged")
    log_format: str = _setting("console", _one_of("console", "json"), "`console` for people, `json` for programs")


def table() -> tuple[Field[Any], ...]:
    """Every setting, as the fields of `Settings`."""
    return fields(Settings)


def variable(setting: Field[Any]) -> str:
    """The setting's environment variable: ``CADOGAN_DATABASE_URL``."""
    return PREFIX + setting.name.upper()


def flag(setting: Field[Any]) -> str:
    """The setting's flag: ``--database-url``."""
    return "--" + setting.name.replace("_", "-")


def default(setting: Field[Any]) -> str:
    """The setting's default as one would write it."""
    if isinstance(setting.default, bool):
        return str(setting.default).lower()
    return ",".join(setting.default) if isinstance(setting.default, tuple) else str(setting.default)


def read_settings(
    environment: Mapping[str, str] = os.environ, flags: Mapping[str, str | None] | None = None
) -> Settings:
    """The settings from the flags that are given (by field name), else the environment, else the defaults.

    A variable that is set but empty counts as not set, as compose files write it. Raises SettingError.
    """
    values: dict[str, Any] = {}
    for setting in table():
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


def markdown() -> str:
    """The README's table of settings."""
    rows = [(variable(setting), default(setting) or "(none)", setting.metadata["meaning"]) for setting in table()]
    lines = [f"| `{name}` | `{value}` | {meaning} |" for name, value, meaning in rows]
    return "\n".join(["| variable | default | meaning |", "| --- | --- | --- |", *lines]).replace("`(none)`", "(none)")


if __name__ == "__main__":
    print(markdown())
