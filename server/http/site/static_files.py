"""The files of the web client: lookup, content (plain and compressed), and ETag."""

import gzip
from functools import lru_cache
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path
from typing import NamedTuple

from cadogan import web

FOLDER = Path(web.__path__[0]).resolve()
_CONTENT_TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".webmanifest": "application/manifest+json"}
_TEXT_TYPES = ("text/", "application/json", "application/manifest+json", "image/svg+xml")


class Content(NamedTuple):
    """A body and its headers: `content_type` for Content-Type, `etag` for ETag.

    `compressed` is the gzipped body; None if that is not smaller.
    """

    content_type: str
    body: bytes
    compressed: bytes | None
    etag: str


def find(path: str) -> Path | None:
    """Return the client's file at this path; None if there is none, it is hidden, or it lies outside the folder."""
    parts = path.split("/")
    if "\0" in path or any(part.startswith(".") for part in parts):
        return None
    file = FOLDER.joinpath(*parts).resolve()
    try:
        return file if file.is_relative_to(FOLDER) and file.is_file() else None
    except OSError:  # the path is longer than any file name
        return None


def read(file: Path) -> Content:
    """Return a file's content, which is cached until the file changes.

    The file is not kept open, so that a browser that disconnects half-way leaves nothing open.
    """
    return _read(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=512)
def _read(file: Path, changed_at: int) -> Content:
    media_type = _CONTENT_TYPES.get(file.suffix) or guess_type(file.name)[0] or "application/octet-stream"
    return make_content(file.read_bytes(), media_type)


def make_content(body: bytes, media_type: str) -> Content:
    """Return these bytes as content of this media type, as ``text/html``."""
    is_text = media_type.startswith(_TEXT_TYPES)
    charset = "; charset=utf-8" if is_text and "json" not in media_type else ""
    compressed = gzip.compress(body, mtime=0) if is_text else body
    smaller = compressed if len(compressed) < len(body) else None
    return Content(f"{media_type}{charset}", body, smaller, digest(body))


def digest(body: bytes) -> str:
    """Return the first 128 bits of the SHA-256 of these bytes, in hex."""
    return sha256(body).hexdigest()[:32]
