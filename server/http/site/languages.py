"""The languages of the web client: one for each file in its folder, with the language's own name."""

from functools import lru_cache
from pathlib import Path

import msgspec
from aiohttp import web

from server.http.site.static_files import FOLDER


class _LanguageFile(msgspec.Struct):
    """The part of a language's file that this module reads."""

    name: str


async def list_languages(request: web.Request) -> web.Response:
    """Answer with every language, sorted by tag: ``{"languages": [{"tag": "de", "name": "Deutsch"}]}``."""
    files = sorted((FOLDER / "languages").glob("*.json"))
    found = [{"tag": file.stem, "name": _name(file, file.stat().st_mtime_ns)} for file in files]
    body = msgspec.json.encode({"languages": found})
    return web.Response(body=body, content_type="application/json", headers={"Cache-Control": "no-cache"})


@lru_cache(maxsize=64)
def _name(file: Path, changed_at: int) -> str:
    """Return the language's name. The file is read again only when it has changed."""
    return msgspec.json.decode(file.read_bytes(), type=_LanguageFile).name
