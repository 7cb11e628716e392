"""Serves the web client: its files, and its single page for every path that it routes.

Browsers revalidate each time and get *304 Not Modified* by ETag, so that no file is stale. Only the files of the
bundle, whose URLs change with their content, are cached without revalidation. Text files are compressed once.
"""

import json
import re
from functools import lru_cache
from urllib.parse import quote

from aiohttp import web

from cadogan.server.core.errors import NotFound
from cadogan.server.core.web.requests import has_copy, server_of, server_origin
from cadogan.server.http.site import client_files, page_head
from cadogan.server.http.site.client_files import Content
from cadogan.server.subjects.admin import branding
from cadogan.server.subjects.admin.branding import Branding
from cadogan.wire.endpoint import API

NO_BRANDING = Branding()
SERVICE_WORKER = "worker.js"
OFFLINE_PAGE = "offline.html"
REVALIDATE = "no-cache"
IMMUTABLE_CACHING = "public, max-age=31536000, immutable"
FIRST_CALLS = {
    "home": (f"{API}/session", f"{API}/home?language={{language}}"),
    "games": (f"{API}/session", f"{API}/shelf?language={{language}}"),
    "winnability": (f"{API}/session", f"{API}/winnability?language={{language}}"),
}
"""The first API requests of a page, by its name; other pages begin with the session only."""
_HEAD_PLACEHOLDER = re.compile(r"<!-- The server puts .*? -->")
_WORDS_KEY = re.compile(r'data-words="(\w+)\.(\w+)"')
_NEEDED_FILE = re.compile(r'(?:href|src)="/([^"]+\.(?:css|js))"')


async def show_page(request: web.Request) -> web.Response:
    """Answer with one of the client's files, or with index.html for a path that the client routes.

    The client routes every path without a dot in its last part. Raises NotFound.
    """
    server = server_of(request)
    path = request.match_info["path"]
    file, is_present = client_files.find_versioned(path)
    if file:
        return _respond(request, client_files.read(file), IMMUTABLE_CACHING if is_present else REVALIDATE)
    base = client_files.base_address()
    if file := client_files.find(path):
        content = client_files.read(file)
        if path == SERVICE_WORKER:
            content = _service_worker(content, _offline_page(base), base)
        elif path == OFFLINE_PAGE:
            content = _offline_page(base)
        elif path == "index.html":
            content = _index_page(request, "", base, await server.admin.profile.current())
    elif "." in path.rpartition("/")[2]:
        raise NotFound("There is no such page.")
    else:
        content = _index_page(request, path, base, await server.admin.profile.current())
    return _respond(request, content, REVALIDATE)


def _respond(request: web.Request, content: Content, caching: str) -> web.Response:
    compressed = content.compressed if _accepts_gzip(request) else None
    headers = {"Cache-Control": caching, "Content-Type": content.content_type, "Vary": "Accept-Encoding"}
    tag = f"{content.etag}-gzip" if compressed else content.etag
    if has_copy(request, tag):
        response = web.Response(status=304, headers=headers)
    elif compressed:
        response = web.Response(body=compressed, headers=headers | {"Content-Encoding": "gzip"})
    else:
        response = web.Response(body=content.body, headers=headers)
    response.etag = tag
    return response


def _accepts_gzip(request: web.Request) -> bool:
    wanted = request.headers.get("Accept-Encoding", "").lower().replace(" ", "").split(",")
    return any(re.fullmatch(r"gzip(;q=(1(\.0*)?|0\.\d*[1-9]\d*))?", each) for each in wanted)


def _index_page(request: web.Request, path: str, base: str, brand: Branding) -> Content:
    """Return the page for a path. Its head preloads the requests that its scripts will make."""
    origin = server_origin(request)
    page = client_files.page_at(f"/{path}")
    language = page_head.expected_language(request)
    preloads = []
    if base == client_files.PLAIN:
        modules = client_files.modules_needed(client_files.MAIN_MODULE, page.module)
        preloads = [f'<link rel="modulepreload" href="/{module}">' for module in modules]
    calls = [call.format(language=language) for call in FIRST_CALLS.get(page.name, (f"{API}/session",))]
    preloads += [
        f'<link rel="preload" as="fetch" href="{address}" crossorigin>'
        for address in (f"{base}languages/{language}.json", *calls)
    ]
    head = page_head.head_lines(page, origin, quote(f"/{path}"), brand.profile.name or page_head.SITE_NAME)
    served = {"language": language, "languages": page_head.languages(), **branding.served_about(brand)}
    return _make_page(_read("index.html"), base, head, tuple(preloads), json.dumps(served), page.name, brand)


def _offline_page(base: str) -> Content:
    """Return the offline page, which includes its few texts in every language."""
    page = _read(OFFLINE_PAGE)
    keys = _WORDS_KEY.findall(page.body.decode())
    listed = page_head.languages()
    words: dict[str, dict[str, dict[str, str]]] = {}
    for tag in (each["tag"] for each in listed):
        texts = page_head.read_language(tag).words
        for section, name in keys:
            words.setdefault(tag, {}).setdefault(section, {})[name] = texts[section][name]
    return _make_page(page, base, "", (), json.dumps({"languages": listed, "words": words}), "offline")


def _read(name: str) -> Content:
    file = client_files.find(name)
    assert file is not None
    return client_files.read(file)


@lru_cache(maxsize=256)
def _make_page(
    page: Content,
    base: str,
    head: str,
    preloads: tuple[str, ...],
    served: str,
    name: str,
    brand: Branding = NO_BRANDING,
) -> Content:
    text = _HEAD_PLACEHOLDER.sub(lambda _: head, page.body.decode(), count=1)
    text = text.replace("<body>", f'<body data-page="{name}">', 1)
    state = json.loads(served)
    tag = state.get("language", page_head.DEFAULT)
    text = client_files.in_language(text, tag, page_head.read_language(tag).words)
    text = branding.with_branding(client_files.with_files(text, base, preloads, state), brand)
    return client_files.make_content(text.encode(), "text/html")


def _service_worker(worker: Content, offline_page: Content, base: str) -> Content:
    """Return the service worker with the list of files to cache: the offline page and its files.

    It changes whenever one of these files changes, so that browsers load it again.
    """
    names = _NEEDED_FILE.findall(offline_page.body.decode())
    if base == client_files.PLAIN:
        names += [name for name in client_files.modules_needed("js/offline.js") if name not in names]
    files = [client_files.find(name) for name in names]
    tags = [offline_page.etag, *(client_files.read(file).etag for file in files if file)]
    return _with_files_to_keep(worker, (OFFLINE_PAGE, *names), client_files.digest("".join(tags).encode()))


@lru_cache(maxsize=4)
def _with_files_to_keep(worker: Content, names: tuple[str, ...], digest: str) -> Content:
    stored = json.dumps([f"/{name}" for name in names])
    text = f'self.DIGEST = "{digest}";\nself.KEPT = {stored};\n'
    return client_files.make_content(text.encode() + worker.body, "text/javascript")
