"""HTTP handlers: the friends of the current player, and the groups that the player is in."""

from aiohttp import web

from cadogan.server.http.app_keys import server_of
from cadogan.server.http.requests import asker, id_to_create, json_response, read_body, require_player
from cadogan.server.players.groups import Group
from cadogan.wire import boards


async def list_friends(request: web.Request) -> web.Response:
    """Answer with the friends of the current player."""
    server = server_of(request)
    player = await require_player(request)
    friends = await server.groups.friends(player.id)
    known = await server.players.players(friends)
    return json_response(boards.Friends(friends=[known[friend] for friend in friends]))


async def follow_player(request: web.Request) -> web.Response:
    """Add a friend, and answer with all friends."""
    server = server_of(request)
    player = await require_player(request)
    server.limits.deal.take(asker(request, player))
    await server.groups.add_friend(player.id, request.match_info["name"])
    return await list_friends(request)


async def unfollow_player(request: web.Request) -> web.Response:
    """Remove a friend, and answer with all friends."""
    player = await require_player(request)
    await server_of(request).groups.remove_friend(player.id, request.match_info["name"])
    return await list_friends(request)


async def list_groups(request: web.Request) -> web.Response:
    """Answer with the groups that the current player is in."""
    player = await require_player(request)
    found = await server_of(request).groups.groups_of(player.id)
    return json_response(boards.Groups(groups=[await group_body(request, group) for group in found]))


async def make_group(request: web.Request) -> web.Response:
    """Create a group with the current player in it."""
    server = server_of(request)
    player = await require_player(request)
    wanted = await read_body(request, boards.NewGroup)
    server.limits.deal.take(asker(request, player))
    group = await server.groups.create_group(player.id, wanted.name, id_to_create(request, player))
    return json_response(await group_body(request, group))


async def join_group(request: web.Request) -> web.Response:
    """Add the current player to the group of a link, and answer with the group."""
    server = server_of(request)
    player = await require_player(request)
    wanted = await read_body(request, boards.JoinGroup)
    server.limits.deal.take(asker(request, player))
    return json_response(await group_body(request, await server.groups.join(player.id, wanted.token)))


async def leave_group(request: web.Request) -> web.Response:
    """Remove the current player from a group, and answer with the remaining groups."""
    player = await require_player(request)
    await server_of(request).groups.leave(player.id, request.match_info["id"])
    return await list_groups(request)


async def put_out_of_group(request: web.Request) -> web.Response:
    """Remove a member from a group of the current player, and answer with the group, which gets a new link."""
    player = await require_player(request)
    group = await server_of(request).groups.remove_member(
        player.id, request.match_info["id"], request.match_info["player"]
    )
    return json_response(await group_body(request, group))


async def renew_group_link(request: web.Request) -> web.Response:
    """Create a new link for a group of the current player, and answer with the group."""
    server = server_of(request)
    player = await require_player(request)
    server.limits.deal.take(asker(request, player))
    group = await server.groups.renew_link(player.id, request.match_info["id"])
    return json_response(await group_body(request, group))


async def group_body(request: web.Request, group: Group) -> boards.Group:
    known = await server_of(request).players.players(group.members)
    members = [known[member] for member in group.members]
    owner = group.members[0] if group.members else None
    return boards.Group(
        id=group.id, name=group.name, token=group.token, members=members, owner=owner, talk=group.has_talk
    )
