"""HTTP handlers: webhooks, and what was sent to them."""

from aiohttp import web

from cadogan.server.http.app_keys import COURIER_CALL, WEBHOOKS
from cadogan.server.http.requests import id_to_create, json_response, read_body, require_player
from cadogan.wire import webhooks as wire


async def list_webhooks(request: web.Request) -> web.Response:
    """Answer with all webhooks."""
    return json_response(wire.Webhooks(webhooks=await request.app[WEBHOOKS].all()))


async def add_webhook(request: web.Request) -> web.Response:
    """Add a webhook, and answer with the secret that signs its requests."""
    player = await require_player(request)
    wanted = await read_body(request, wire.NewWebhook)
    return json_response(await request.app[WEBHOOKS].add(player.id, wanted, id_to_create(request, player)))


async def remove_webhook(request: web.Request) -> web.Response:
    """Remove a webhook."""
    player = await require_player(request)
    await request.app[WEBHOOKS].remove(player.id, request.match_info["id"])
    return await list_webhooks(request)


async def list_deliveries(request: web.Request) -> web.Response:
    """Answer with the last deliveries of a webhook."""
    return json_response(wire.Deliveries(deliveries=await request.app[WEBHOOKS].deliveries(request.match_info["id"])))


async def try_webhook(request: web.Request) -> web.Response:
    """Send a test to a webhook, soon, and answer with its last deliveries."""
    player = await require_player(request)
    await request.app[WEBHOOKS].test(request.match_info["id"], id_to_create(request, player))
    request.app[COURIER_CALL].set()
    return await list_deliveries(request)
