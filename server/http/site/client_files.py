"""The files of the web client: their bytes and ETags, the bundle, and which of them a page needs.

The bundle: the web client's modules and style sheets, combined into a few files by `deploy/bundle.py`.

It is used only if it was built from the present sources. After a change to a module the modules themselves are served,
until the bundle is built again. This module uses only the standard library, because the build of the wheel imports it.

Finds the page of the web client for a URL, from the client's own router, and the modules that it needs.

The server lists these modules in the head of the page, so that a browser requests them all at once instead of
discovering them one after another.

The files that a page of the client refers to: the bundle, or the original modules and style sheets.

The URLs of bundled files contain the digest of the bundle, so browsers may cache them for ever. The digest includes the
languages.
"""

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from html import escape
from mimetypes import guess_type
from pathlib import Path, PurePosixPath
from time import monotonic
from typing import Any, NamedTuple

from cadogan import web

BUNDLE = "bundle"
"""The folder of the bundle, within the client's folder."""
DIGEST_FILE = "digest"
SCRIPTS = ("main.js", "later.js", "offline.js")
"""The entry points, in `js` and in the bundle: of every page, of what only some visitors need, and without a server."""
LIBRARY = "bls12_381.js"
"""The library that verifies the signatures of a beacon, in `libraries` and in the bundle; loaded when it is needed."""
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
    for folder, kind in (("js", "*.js"), ("style", "*.css"), ("languages", "*.json"), ("libraries", "*")):
        yield from sorted((client / folder).rglob(kind))
    yield client / "index.html"


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
    body = file.read_bytes()
    return make_content(_for_pages(body) if file.parent == FOLDER / "languages" else body, media_type)


def _for_pages(language: bytes) -> bytes:
    """Return the texts of a language that pages need.

    They do not need the terminal's texts, nor refusals that are shown as the server writes them.
    """
    texts = json.loads(language)
    words = texts["words"]
    words.pop("terminal", None)
    words["refusals"] = {text: said for text, said in words["refusals"].items() if text != said}
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode()


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


PLAIN = "/"
"""The base URL of the client's original files."""
_VERSIONED = re.compile(rf"{BUNDLE}/([0-9a-f]{{1,64}})/(.+)")
_STYLE_LINKS = re.compile(r'(?:<link rel="stylesheet" href="/style/[\w.-]+">\s*)+')
_TEXT = re.compile(r'(<[^>]* data-words="(\w+)\.(\w+)"[^>]*>)[^<]*')
_SCRIPT = re.compile(r'src="/js/(\w+\.js)"')


def base_address() -> str:
    """Return the base URL of the client's files: that of the bundle, if there is one, else `PLAIN`."""
    digest = current_digest()
    return f"/{BUNDLE}/{digest}/" if digest else PLAIN


def current_digest() -> str | None:
    """Return the digest of the bundle; None without a bundle that was built from the present files."""
    client = FOLDER
    return _digest(client, _latest_change_of_files(client, int(monotonic() / CHANGES_SECONDS)))


@lru_cache(maxsize=1)
def _latest_change_of_files(client: Path, looked_at: int) -> int:
    return latest_change(client)


@lru_cache(maxsize=1)
def _digest(client: Path, changed_at: int) -> str | None:
    return digest_sources(client) if has_bundle(client) else None


def find_versioned(path: str) -> tuple[Path | None, bool]:
    """Return the file at a bundle URL, and whether the URL is of the present version.

    Other versions get the present file as well: during a rolling update a browser may get its page from a new node and
    request the files from an old one, or the reverse.
    """
    found = _VERSIONED.fullmatch(path)
    if found is None:
        return None, False
    digest, name = found.groups()
    in_bundle = name in (*SCRIPTS, LIBRARY, STYLE_SHEET)
    if not in_bundle and not re.fullmatch(r"languages/[\w-]+\.json", name):
        return None, False
    file = find(f"{BUNDLE}/{name}" if in_bundle else name)
    return file, digest == current_digest()


def in_language(page: str, tag: str, words: dict[str, Any]) -> str:
    """Return a page with its own texts in a language. The page's scripts may translate it again later."""

    def translated(mark: re.Match[str]) -> str:
        return f"{mark[1]}{escape(words[mark[2]][mark[3]], quote=False)}"

    return _TEXT.sub(translated, page).replace('<html lang="en">', f'<html lang="{tag}">', 1)


def with_files(page: str, base: str, preloads: Iterable[str], served: dict[str, Any]) -> str:
    """Return a page with the URLs of its files, its preloads, and the data that it is `served`.

    `preloads` are elements of the head, and `served` is what the page's scripts read from it.
    """
    if base != PLAIN:
        page = _STYLE_LINKS.sub(f'<link rel="stylesheet" href="{base}{STYLE_SHEET}">\n  ', page, count=1)
        page = _SCRIPT.sub(rf'src="{base}\1"', page)
    data = json.dumps({"files": base, **served}, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    lines = [*preloads, f'<script type="application/json" id="served">{data}</script>']
    return page.replace("</head>", "".join(f"  {line}\n" for line in lines) + "</head>", 1)
