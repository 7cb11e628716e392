"""The player's language: every text of the terminal client by its key, and numbers as the language writes them.

The texts are those of the web client, one file for each language: `clients/web/languages/<tag>.json`. The key of a text
is the path to it, `table.status_won`; the section `terminal` has the texts of the terminal client only. In a text,
`{name}` is a placeholder. A text that depends on a number is an object of plural forms; the value `count` chooses the
form.

There is one current language in a process. It is English until `use_language` changes it.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "web" / "languages"
ENGLISH = "en"
REFUSALS = "refusals"
"""The section with the server's sentences: the key of each is its English text."""
_ENVIRONMENT = ("LC_ALL", "LC_MESSAGES", "LANG")

Value = str | int
"""The value of a placeholder."""
Entry = str | dict[str, str]
"""A text, or its plural forms."""


def list_languages() -> list[str]:
    """Return the tags of all languages, sorted."""
    return sorted(file.stem for file in FOLDER.glob("*.json"))


def pick_language(wanted: Iterable[str | None]) -> str:
    """Return the first wanted language that exists; English if there is none. A region falls back to its language.

    >>> pick_language([None, "C.UTF-8", "de_AT.UTF-8", "hu"])
    'de'
    """
    tags = list_languages()
    for each in wanted:
        tag = (each or "").partition(".")[0].replace("_", "-")
        for found in (tag, tag.partition("-")[0]):
            if found in tags:
                return found
    return ENGLISH


def environment_languages() -> list[str | None]:
    """Return the languages in the environment variables, the most important one first."""
    return [os.environ.get(name) for name in _ENVIRONMENT]


class _Current:
    """The language in use."""

    tag = ENGLISH


def use_language(tag: str) -> None:
    """Use the language with this tag from now on. Raises FileNotFoundError if there is no such language."""
    _read(tag)
    _Current.tag = tag


def language() -> str:
    """Return the tag of the language in use."""
    return _Current.tag


def sections() -> Mapping[str, Mapping[str, Entry]]:
    """Return every text of the language in use, by section and name."""
    return _read(_Current.tag)


def has_text(key: str) -> bool:
    """Return whether a text with this key exists."""
    section, _, name = key.partition(".")
    return name in _read(_Current.tag).get(section, {})


def t(key: str, **values: Value) -> str:
    """Return the text with this key, in English if the language does not have it.

    Whole numbers among the values are written as the language writes them.

    >>> t("common.moves", count=1), t("common.moves", count=1200)
    ('1 move', '1,200 moves')

    Raises KeyError if there is no such text.
    """
    return _fill(_find(key), values)


def translate_sentence(text: str, values: Mapping[str, Value]) -> str:
    """Return a sentence of the server with its values. It stays in English if the language does not have it.

    >>> translate_sentence("A group has at most {count} members.", {"count": 50})
    'A group has at most 50 members.'
    """
    return _fill(_read(_Current.tag).get(REFUSALS, {}).get(text, text), values)


def format_number(number: int) -> str:
    """Return a whole number as the language writes it.

    >>> format_number(12345)
    '12,345'
    """
    return f"{number:,}".replace(",", str(_find("terminal.thousand"))[1:-3])


def capitalize(text: str) -> str:
    """Return the text with its first letter as a capital."""
    first = "İ" if _Current.tag == "tr" and text[:1] == "i" else text[:1].upper()
    return first + text[1:]


def _find(key: str) -> Entry:
    section, _, name = key.partition(".")
    found = _read(_Current.tag).get(section, {}).get(name)
    return _read(ENGLISH)[section][name] if found is None else found


@cache
def _read(tag: str) -> dict[str, dict[str, Entry]]:
    file: dict[str, dict[str, dict[str, Entry]]] = json.loads((FOLDER / f"{tag}.json").read_text("utf-8"))
    return file["words"]


def _fill(entry: Entry, values: Mapping[str, Value]) -> str:
    if isinstance(entry, dict):
        entry = entry.get("one" if values.get("count") == 1 else "other") or entry["other"]
    written = {name: format_number(value) if isinstance(value, int) else value for name, value in values.items()}
    return re.sub(r"\{(\w+)\}", lambda found: written.get(found[1], found[0]), entry)
