"""Handlers: the transparency log as static files, the host's public keys, and the root of the event log.

HTTP handlers: the transparency log as static files for third-party tools, and the host's public keys.

Tiles never change, so a proxy or a storage bucket may cache them. Everything here is public.
"""

from functools import partial

from aiohttp import web

from cadogan.server.core.errors import NotFound
from cadogan.server.core.untrusted_input import TooLong, read_at_most
from cadogan.server.core.web.requests import SERVER, json_response, receive, server_of
from cadogan.server.subjects.transparency.sequencer import publish_keys
from cadogan.server.subjects.transparency.transparency_log import WITNESSED
from cadogan.server.subjects.transparency.tree import read_tile_path
from cadogan.server.subjects.transparency.witnesses import MAX_BODY_BYTES, CheckpointRefused
from cadogan.wire.bodies import LogRoot

CHECKPOINT_CACHE = "public, max-age=2"
TILE_CACHE = "public, max-age=31536000, immutable"
ANY_ORIGIN_HEADERS = {"Access-Control-Allow-Origin": "*"}


async def show_host(request: web.Request) -> web.Response:
    """Answer with the origin of the log, and the public keys of the host and of its witnesses. Raises NotFound."""
    app = request.app
    host = await publish_keys(app[SERVER].transparency, app[SERVER].host_key, app[SERVER].witness_keys)
    if host is None:
        raise NotFound("This server has no key: its host has to look at its log.")
    return web.json_response(host, headers={"Cache-Control": CHECKPOINT_CACHE, **ANY_ORIGIN_HEADERS})


async def show_checkpoint(request: web.Request) -> web.Response:
    """Answer with the latest signed checkpoint, with the signatures of witnesses so far.

    Raises NotFound while the log is empty.
    """
    log = server_of(request).transparency
    note, witnessed = await log.head(), await log.head(WITNESSED)
    if note is not None and witnessed is not None and note.text == witnessed.text:
        note = witnessed
    if note is None:
        raise NotFound("The log is empty: nothing has ended here.")
    headers = {"Cache-Control": CHECKPOINT_CACHE, **ANY_ORIGIN_HEADERS}
    return web.Response(text=note.as_text(), content_type="text/plain", charset="utf-8", headers=headers)


async def add_checkpoint(request: web.Request) -> web.Response:
    """Answer, as a witness, with the signature of another server's checkpoint, or with the reason for refusing it."""
    try:
        body = await receive(request, partial(read_at_most, request.content, MAX_BODY_BYTES))
        lines = await server_of(request).witness.add_checkpoint(body.decode())
    except UnicodeDecodeError:
        return web.Response(status=400, text="the request is not in UTF-8\n")
    except TooLong as error:
        return web.Response(status=400, text=f"{error}\n")
    except CheckpointRefused as refused:
        if refused.status == 409:  # C2SP allows no parameter after this type, and `text=` would add a charset
            return web.Response(status=409, body=f"{refused}\n".encode(), content_type="text/x.tlog.size")
        return web.Response(status=refused.status, text=f"{refused}\n")
    return web.Response(text=lines)


async def show_witnessed(request: web.Request) -> web.Response:
    """Answer with the last checkpoint of another server's log that this server signed. Raises NotFound."""
    note = await server_of(request).witness.latest(request.match_info["origin"])
    if note is None:
        raise NotFound("This witness has signed nothing of that log.")
    return web.Response(text=note.as_text(), headers=ANY_ORIGIN_HEADERS)


async def show_tile(request: web.Request) -> web.Response:
    """Answer with a tile of the tree, or a bundle of entries. Raises NotFound."""
    tile = read_tile_path(request.match_info["path"])
    found = None if tile is None else await server_of(request).transparency.tile(*tile)
    if found is None:
        raise NotFound("The log has no such tile.")
    headers = {"Cache-Control": TILE_CACHE, **ANY_ORIGIN_HEADERS}
    return web.Response(body=found, content_type="application/octet-stream", headers=headers)


async def show_root(request: web.Request) -> web.Response:
    """Answer with today's Merkle root; in the first minute of the day with yesterday's."""
    return json_response(LogRoot(**(await server_of(request).roots.latest())._asdict()))
