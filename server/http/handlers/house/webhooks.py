"""HTTP handlers: webhooks and their deliveries."""

from aiohttp import web

from cadogan.server.http.app_keys import server_of
from cadogan.server.http.requests import id_to_create, json_response, read_body, require_player
from cadogan.wire import webhooks as wire


async def list_webhooks(request: web.Request) -> web.Response:
    """Answer with all webhooks."""
    return json_response(wire.Webhooks(webhooks=await server_of(request).news.webhooks.all()))


async def add_webhook(request: web.Request) -> web.Response:
    """Add a webhook, and answer with the secret that signs its requests."""
    player = await require_player(request)
    wanted = await read_body(request, wire.NewWebhook)
    return json_response(await server_of(request).news.webhooks.add(player.id, wanted, id_to_create(request, player)))


async def remove_webhook(request: web.Request) -> web.Response:
    """Remove a webhook."""
    player = await require_player(request)
    await server_of(request).news.webhooks.remove(player.id, request.match_info["id"])
    return await list_webhooks(request)


async def list_deliveries(request: web.Request) -> web.Response:
    """Answer with the last deliveries of a webhook."""
    return json_response(
        wire.Deliveries(deliveries=await server_of(request).news.webhooks.deliveries(request.match_info["id"]))
    )


async def try_webhook(request: web.Request) -> web.Response:
    """Queue a test delivery to a webhook, and answer with its last deliveries."""
    server = server_of(request)
    player = await require_player(request)
    await server.news.webhooks.test(request.match_info["id"], id_to_create(request, player))
    server.news.courier_call.set()
    return await list_deliveries(request)
