"""Handlers: what members of a group write to each other, and reactions at games and races."""

from aiohttp import web

from cadogan.server.core.errors import Forbidden, NotFound
from cadogan.server.core.web.requests import (
    id_to_create,
    int_parameter,
    json_response,
    read_body,
    require_player,
    server_of,
    text_parameter,
)
from cadogan.server.subjects.chat.group_chat import StoredMessage
from cadogan.server.subjects.players.player_routes import group_body
from cadogan.wire import chat as wire
from cadogan.wire.reactions import GiveSign

_ENDPOINT = "list_messages"


async def switch_talk(request: web.Request) -> web.Response:
    """Enable or disable the chat of a group."""
    server = server_of(request)
    player, wanted = await require_player(request), await read_body(request, wire.SwitchTalk)
    group = request.match_info["id"]
    serial = await server.group_chat.switch(player.id, group, wanted.on)
    server.live_chat.show_change(group, serial)
    return json_response(await group_body(request, await server.groups.group(player.id, group)))


async def list_messages(request: web.Request) -> web.Response:
    """Answer with the messages of a group."""
    server = server_of(request)
    player, group = await require_player(request), request.match_info["id"]
    limit, before = int_parameter(request, _ENDPOINT, "limit"), text_parameter(request, _ENDPOINT, "before")
    page = await server.group_chat.read(player.id, group, before, limit)
    shown = await server.live_chat.show(page.messages)
    return json_response(wire.GroupTalk(group=group, on=page.on, messages=shown, more=page.more))


async def write_message(request: web.Request) -> web.Response:
    """Post a message to a group."""
    player, wanted = await require_player(request), await read_body(request, wire.NewTalk)
    group = request.match_info["id"]
    said, serial = await server_of(request).group_chat.write(
        player.id, group, wanted.text, id_to_create(request, player)
    )
    return await _show(request, said, serial)


async def remove_message(request: web.Request) -> web.Response:
    """Remove a message."""
    server = server_of(request)
    player, group, message = await require_player(request), request.match_info["id"], request.match_info["message"]
    try:
        said, serial = await server.group_chat.remove(player.id, group, message)
    except (NotFound, Forbidden):
        if (await server.admin.roles.standing(player.id)).role == "player":
            raise
        said, serial = await server.admin.moderation.remove_message(player.id, group, message)
    return await _show(request, said, serial)


async def _show(request: web.Request, said: StoredMessage, serial: int) -> web.Response:
    """Send the message to subscribers, and answer with it."""
    server = server_of(request)
    server.live_chat.show_change(said.group, serial)
    (shown,) = await server.live_chat.show([said])
    return json_response(shown)


async def show_game_signs(request: web.Request) -> web.Response:
    """Answer with the reactions at a game."""
    player = await require_player(request)
    return json_response(await server_of(request).reactions.list_game_reactions(player.id, request.match_info["id"]))


async def give_game_sign(request: web.Request) -> web.Response:
    """Post a reaction at a game."""
    player, wanted = await require_player(request), await read_body(request, GiveSign)
    return json_response(
        await server_of(request).reactions.give_at_game(player.id, request.match_info["id"], wanted.sign)
    )


async def show_race_signs(request: web.Request) -> web.Response:
    """Answer with the reactions at a race."""
    return json_response(await server_of(request).reactions.list_race_reactions(request.match_info["id"]))


async def give_race_sign(request: web.Request) -> web.Response:
    """Post a reaction at a race."""
    player, wanted = await require_player(request), await read_body(request, GiveSign)
    return json_response(
        await server_of(request).reactions.give_at_race(player.id, request.match_info["id"], wanted.sign)
    )
