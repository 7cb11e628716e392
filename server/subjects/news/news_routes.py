"""Handlers: notifications of the requesting device, and webhooks."""

from aiohttp import web

from cadogan.server.core.errors import Unauthorized
from cadogan.server.core.web.requests import (
    client_address,
    current_session,
    id_to_create,
    json_response,
    read_body,
    require_player,
    server_of,
)
from cadogan.wire import notifications as wire
from cadogan.wire import webhooks


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
    server.news.notifier.schedule_send()
    return await show_notifications(request)


def _session(request: web.Request) -> str:
    session = current_session(request)
    if session is None:
        raise Unauthorized("Sign in first, or play as a guest.")
    return session


async def list_webhooks(request: web.Request) -> web.Response:
    """Answer with all webhooks."""
    return json_response(webhooks.Webhooks(webhooks=await server_of(request).news.webhooks.all()))


async def add_webhook(request: web.Request) -> web.Response:
    """Add a webhook, and answer with the secret that signs its requests."""
    player = await require_player(request)
    wanted = await read_body(request, webhooks.NewWebhook)
    return json_response(await server_of(request).news.webhooks.add(player.id, wanted, id_to_create(request, player)))


async def remove_webhook(request: web.Request) -> web.Response:
    """Remove a webhook."""
    player = await require_player(request)
    await server_of(request).news.webhooks.remove(player.id, request.match_info["id"])
    return await list_webhooks(request)


async def list_deliveries(request: web.Request) -> web.Response:
    """Answer with the last deliveries of a webhook."""
    return json_response(
        webhooks.Deliveries(deliveries=await server_of(request).news.webhooks.deliveries(request.match_info["id"]))
    )


async def try_webhook(request: web.Request) -> web.Response:
    """Queue a test delivery to a webhook, and answer with its last deliveries."""
    server = server_of(request)
    player = await require_player(request)
    await server.news.webhooks.test(request.match_info["id"], id_to_create(request, player))
    server.news.webhook_call.set()
    return await list_deliveries(request)
