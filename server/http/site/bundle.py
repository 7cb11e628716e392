"""The bundle: the web client's modules and style sheets, put together in a few files by `deploy/bundle.py`.

It counts only while it was made from the sources beside it. So after a change to a module the modules themselves are
served, until somebody bundles again. This module needs nothing but Python, because the build of the wheel uses it.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

BUNDLE = "bundle"
"""The folder of the bundle, in the client's folder."""
DIGEST_FILE = "digest"
SCRIPTS = ("main.js", "offline.js")
"""The entry points, in `js` and as bundled."""
STYLE_SHEET = "style.css"


def digest_sources(client: Path) -> str:
    """Return the digest of everything that has an address below that of the bundle, for the client in this folder."""
    digest = sha256()
    for file in _sources(client):
        body = file.read_bytes()
        digest.update(f"{file.relative_to(client).as_posix()} {len(body)}\n".encode() + body)
    return digest.hexdigest()[:16]


def has_bundle(client: Path) -> bool:
    """Return whether the client in this folder has a bundle, made from its sources as they are now."""
    try:
        return (client / BUNDLE / DIGEST_FILE).read_text("utf-8") == digest_sources(client)
    except OSError:
        return False


def latest_change(client: Path) -> int:
    """Return when one of the sources, or the bundle, has changed last, in nanoseconds since 1970."""
    files = [*_sources(client), *(client / BUNDLE).glob("*")]
    return max(file.stat().st_mtime_ns for file in files)


def _sources(client: Path) -> Iterator[Path]:
    for folder, kind in (("js", "*.js"), ("style", "*.css"), ("languages", "*.json")):
        yield from sorted((client / folder).rglob(kind))
    yield client / "index.html"
