"""The viewer of a request: a socket or a stream, until the client disconnects or its session ends."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from aiohttp import web

from cadogan.server.http.app_keys import REQUEST_ID, server_of
from cadogan.server.http.history_response import reader_of
from cadogan.server.http.requests import client_address, current_session
from cadogan.server.realtime.connection import NOBODY, Transport, Viewer
from cadogan.wire.values import Player


@contextmanager
def viewer_of(
    request: web.Request, player: Player | None, transport: Transport, drained: Callable[[], Awaitable[None]]
) -> Iterator[Viewer]:
    """Yield a viewer that writes to this transport; at the end all its subscriptions end.

    `drained` returns when the transport is writable again.
    """
    server = server_of(request)
    sessions, session = server.sessions, current_session(request)
    viewer = Viewer(
        player.id if player else NOBODY,
        transport,
        request.protocol,
        drained=drained,
        refresh=server.refresh,
        on_slow=server.metrics.dropped_queues.inc,
        name=player.name if player and not player.guest else None,
        connection=request.get(REQUEST_ID, ""),
        reader=reader_of(request, player),
        address=server.limits.push.bucket(client_address(request)),
    )
    sessions.add(session, viewer)
    try:
        yield viewer
    finally:
        server.hub.remove(viewer)
        sessions.remove(session, viewer)
