"""The sources of a server's settings: flags, the environment, systemd credentials, a file, and defaults."""

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
from cadogan.server.core.database.connections import database_url

Texts = Mapping[str, str | None]
NONE: Texts = MappingProxyType({})
CONFIG_VARIABLE = "CADOGAN_CONFIG"
"""The environment variable that names the file of settings."""
CREDENTIALS_VARIABLE = "CREDENTIALS_DIRECTORY"
"""The environment variable in which systemd names the folder of a service's credentials."""
OTHER_VARIABLES = frozenset({CONFIG_VARIABLE, "CADOGAN_SERVER", "CADOGAN_TOKEN"})
"""Variables of this program that are not server settings."""
_KINDS: Mapping[object, tuple[str, object]] = {
    bool: ("true or false, without quotes", bool),
    int: ("a whole number, without quotes", int),
    int | str: ('a whole number, without quotes, or "auto"', int | str),
    str: ('a text in quotes, like "text"', str),
    tuple[str, ...]: ('a text in quotes, or several like ["one", "two"]', str | list[str]),
}
"""For the type of a setting: its description and its Python type in TOML."""


class Source(StrEnum):
    """The source of a setting's value. Each source overrides those before it."""

    DEFAULT = "default"
    FILE = "file"
    CREDENTIAL = "credential"
    VARIABLE = "variable"
    OPTION = "option"


class GivenValue(NamedTuple):
    """The value of one setting, and its source. `where` is the flag, the variable or the line of the file."""

    setting: Field[Any]
    value: Any
    source: Source
    where: str = ""

    @property
    def shown(self) -> str:
        """The value as text; secrets are masked."""
        masked: str = self.setting.metadata["mask"](config.as_text(self.value))
        return masked


def find_settings(
    environment: Texts = os.environ,
    flags: Texts = NONE,
    file: Path | None = None,
    warn: Callable[[str], object] = lambda _: None,
) -> tuple[GivenValue, ...]:
    """Return the value of each setting, and its source.

    The first source that has the setting is used: its flag, its environment variable, a systemd credential if it is
    secret (a file named like the variable in lower case), the settings file, its default.

    `flags` holds texts by field name. If `file` is None, the environment names the file. An empty value counts as
    unset, except for a flag, because compose files write unset variables that way. `warn` is called with a sentence for
    each removed setting. Raises SettingError.
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
    """Return, for each key of a settings file, its location and its value as text."""
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
    """Return the line, from 1, of each top-level key and each table."""
    lines, begins, found = text.split("\n"), 1, dict[str, int]()
    for count in range(1, len(lines) + 1):
        with suppress(tomllib.TOMLDecodeError):  # the next lines belong to the same value
            for key in tomllib.loads("\n".join(lines[:count])):
                found.setdefault(key, begins)
            begins = count + 1
    return found


def read_settings(environment: Texts = os.environ, flags: Texts = NONE, file: Path | None = None) -> Settings:
    """Read the settings from all sources (see `find_settings`). Raises SettingError."""
    return make_settings(find_settings(environment, flags, file))


def make_settings(found: Iterable[GivenValue]) -> Settings:
    """Build the settings from the values found. Raises SettingError if they are inconsistent."""
    settings = Settings(**{each.setting.name: each.value for each in found})
    if settings.bus == "postgresql" and database_url(settings.database_url).get_backend_name() != "postgresql":
        raise SettingError(f"{config.PREFIX}BUS: postgresql needs a PostgreSQL database ({config.PREFIX}DATABASE_URL)")
    if settings.processes not in (1, config.AUTO) and (reason := config.why_single(settings)):
        raise SettingError(f"{config.PREFIX}PROCESSES: {settings.processes} processes cannot serve, {reason}")
    return settings


def unknown_variables(environment: Texts = os.environ) -> list[str]:
    """Return the variables that look like server settings but never were any."""
    settings = (*config.all_settings(), *config.REMOVED)
    known = {*map(config.variable, settings), *OTHER_VARIABLES}
    return sorted(name for name in environment if name.startswith(config.PREFIX) and name not in known)


def describe_unknown(name: str) -> str:
    """Return a message for the host about an unknown variable, with the most similar setting."""
    nearest = get_close_matches(name, map(config.variable, config.all_settings()), n=1)
    return f"{name} is set, and is no setting of this version" + (f": did you mean {nearest[0]}?" if nearest else "")
