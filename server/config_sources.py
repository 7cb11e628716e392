"""Where the settings of a server come from: flags, the environment, credentials of systemd, a file, and defaults."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import Field
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from cadogan.server import config
from cadogan.server.config import SettingError
from cadogan.server.config_file import ConfigFileError, read_config_file
from cadogan.server.config_values import AUTO
from cadogan.server.database.connections import database_url

CONFIG_VARIABLE = "CADOGAN_CONFIG"
"""The environment variable that names the file of settings."""
CREDENTIALS_VARIABLE = "CREDENTIALS_DIRECTORY"
"""The environment variable in which systemd names the folder of a service's credentials."""
OTHER_VARIABLES = frozenset({CONFIG_VARIABLE, "CADOGAN_SERVER", "CADOGAN_TOKEN"})
"""Variables of this program that are no settings of a server."""


class Source(StrEnum):
    """Where the value of a setting comes from. Each of them overrides those before it."""

    DEFAULT = "default"
    FILE = "file"
    CREDENTIAL = "credential"
    VARIABLE = "variable"
    OPTION = "option"


class Given(NamedTuple):
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
    environment: Mapping[str, str] = os.environ,
    flags: Mapping[str, str | None] | None = None,
    file: Path | None = None,
) -> tuple[Given, ...]:
    """Return the value of each setting, and where it comes from.

    That is its flag if it is given, else its variable in the environment, else a credential of systemd if it is secret
    (a file with the name of the variable in small letters), else the file of settings, else its default.

    `flags` holds the texts by field name. `file` is what the environment names, if it is None. What is set but empty
    counts as not set, except for a flag, because compose files write it so. Raises SettingError.
    """
    if file is None and (named := environment.get(CONFIG_VARIABLE)):
        file = Path(named)
    try:
        types = {setting.name: type(setting.default) for setting in config.all_settings()}
        words = {setting.name: setting.metadata["words"] for setting in config.all_settings()}
        written = {} if file is None else read_config_file(file, types, words)
    except ConfigFileError as error:
        raise SettingError(str(error)) from None
    credentials = environment.get(CREDENTIALS_VARIABLE, "")
    found = []
    for setting in config.all_settings():
        source, where, text = Source.DEFAULT, "", ""
        if (line := written.get(setting.name)) and line.value:
            source, where, text = Source.FILE, f"{file}, line {line.line}: {setting.name}", line.value
        credential = Path(credentials, config.variable(setting).lower())
        if credentials and config.is_secret(setting) and (secret := _read_credential(credential)):
            source, where, text = Source.CREDENTIAL, str(credential), secret
        if variable_text := environment.get(config.variable(setting)):
            source, where, text = Source.VARIABLE, config.variable(setting), variable_text
        if (given := (flags or {}).get(setting.name)) is not None:
            source, where, text = Source.OPTION, config.flag(setting), given
        try:
            value = setting.default if source is Source.DEFAULT else setting.metadata["read"](text)
        except ValueError as error:
            raise SettingError(f"{where}: {error} (it is {setting.metadata['meaning']})") from None
        found.append(Given(setting, value, source, where))
    return tuple(found)


def _read_credential(path: Path) -> str:
    """Return what is in the file; nothing if there is no such file."""
    try:
        return path.read_text("utf-8").strip()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError(f"{path}: cannot be read: {error}") from None


def read_settings(
    environment: Mapping[str, str] = os.environ,
    flags: Mapping[str, str | None] | None = None,
    file: Path | None = None,
) -> config.Settings:
    """Read the settings, as `find_settings` finds them. Raises SettingError."""
    return make_settings(find_settings(environment, flags, file))


def make_settings(found: Iterable[Given]) -> config.Settings:
    """Return the settings that were found. Raises SettingError if they do not fit each other."""
    settings = config.Settings(**{each.setting.name: each.value for each in found})
    if settings.bus == "postgresql" and database_url(settings.database_url).get_backend_name() != "postgresql":
        raise SettingError(f"{config.PREFIX}BUS: postgresql needs a PostgreSQL database ({config.PREFIX}DATABASE_URL)")
    if settings.processes not in (1, AUTO) and (reason := config.why_single(settings)):
        raise SettingError(f"{config.PREFIX}PROCESSES: {settings.processes} processes cannot serve, {reason}")
    return settings


def unknown_variables(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return the variables that look like settings of a server, and are none."""
    known = {config.variable(setting) for setting in config.all_settings()} | OTHER_VARIABLES
    return sorted(name for name in environment if name.startswith(config.PREFIX) and name not in known)


def describe_unknown(name: str) -> str:
    """Return what to tell a host about a variable that is no setting, with the setting whose name is most like it."""
    variables = [config.variable(setting) for setting in config.all_settings()]
    nearest = get_close_matches(name, variables, n=1)
    return f"{name} is set, and is no setting of this version" + (f": did you mean {nearest[0]}?" if nearest else "")
