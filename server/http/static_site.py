"""The web client, served: its files as they stand in `clients/web`, and its one page for every address that it reads.

Browsers ask each time and are told *not changed* by ETag, so that nobody is left with a stale file; texts are packed
once.
"""

import re
from functools import lru_cache
from urllib.parse import quote

from aiohttp import web

from server.core.errors import NotFound
from server.http import link_previews, module_preload, static_files
from server.http.app_keys import SETTINGS
from server.http.static_files import Content

WORKER = "worker.js"
_MARK = re.compile(rb"<!-- The server puts .*? -->")
_KEPT = re.compile(r'"/([^"]+)"')


async def show_page(request: web.Request) -> web.Response:
    """One of the client's files; for an address without a dot in its last part, which the client reads, index.html.

    Raises NotFound.
    """
    path = request.match_info["path"]
    if file := static_files.find(path):
        content = static_files.read(file)
        if path == WORKER:
            content = _worker(content, _kept_digest(content))
        elif path == "index.html":
            content = _page(request, "")
    elif "." in path.rpartition("/")[2]:
        raise NotFound("There is no such page.")
    else:
        content = _page(request, path)
    return _sent(request, content)


def _sent(request: web.Request, content: Content) -> web.Response:
    packed = content.packed if _takes_gzip(request) else None
    headers = {"Cache-Control": "no-cache", "Content-Type": content.kind, "Vary": "Accept-Encoding"}
    tag = f"{content.tag}-gzip" if packed else content.tag
    if any(each.value in (tag, "*") for each in request.if_none_match or ()):
        answer = web.Response(status=304, headers=headers)
    elif packed:
        answer = web.Response(body=packed, headers=headers | {"Content-Encoding": "gzip"})
    else:
        answer = web.Response(body=content.body, headers=headers)
    answer.etag = tag
    return answer


def _takes_gzip(request: web.Request) -> bool:
    wanted = request.headers.get("Accept-Encoding", "").lower().replace(" ", "").split(",")
    return any(re.fullmatch(r"gzip(;q=(1(\.0*)?|0\.\d*[1-9]\d*))?", each) for each in wanted)


def _page(request: web.Request, path: str) -> Content:
    origins = request.app[SETTINGS].origin
    origin = origins[0] if origins else f"{request.scheme}://{request.host}"
    page = module_preload.page_at(f"/{path}")
    head = link_previews.head(page, origin, quote(f"/{path}"), module_preload.modules(module_preload.MAIN, page.module))
    index = static_files.find("index.html")
    assert index is not None
    return _filled(static_files.read(index), head)


@lru_cache(maxsize=256)
def _filled(index: Content, head: str) -> Content:
    return static_files.pack(_MARK.sub(lambda _: head.encode(), index.body, count=1), "text/html")


@lru_cache(maxsize=4)
def _worker(worker: Content, digest: str) -> Content:
    """The worker, which is another one whenever a file that it keeps is another one."""
    return static_files.pack(f'self.DIGEST = "{digest}";\n'.encode() + worker.body, "text/javascript")


def _kept_digest(worker: Content) -> str:
    files = [static_files.find(path) for path in _KEPT.findall(worker.body.decode())]
    files += sorted((static_files.FOLDER / "languages").glob("*.json"))
    return static_files.digest("".join(static_files.read(file).tag for file in files if file).encode())
