"""The files that a page of the client refers to: the bundle, or the original modules and style sheets.

The URLs of bundled files contain the digest of the bundle, so browsers may cache them for ever. The digest includes the
languages.
"""

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from html import escape
from pathlib import Path
from time import monotonic
from typing import Any

from cadogan.server.http.site import bundle, static_files
from cadogan.server.http.site.module_preload import CHANGES_SECONDS

PLAIN = "/"
"""The base URL of the client's original files."""
_VERSIONED = re.compile(rf"{bundle.BUNDLE}/([0-9a-f]{{1,64}})/(.+)")
_STYLE_LINKS = re.compile(r'(?:<link rel="stylesheet" href="/style/[\w.-]+">\s*)+')
_TEXT = re.compile(r'(<[^>]* data-words="(\w+)\.(\w+)"[^>]*>)[^<]*')
_SCRIPT = re.compile(r'src="/js/(\w+\.js)"')


def base_address() -> str:
    """Return the base URL of the client's files: that of the bundle, if there is one, else `PLAIN`."""
    digest = current_digest()
    return f"/{bundle.BUNDLE}/{digest}/" if digest else PLAIN


def current_digest() -> str | None:
    """Return the digest of the bundle; None without a bundle that was built from the present files."""
    client = static_files.FOLDER
    return _digest(client, _latest_change(client, int(monotonic() / CHANGES_SECONDS)))


@lru_cache(maxsize=1)
def _latest_change(client: Path, looked_at: int) -> int:
    return bundle.latest_change(client)


@lru_cache(maxsize=1)
def _digest(client: Path, changed_at: int) -> str | None:
    return bundle.digest_sources(client) if bundle.has_bundle(client) else None


def find_versioned(path: str) -> tuple[Path | None, bool]:
    """Return the file at a bundle URL, and whether the URL is of the present version.

    Other versions get the present file as well: during a rolling update a browser may get its page from a new node and
    request the files from an old one, or the reverse.
    """
    found = _VERSIONED.fullmatch(path)
    if found is None:
        return None, False
    digest, name = found.groups()
    in_bundle = name in (*bundle.SCRIPTS, bundle.STYLE_SHEET)
    if not in_bundle and not re.fullmatch(r"languages/[\w-]+\.json", name):
        return None, False
    file = static_files.find(f"{bundle.BUNDLE}/{name}" if in_bundle else name)
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
        page = _STYLE_LINKS.sub(f'<link rel="stylesheet" href="{base}{bundle.STYLE_SHEET}">\n  ', page, count=1)
        page = _SCRIPT.sub(rf'src="{base}\1"', page)
    data = json.dumps({"files": base, **served}, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    lines = [*preloads, f'<script type="application/json" id="served">{data}</script>']
    return page.replace("</head>", "".join(f"  {line}\n" for line in lines) + "</head>", 1)
