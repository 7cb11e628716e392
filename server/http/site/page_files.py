"""The files that a page of the client names: the bundle, or the modules and style sheets as they are.

The files of a bundle have addresses with its digest, so that browsers may keep them for ever. The digest stands for the
languages too.
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
"""The base address of the client's files where they are served as they are."""
_VERSIONED = re.compile(rf"{bundle.BUNDLE}/([0-9a-f]{{1,64}})/(.+)")
_STYLE_LINKS = re.compile(r'(?:<link rel="stylesheet" href="/style/[\w.-]+">\s*)+')
_TEXT = re.compile(r'(<[^>]* data-words="(\w+)\.(\w+)"[^>]*>)[^<]*')
_SCRIPT = re.compile(r'src="/js/(\w+\.js)"')


def base_address(wants_bundle: bool) -> str:
    """Return the address below which the client's files are: that of the bundle, if there is one, else `PLAIN`."""
    digest = current_digest() if wants_bundle else None
    return f"/{bundle.BUNDLE}/{digest}/" if digest else PLAIN


def current_digest() -> str | None:
    """Return the digest of the bundle; None without one that was made from the client's files as they are."""
    client = static_files.FOLDER
    return _digest(client, _latest_change(client, int(monotonic() / CHANGES_SECONDS)))


@lru_cache(maxsize=1)
def _latest_change(client: Path, looked_at: int) -> int:
    return bundle.latest_change(client)


@lru_cache(maxsize=1)
def _digest(client: Path, changed_at: int) -> str | None:
    return bundle.digest_sources(client) if bundle.has_bundle(client) else None


def find_versioned(path: str) -> tuple[Path | None, bool]:
    """Return the file at an address of a bundle, and whether it is that of the present one.

    Other versions get the present file too: while nodes are replaced one by one, a browser that got its page from a new
    node may ask an old one for the rest, and the other way round.
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
    """Return a page with the texts of its own in a language. The page's scripts do the same later, if need be."""

    def translated(mark: re.Match[str]) -> str:
        return f"{mark[1]}{escape(words[mark[2]][mark[3]], quote=False)}"

    return _TEXT.sub(translated, page).replace('<html lang="en">', f'<html lang="{tag}">', 1)


def with_files(page: str, base: str, preloads: Iterable[str], served: dict[str, Any]) -> str:
    """Return a page with the addresses of its files, of what is to be loaded early, and with what it is `served`.

    `preloads` are elements of the head, and `served` is what the page's scripts read from it.
    """
    if base != PLAIN:
        page = _STYLE_LINKS.sub(f'<link rel="stylesheet" href="{base}{bundle.STYLE_SHEET}">\n  ', page, count=1)
        page = _SCRIPT.sub(rf'src="{base}\1"', page)
    data = json.dumps({"files": base, **served}, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    lines = [*preloads, f'<script type="application/json" id="served">{data}</script>']
    return page.replace("</head>", "".join(f"  {line}\n" for line in lines) + "</head>", 1)
