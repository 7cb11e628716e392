"""The languages of the web client: whatever files stand in its folder, each with the language's own name."""

from functools import lru_cache
from pathlib import Path

import msgspec
from aiohttp import web

from server.http.static_files import FOLDER


class _File(msgspec.Struct):
    """What of a language's file is of interest here."""

    name: str


async def list_languages(request: web.Request) -> web.Response:
    """Every language by its tag and name: ``{"languages": [{"tag": "de", "name": "Deutsch"}]}``, by tag."""
    files = sorted((FOLDER / "languages").glob("*.json"))
    found = [{"tag": file.stem, "name": _name(file, file.stat().st_mtime_ns)} for file in files]
    body = msgspec.json.encode({"languages": found})
    return web.Response(body=body, content_type="application/json", headers={"Cache-Control": "no-cache"})


@lru_cache(maxsize=64)
def _name(file: Path, changed_at: int) -> str:
    """The name in a file, read again when it has changed."""
    return msgspec.json.decode(file.read_bytes(), type=_File).name
