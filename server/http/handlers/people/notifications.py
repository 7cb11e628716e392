"""HTTP handlers: notifications on the current device."""

from aiohttp import web

from cadogan.server.core.errors import Unauthorized
from cadogan.server.http.app_keys import server_of
from cadogan.server.http.requests import (
    client_address,
    current_session,
    id_to_create,
    json_response,
    read_body,
    require_player,
)
from cadogan.wire import notifications as wire


async def show_notifications(request: web.Request) -> web.Response:
    """Answer with the notification settings of this device."""
    player = await require_player(request)
    return json_response(await server_of(request).news.notifier.devices.shown(player, _session(request)))


async def set_notifications(request: web.Request) -> web.Response:
    """Switch notifications on for this device, or change them."""
    server = server_of(request)
    player = await require_player(request)
    wanted = await read_body(request, wire.NewNotifications)
    await server.news.notifier.devices.set(player, _session(request), wanted, client_address(request))
    if "overtaken" in wanted.topics:
        server.news.notifier.on_device_change()
    return await show_notifications(request)


async def remove_notifications(request: web.Request) -> web.Response:
    """Switch notifications off for this device."""
    await require_player(request)
    await server_of(request).news.notifier.devices.remove(_session(request))
    return await show_notifications(request)


async def try_notifications(request: web.Request) -> web.Response:
    """Queue a test notification to this device."""
    server = server_of(request)
    player = await require_player(request)
    await server.news.notifier.devices.test(player, _session(request), id_to_create(request, player))
    server.news.notifier.send_soon()
    return await show_notifications(request)


def _session(request: web.Request) -> str:
    session = current_session(request)
    if session is None:
        raise Unauthorized("Sign in first, or play as a guest.")
    return session
