"""HTTP handlers: what the members of a group write to each other."""

from aiohttp import web

from cadogan.server.core.errors import Forbidden, NotFound
from cadogan.server.http.app_keys import GROUP_TALK, GROUPS, LIVE_TALK, MODERATION, ROLES
from cadogan.server.http.handlers.people.groups import group_body
from cadogan.server.http.requests import (
    id_to_create,
    int_parameter,
    json_response,
    read_body,
    require_player,
    text_parameter,
)
from cadogan.server.talk.group_talk import Said
from cadogan.wire import talk as wire

_ENDPOINT = "list_messages"


async def switch_talk(request: web.Request) -> web.Response:
    """Let the members of a group write to each other, or end that."""
    player, wanted = await require_player(request), await read_body(request, wire.SwitchTalk)
    group = request.match_info["id"]
    serial = await request.app[GROUP_TALK].switch(player.id, group, wanted.on)
    request.app[LIVE_TALK].show_change(group, serial)
    return json_response(await group_body(request, await request.app[GROUPS].group(player.id, group)))


async def list_messages(request: web.Request) -> web.Response:
    """Answer with what the members of a group wrote."""
    player, group = await require_player(request), request.match_info["id"]
    limit, before = int_parameter(request, _ENDPOINT, "limit"), text_parameter(request, _ENDPOINT, "before")
    page = await request.app[GROUP_TALK].read(player.id, group, before, limit)
    shown = await request.app[LIVE_TALK].show(page.messages)
    return json_response(wire.GroupTalk(group=group, on=page.on, messages=shown, more=page.more))


async def write_message(request: web.Request) -> web.Response:
    """Write to the members of a group."""
    player, wanted = await require_player(request), await read_body(request, wire.NewTalk)
    group = request.match_info["id"]
    said, serial = await request.app[GROUP_TALK].write(player.id, group, wanted.text, id_to_create(request, player))
    return await _show(request, said, serial)


async def remove_message(request: web.Request) -> web.Response:
    """Remove a message."""
    player, group, message = await require_player(request), request.match_info["id"], request.match_info["message"]
    try:
        said, serial = await request.app[GROUP_TALK].remove(player.id, group, message)
    except (NotFound, Forbidden):
        if (await request.app[ROLES].standing(player.id)).role == "player":
            raise
        said, serial = await request.app[MODERATION].remove_message(player.id, group, message)
    return await _show(request, said, serial)


async def _show(request: web.Request, said: Said, serial: int) -> web.Response:
    """Tell those who watch, and answer with the message."""
    request.app[LIVE_TALK].show_change(said.group, serial)
    (shown,) = await request.app[LIVE_TALK].show([said])
    return json_response(shown)
