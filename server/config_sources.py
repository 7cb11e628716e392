"""Where the settings of a server come from: flags, the environment, credentials of systemd, a file, and defaults."""

import os
import tomllib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import Field
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from cadogan.server import config
from cadogan.server.config import SettingError, Settings
from cadogan.server.database.connections import database_url

Texts = Mapping[str, str | None]
NONE: Texts = MappingProxyType({})
CONFIG_VARIABLE = "CADOGAN_CONFIG"
"""The environment variable that names the file of settings."""
CREDENTIALS_VARIABLE = "CREDENTIALS_DIRECTORY"
"""The environment variable in which systemd names the folder of a service's credentials."""
OTHER_VARIABLES = frozenset({CONFIG_VARIABLE, "CADOGAN_SERVER", "CADOGAN_TOKEN"})
"""Variables of this program that are no settings of a server."""
_KINDS: Mapping[object, tuple[str, object]] = {
    bool: ("true or false, without quotes", bool),
    int: ("a whole number, without quotes", int),
    int | str: ('a whole number, without quotes, or "auto"', int | str),
    str: ('a text in quotes, like "text"', str),
    tuple[str, ...]: ('a text in quotes, or several like ["one", "two"]', str | list[str]),
}
"""For the type of a setting: how its value is written in TOML, and as what it is read there."""


class Source(StrEnum):
    """Where the value of a setting comes from. Each of them overrides those before it."""

    DEFAULT = "default"
    FILE = "file"
    CREDENTIAL = "credential"
    VARIABLE = "variable"
    OPTION = "option"


class GivenValue(NamedTuple):
    """The value of one setting, and where it comes from. `where` names the flag, the variable or the line of a file."""

    setting: Field[Any]
    value: Any
    source: Source
    where: str = ""

    @property
    def shown(self) -> str:
        """The value as text, with what is secret masked."""
        masked: str = self.setting.metadata["mask"](config.as_text(self.value))
        return masked


def find_settings(
    environment: Texts = os.environ,
    flags: Texts = NONE,
    file: Path | None = None,
    warn: Callable[[str], object] = lambda _: None,
) -> tuple[GivenValue, ...]:
    """Return the value of each setting, and where it comes from.

    That is its flag if it is given, else its variable in the environment, else a credential of systemd if it is secret
    (a file with the name of the variable in small letters), else the file of settings, else its default.

    `flags` holds the texts by field name. `file` is what the environment names, if it is None. What is set but empty
    counts as not set, except for a flag, because compose files write it so. `warn` is called with a sentence for each
    setting that has been removed. Raises SettingError.
    """
    if file is None and (named := environment.get(CONFIG_VARIABLE)):
        file = Path(named)
    written = {} if file is None else _read_file(file)
    credentials = environment.get(CREDENTIALS_VARIABLE) or ""

    def find(setting: Field[Any]) -> tuple[Source, str, str]:
        variable, (line, text) = config.variable(setting), written.get(setting.name, ("", ""))
        credential = Path(credentials, variable.lower())
        if (given := flags.get(setting.name)) is not None:
            return Source.OPTION, config.flag(setting), given
        if value := environment.get(variable):
            return Source.VARIABLE, variable, value
        if credentials and config.is_secret(setting) and (secret := _read_text(credential, is_optional=True).strip()):
            return Source.CREDENTIAL, str(credential), secret
        return (Source.FILE, line, text) if text else (Source.DEFAULT, "", "")

    for setting in config.REMOVED:
        if where := find(setting)[1]:
            warn(f"{where} has no effect any more: {setting.default}")
    found = []
    for setting in config.all_settings():
        source, where, text = find(setting)
        try:
            value = setting.default if source is Source.DEFAULT else setting.metadata["read"](text)
        except ValueError as error:
            raise SettingError(f"{where}: {error} (it is {config.meaning(setting)})") from None
        found.append(GivenValue(setting, value, source, where))
    return tuple(found)


def _read_text(path: Path, is_optional: bool = False) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        if is_optional and isinstance(error, FileNotFoundError):
            return ""
        raise SettingError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise SettingError(f"{path}: is not a text in UTF-8, at byte {error.start}") from None


def _read_file(path: Path) -> dict[str, tuple[str, str]]:
    """Return for each key of a file of settings where it is, and its value as a variable would have it."""
    text = _read_text(path)
    try:
        parsed = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingError(f"{path}: is not TOML: {error}") from None
    lines, types = _find_lines(text), {each.name: each.type for each in config.all_settings()}
    removed = {each.name for each in config.REMOVED}
    written = {}
    for key, value in parsed.items():
        line = f"{path}, line {lines[key]}"
        if key not in types.keys() | removed:
            alike = get_close_matches(key.lower().removeprefix("cadogan_").replace("-", "_"), types, 1)
            advice = f": did you mean {alike[0]!r}?" if alike else "; `cadogan config` lists all of them"
            raise SettingError(f"{line}: {key!r} is not a setting{advice}")
        written_as, kind = _KINDS.get(types.get(key), ("", Any))
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError:
            raise SettingError(f"{line}: {key}: write {written_as}") from None
        written[key] = (f"{line}: {key}", config.as_text(tuple(value) if isinstance(value, list) else value))
    return written


def _find_lines(text: str) -> dict[str, int]:
    """Return for each key of the top level, and each table, the line on which it begins, from 1."""
    lines, begins, found = text.split("\n"), 1, dict[str, int]()
    for count in range(1, len(lines) + 1):
        with suppress(tomllib.TOMLDecodeError):  # the next lines belong to the same value
            for key in tomllib.loads("\n".join(lines[:count])):
                found.setdefault(key, begins)
            begins = count + 1
    return found


def read_settings(environment: Texts = os.environ, flags: Texts = NONE, file: Path | None = None) -> Settings:
    """Read the settings, as `find_settings` finds them. Raises SettingError."""
    return make_settings(find_settings(environment, flags, file))


def make_settings(found: Iterable[GivenValue]) -> Settings:
    """Return the settings that were found. Raises SettingError if they do not fit each other."""
    settings = Settings(**{each.setting.name: each.value for each in found})
    if settings.bus == "postgresql" and database_url(settings.database_url).get_backend_name() != "postgresql":
        raise SettingError(f"{config.PREFIX}BUS: postgresql needs a PostgreSQL database ({config.PREFIX}DATABASE_URL)")
    if settings.processes not in (1, config.AUTO) and (reason := config.why_single(settings)):
        raise SettingError(f"{config.PREFIX}PROCESSES: {settings.processes} processes cannot serve, {reason}")
    return settings


def unknown_variables(environment: Texts = os.environ) -> list[str]:
    """Return the variables that look like settings of a server, and neither are nor were any."""
    settings = (*config.all_settings(), *config.REMOVED)
    known = {*map(config.variable, settings), *OTHER_VARIABLES}
    return sorted(name for name in environment if name.startswith(config.PREFIX) and name not in known)


def describe_unknown(name: str) -> str:
    """Return what to tell a host about a variable that is no setting, with the setting whose name is most like it."""
    nearest = get_close_matches(name, map(config.variable, config.all_settings()), n=1)
    return f"{name} is set, and is no setting of this version" + (f": did you mean {nearest[0]}?" if nearest else "")
