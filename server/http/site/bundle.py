"""The bundle: the web client's modules and style sheets, combined into a few files by `deploy/bundle.py`.

It is used only if it was built from the present sources. After a change to a module the modules themselves are served,
until the bundle is built again. This module uses only the standard library, because the build of the wheel imports it.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

BUNDLE = "bundle"
"""The folder of the bundle, within the client's folder."""
DIGEST_FILE = "digest"
SCRIPTS = ("main.js", "offline.js")
"""The entry points, in `js` and in the bundle."""
STYLE_SHEET = "style.css"


def digest_sources(client: Path) -> str:
    """Return the digest of all files that are served below the bundle's URL, for the client in this folder."""
    digest = sha256()
    for file in _sources(client):
        body = file.read_bytes()
        digest.update(f"{file.relative_to(client).as_posix()} {len(body)}\n".encode() + body)
    return digest.hexdigest()[:16]


def has_bundle(client: Path) -> bool:
    """Return whether the client in this folder has a bundle that was built from its present sources."""
    try:
        return (client / BUNDLE / DIGEST_FILE).read_text("utf-8") == digest_sources(client)
    except OSError:
        return False


def latest_change(client: Path) -> int:
    """Return the last modification time of the sources and the bundle, in nanoseconds since 1970."""
    files = [*_sources(client), *(client / BUNDLE).glob("*")]
    return max(file.stat().st_mtime_ns for file in files)


def _sources(client: Path) -> Iterator[Path]:
    for folder, kind in (("js", "*.js"), ("style", "*.css"), ("languages", "*.json")):
        yield from sorted((client / folder).rglob(kind))
    yield client / "index.html"
