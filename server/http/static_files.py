"""The web client's files: where they stand, their bytes, plain and packed, and the tag that goes with the content."""

import gzip
from functools import lru_cache
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path
from typing import NamedTuple

from clients import web

FOLDER = Path(web.__path__[0]).resolve()
_TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".webmanifest": "application/manifest+json"}
_TEXTS = ("text/", "application/json", "application/manifest+json", "image/svg+xml")


class Content(NamedTuple):
    """What is sent: `kind` for Content-Type, the bytes, the same packed by gzip where that gains, and their tag."""

    kind: str
    body: bytes
    packed: bytes | None
    tag: str


def find(path: str) -> Path | None:
    """A file of the client; None for what is none, is hidden, or lies elsewhere."""
    parts = path.split("/")
    if "\0" in path or any(part.startswith(".") for part in parts):
        return None
    file = FOLDER.joinpath(*parts).resolve()
    try:
        return file if file.is_relative_to(FOLDER) and file.is_file() else None
    except OSError:  # longer than the name of any file
        return None


def read(file: Path) -> Content:
    """A file's content, read and packed again when it has changed: nothing stays open if a browser leaves half-way."""
    return _read(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=512)
def _read(file: Path, changed_at: int) -> Content:
    kind = _TYPES.get(file.suffix) or guess_type(file.name)[0] or "application/octet-stream"
    return pack(file.read_bytes(), kind)


def pack(body: bytes, kind: str) -> Content:
    """These bytes as they are sent."""
    is_text = kind.startswith(_TEXTS)
    charset = "; charset=utf-8" if is_text and "json" not in kind else ""
    packed = gzip.compress(body, mtime=0) if is_text else body
    return Content(f"{kind}{charset}", body, packed if len(packed) < len(body) else None, digest(body))


def digest(body: bytes) -> str:
    """A short name for bytes, by what they are."""
    return sha256(body).hexdigest()[:32]
