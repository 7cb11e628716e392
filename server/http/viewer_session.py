"""A viewer for a request: subscribed over a socket or a stream, until the client leaves or its session ends."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from aiohttp import web

from cadogan.server.http.app_keys import HUB, METRICS, PUSH_LIMIT, REFRESH, REQUEST_ID, SESSIONS
from cadogan.server.http.history_response import reader_of
from cadogan.server.http.requests import client_address, current_session
from cadogan.server.realtime.connection import NOBODY, Transport, Viewer
from cadogan.wire.values import Player


@contextmanager
def viewer_of(
    request: web.Request, player: Player | None, transport: Transport, drained: Callable[[], Awaitable[None]]
) -> Iterator[Viewer]:
    """Give a viewer that is written to over this transport; at the end all its subscriptions end.

    `drained` returns when the transport takes more.
    """
    sessions, session = request.app[SESSIONS], current_session(request)
    viewer = Viewer(
        player.id if player else NOBODY,
        transport,
        request.protocol,
        drained=drained,
        refresh=request.app[REFRESH],
        on_slow=request.app[METRICS].dropped_queues.inc,
        name=player.name if player and not player.guest else None,
        connection=request.get(REQUEST_ID, ""),
        reader=reader_of(request, player),
        address=request.app[PUSH_LIMIT].bucket(client_address(request)),
    )
    sessions.add(session, viewer)
    try:
        yield viewer
    finally:
        request.app[HUB].remove(viewer)
        sessions.remove(session, viewer)
