"""Whoever asked, as a viewer: over a socket or a stream, until they leave or their session ends."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from aiohttp import web

from clients.wire.values import Player
from server.http.app_keys import HUB, METRICS, SERVICE
from server.http.requests import session_asking
from server.realtime.connection import NOBODY, Transport, Viewer


@contextmanager
def viewing(
    request: web.Request, player: Player | None, transport: Transport, drained: Callable[[], Awaitable[None]]
) -> Iterator[Viewer]:
    """A viewer to whom things are told over this transport; at the end it follows nothing any more."""
    service, session = request.app[SERVICE], session_asking(request)
    viewer = Viewer(
        player.id if player else NOBODY,
        transport,
        request.protocol,
        drained=drained,
        refresh=service.refresh,
        fell_behind=request.app[METRICS].dropped_queues.inc,
        name=player.name if player and not player.guest else None,
    )
    service.sessions.add(session, viewer)
    try:
        yield viewer
    finally:
        request.app[HUB].forget(viewer)
        service.sessions.remove(session, viewer)
