"""The file of settings, `cadogan.toml`: its keys and values as they are written, each with its line.

ConfigFileError    a file that cannot be read, or holds something that is not a key of a setting
"""

import re
import tomllib
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple


class ConfigFileError(ValueError):
    """A file of settings that cannot be used. The message names the file, and the line if there is one."""


class Written(NamedTuple):
    """What a file says of one setting, and the line on which it does."""

    value: str
    line: int


_KINDS: Mapping[type, tuple[str, tuple[type, ...]]] = {
    bool: ("true or false, without quotes", (bool,)),
    int: ("a whole number, without quotes", (int,)),
    str: ('a text in quotes, like "text"', (str,)),
    tuple: ('a text in quotes, or several like ["one", "two"]', (str, list)),
}
"""For the type of a setting: how its value is written in TOML, and as what it is read there."""


def read_config_file(path: Path, types: Mapping[str, type], words: Mapping[str, Collection[str]]) -> dict[str, Written]:
    """Return what the file says of each setting that it names, as the text that an environment variable would have.

    `types` are the names of all settings, with the types of their values; `words` are the texts that some of them may
    be instead. Raises ConfigFileError.
    """
    try:
        text = path.read_text("utf-8")
        parsed = tomllib.loads(text)
    except OSError as error:
        raise ConfigFileError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ConfigFileError(f"{path}: is not a text in UTF-8, at byte {error.start}") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigFileError(f"{path}: is not TOML: {error}") from None
    written = {}
    for key, value in parsed.items():
        line = _find_line(text, key)
        if key not in types:
            raise ConfigFileError(f"{path}, line {line}: {key!r} is not a setting{_suggest(key, types)}")
        kind, read_as = _KINDS[types[key]]
        fits = type(value) in read_as and not (
            isinstance(value, list) and not all(isinstance(each, str) for each in value)
        )
        if not fits and value not in words[key]:
            others = "".join([f', or "{word}"' for word in words[key]])
            raise ConfigFileError(f"{path}, line {line}: {key}: write {kind}{others}")
        written[key] = Written(_as_text(value), line)
    return written


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, list) else str(value)


def _find_line(text: str, key: str) -> int:
    """Return the line, from 1, on which a key of the file's top level is set, or the table of this name begins."""
    lines = text.splitlines()
    begins = re.compile(rf"\s*\[*\s*[\"']?{re.escape(key)}[\"']?\s*[=.\]]")
    for number, line in enumerate(lines):
        if begins.match(line) and _is_toml("\n".join(lines[:number])):
            return number + 1
    return 1


def _is_toml(text: str) -> bool:
    """Whether the text is complete. One that ends within a text of several lines is not."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _suggest(key: str, types: Mapping[str, type]) -> str:
    alike = get_close_matches(key.lower().removeprefix("cadogan_").replace("-", "_"), types, 1)
    return f": did you mean {alike[0]!r}?" if alike else "; `cadogan config` lists all of them"
