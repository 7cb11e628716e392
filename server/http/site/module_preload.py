"""Finds the page of the web client for a URL, from the client's own router, and the modules that it needs.

The server lists these modules in the head of the page, so that a browser requests them all at once instead of
discovering them one after another.
"""

import re
from functools import lru_cache
from pathlib import PurePosixPath
from time import monotonic
from typing import NamedTuple

from cadogan.server.http.site.static_files import FOLDER

MAIN_MODULE = "js/main.js"
CHANGES_SECONDS = 1.0
"""Seconds between two checks whether a file of the client has changed."""
Route = tuple[str, re.Pattern[str], list[str], str]
"""A page's name, the pattern of its paths, the names of the pattern's groups, and the page's module.

The patterns of the client's router are also valid in Python."""
_ROUTE = re.compile(r'\["(\w+)", /(.+)/, \[(.*?)\], \(\) => import\("\./(pages/[\w/]+\.js)"\)\]')
_IMPORT = re.compile(r'^(?:import|export)\s(?:[^"();]*?\sfrom\s+)?"(\.{1,2}/[^"]+)"', re.MULTILINE)


class Page(NamedTuple):
    """The page at a path: its name, the named parts of the path, and its module."""

    name: str
    parts: dict[str, str]
    module: str


MISSING_PAGE = Page("missing", {}, "js/pages/missing.js")


def page_at(path: str) -> Page:
    """Return the page at a path like ``/daily/2026-11-20``, or `MISSING_PAGE` if the router has none."""
    path = path.rstrip("/") or "/"
    for name, pattern, keys, module in routes():
        if found := pattern.fullmatch(path):
            given = zip(keys, found.groups(), strict=True)
            return Page(name, {key: value for key, value in given if value is not None}, module)
    return MISSING_PAGE


def routes() -> list[Route]:
    """Return the table of the client's router."""
    return _routes(_changed_at())


def _changed_at() -> int:
    """Return when a module of the client last changed; cached for `CHANGES_SECONDS`."""
    return _latest_change(int(monotonic() / CHANGES_SECONDS))


@lru_cache(maxsize=1)
def _latest_change(looked_at: int) -> int:
    return max(file.stat().st_mtime_ns for file in (FOLDER / "js").rglob("*.js"))


@lru_cache(maxsize=1)
def _routes(changed_at: int) -> list[Route]:
    text = (FOLDER / "js" / "router.js").read_text("utf-8")
    return [
        (name, re.compile(pattern.replace(r"\/", "/"), re.ASCII), re.findall(r'"(\w+)"', keys), f"js/{module}")
        for name, pattern, keys, module in _ROUTE.findall(text)
    ]


def modules_needed(*first: str) -> list[str]:
    """Return these modules and all modules that they import, importing modules first."""
    return list(_modules(first, _changed_at()))


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
