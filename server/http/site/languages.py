"""The languages of the web client: one for each file in its folder, with the language's own name."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web

from cadogan.server.http.cookies import find_cookie
from cadogan.server.http.site.static_files import FOLDER

LANGUAGE_COOKIE = "cadogan_language"
"""The cookie with the language that the page used last, if the browser prefers another. The page sets it."""
DEFAULT = "en"


class LanguageFile(msgspec.Struct):
    """A language's file: the language's own name, and its texts."""

    name: str
    words: dict[str, Any]


async def list_languages(request: web.Request) -> web.Response:
    """Answer with every language, sorted by tag: ``{"languages": [{"tag": "de", "name": "Deutsch"}]}``."""
    body = msgspec.json.encode({"languages": languages()})
    return web.Response(body=body, content_type="application/json", headers={"Cache-Control": "no-cache"})


def languages() -> list[dict[str, str]]:
    """Return the tag and the name of every language, sorted by tag."""
    return [{"tag": tag, "name": read_language(tag).name} for tag in sorted(_files())]


def expected_language(request: web.Request) -> str:
    """Return the language that the page will use: the last used one, else the one that the browser prefers."""
    tags = _files()
    for wanted in (find_cookie(request, LANGUAGE_COOKIE) or "", *_accepted(request)):
        for tag in (wanted, wanted.partition("-")[0]):
            if tag in tags:
                return tag
    return DEFAULT


def read_language(tag: str) -> LanguageFile:
    """Return the file of a language. It is cached until the file changes."""
    file = _files()[tag]
    return _read(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _read(file: Path, changed_at: int) -> LanguageFile:
    return msgspec.json.decode(file.read_bytes(), type=LanguageFile)


def _files() -> dict[str, Path]:
    return {file.stem: file for file in (FOLDER / "languages").glob("*.json")}


def _accepted(request: web.Request) -> Iterator[str]:
    """Return the languages in the order of the header; browsers send the preferred one first."""
    for each in request.headers.get("Accept-Language", "").split(","):
        yield each.partition(";")[0].strip()
