"""What the web client's addresses need: the page behind each, as its own router says, and the modules it is made of.

A page says at once which modules it is going to need, so that a browser asks for all of them together instead of
finding them one after another.
"""

import re
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

from server.http.static_files import FOLDER

MAIN = "js/main.js"
_ROUTE = re.compile(r'\["(\w+)", /(.+)/, \[(.*?)\], \(\) => import\("\./(pages/[\w/]+\.js)"\)\]')
_IMPORT = re.compile(r'^(?:import|export)\s(?:[^"();]*?\sfrom\s+)?"(\.{1,2}/[^"]+)"', re.MULTILINE)


class Page(NamedTuple):
    """What stands at an address: the page's name, the parts of the address that it reads, and its module."""

    name: str
    parts: dict[str, str]
    module: str


MISSING = Page("missing", {}, "js/pages/missing.js")


def page_at(path: str) -> Page:
    """The page of an address, ``/daily/2026-11-20``; what the router does not know is missing."""
    path = path.rstrip("/") or "/"
    for name, pattern, keys, module in _routes((FOLDER / "js" / "router.js").stat().st_mtime_ns):
        if found := pattern.fullmatch(path):
            given = zip(keys, found.groups(), strict=True)
            return Page(name, {key: value for key, value in given if value is not None}, module)
    return MISSING


@lru_cache(maxsize=1)
def _routes(changed_at: int) -> list[tuple[str, re.Pattern[str], list[str], str]]:
    """The router's table; its patterns mean the same here."""
    text = (FOLDER / "js" / "router.js").read_text("utf-8")
    return [
        (name, re.compile(pattern.replace(r"\/", "/"), re.ASCII), re.findall(r'"(\w+)"', keys), f"js/{module}")
        for name, pattern, keys, module in _ROUTE.findall(text)
    ]


def modules(*first: str) -> list[str]:
    """These modules and all that they import, one's own before those it brings."""
    return list(_modules(first, max(file.stat().st_mtime_ns for file in (FOLDER / "js").rglob("*.js"))))


@lru_cache(maxsize=64)
def _modules(first: tuple[str, ...], changed_at: int) -> tuple[str, ...]:
    found: dict[str, None] = {}
    waiting = list(first)
    while waiting:
        module = waiting.pop(0)
        if module not in found:
            found[module] = None
            waiting += [_resolved(module, each) for each in _IMPORT.findall((FOLDER / module).read_text("utf-8"))]
    return tuple(found)


def _resolved(module: str, imported: str) -> str:
    parts: list[str] = []
    for part in (PurePosixPath(module).parent / imported).parts:
        parts = parts[:-1] if part == ".." else [*parts, part]
    return "/".join(parts)
