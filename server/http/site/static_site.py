"""Serving the web client: its files as they are in `clients/web`, and its one page for every address that it routes.

Browsers ask again each time and get *304 Not Modified* by ETag, so that nobody keeps a stale file. Text files are
compressed once.
"""

import re
from functools import lru_cache
from urllib.parse import quote

from aiohttp import web

from server.core.errors import NotFound
from server.http.app_keys import SETTINGS
from server.http.site import link_previews, module_preload, static_files
from server.http.site.static_files import Content

SERVICE_WORKER = "worker.js"
_HEAD_PLACEHOLDER = re.compile(rb"<!-- The server puts .*? -->")
_CACHED_FILE = re.compile(r'"/([^"]+)"')


async def show_page(request: web.Request) -> web.Response:
    """Answer with one of the client's files, or with index.html for an address that the client routes.

    The client routes every address without a dot in its last part. Raises NotFound.
    """
    path = request.match_info["path"]
    if file := static_files.find(path):
        content = static_files.read(file)
        if path == SERVICE_WORKER:
            content = _service_worker(content, _cached_digest(content))
        elif path == "index.html":
            content = _index_page(request, "")
    elif "." in path.rpartition("/")[2]:
        raise NotFound("There is no such page.")
    else:
        content = _index_page(request, path)
    return _respond(request, content)


def _respond(request: web.Request, content: Content) -> web.Response:
    compressed = content.compressed if _accepts_gzip(request) else None
    headers = {"Cache-Control": "no-cache", "Content-Type": content.content_type, "Vary": "Accept-Encoding"}
    tag = f"{content.etag}-gzip" if compressed else content.etag
    if any(each.value in (tag, "*") for each in request.if_none_match or ()):
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


def _index_page(request: web.Request, path: str) -> Content:
    origins = request.app[SETTINGS].origin
    origin = origins[0] if origins else f"{request.scheme}://{request.host}"
    page = module_preload.page_at(f"/{path}")
    modules = module_preload.modules_needed(module_preload.MAIN_MODULE, page.module)
    head = link_previews.head_lines(page, origin, quote(f"/{path}"), modules)
    index = static_files.find("index.html")
    assert index is not None
    return _with_head(static_files.read(index), head)


@lru_cache(maxsize=256)
def _with_head(index: Content, head: str) -> Content:
    return static_files.make_content(_HEAD_PLACEHOLDER.sub(lambda _: head.encode(), index.body, count=1), "text/html")


@lru_cache(maxsize=4)
def _service_worker(worker: Content, digest: str) -> Content:
    """Return the service worker. It changes whenever a file that it caches changes, so that browsers load it again."""
    return static_files.make_content(f'self.DIGEST = "{digest}";\n'.encode() + worker.body, "text/javascript")


def _cached_digest(worker: Content) -> str:
    files = [static_files.find(path) for path in _CACHED_FILE.findall(worker.body.decode())]
    files += sorted((static_files.FOLDER / "languages").glob("*.json"))
    return static_files.digest("".join(static_files.read(file).etag for file in files if file).encode())
