"""The web client's files, as they stand in `clients/web`. Browsers ask each time and are told *not changed* by ETag."""

from functools import lru_cache
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

from aiohttp import web

import clients
from server.refusals import NotFound

FOLDER = Path(clients.__path__[0]).resolve() / "web"
_TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".webmanifest": "application/manifest+json"}


async def show_page(request: web.Request) -> web.Response:
    """One of the client's files; for an address without a dot in its last part, which the client reads, index.html.

    Raises NotFound.
    """
    path = request.match_info["path"]
    file = _file(path) or (None if "." in path.rpartition("/")[2] else _file("index.html"))
    if file is None:
        raise NotFound("There is no such page.")
    kind = _TYPES.get(file.suffix) or guess_type(file.name)[0] or "application/octet-stream"
    body, tag = _content(file, file.stat().st_mtime_ns)
    known = any(each.value in (tag, "*") for each in request.if_none_match or ())
    headers = {"Cache-Control": "no-cache", "Content-Type": _with_charset(kind)}
    answer = web.Response(status=304, headers=headers) if known else web.Response(body=body, headers=headers)
    answer.etag = tag
    return answer


@lru_cache(maxsize=512)
def _content(file: Path, changed_at: int) -> tuple[bytes, str]:
    """A file's bytes and their tag, read again when it has changed: nothing stays open if a browser leaves half-way."""
    body = file.read_bytes()
    return body, sha256(body).hexdigest()[:32]


def _file(path: str) -> Path | None:
    """A file of the client; None for what is none, is hidden, or lies elsewhere."""
    parts = path.split("/")
    if "\0" in path or any(part.startswith(".") for part in parts):
        return None
    file = FOLDER.joinpath(*parts).resolve()
    try:
        return file if file.is_relative_to(FOLDER) and file.is_file() else None
    except OSError:  # longer than the name of any file
        return None


def _with_charset(kind: str) -> str:
    return f"{kind}; charset=utf-8" if kind.startswith("text/") or kind == "image/svg+xml" else kind
