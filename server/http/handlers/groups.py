"""HTTP: whom one follows, and the groups one is in."""

from aiohttp import web

from clients.wire import boards
from server.http.app_keys import DEAL_LIMIT, GROUPS, PLAYERS
from server.http.requests import answer, read_body, signed_in
from server.players.groups import Group


async def list_friends(request: web.Request) -> web.Response:
    """Whom the asker follows."""
    player = await signed_in(request)
    friends = await request.app[GROUPS].friends(player.id)
    known = await request.app[PLAYERS].players(friends)
    return answer(boards.Friends(friends=[known[friend] for friend in friends]))


async def follow_player(request: web.Request) -> web.Response:
    """One more whom the asker follows."""
    player = await signed_in(request)
    request.app[DEAL_LIMIT].take(player.id)
    await request.app[GROUPS].add_friend(player.id, request.match_info["name"])
    return await list_friends(request)


async def unfollow_player(request: web.Request) -> web.Response:
    """One fewer."""
    player = await signed_in(request)
    await request.app[GROUPS].remove_friend(player.id, request.match_info["name"])
    return await list_friends(request)


async def list_groups(request: web.Request) -> web.Response:
    """The groups that the asker is in."""
    player = await signed_in(request)
    found = await request.app[GROUPS].groups_of(player.id)
    return answer(boards.Groups(groups=[await _shown(request, group) for group in found]))


async def make_group(request: web.Request) -> web.Response:
    """A new group, with the asker in it."""
    player = await signed_in(request)
    wanted = await read_body(request, boards.NewGroup)
    request.app[DEAL_LIMIT].take(player.id)
    return answer(await _shown(request, await request.app[GROUPS].create_group(player.id, wanted.name)))


async def join_group(request: web.Request) -> web.Response:
    """A group with the asker in it."""
    player = await signed_in(request)
    wanted = await read_body(request, boards.JoinGroup)
    request.app[DEAL_LIMIT].take(player.id)
    return answer(await _shown(request, await request.app[GROUPS].join(player.id, wanted.token)))


async def leave_group(request: web.Request) -> web.Response:
    """The asker's groups without this one."""
    player = await signed_in(request)
    await request.app[GROUPS].leave(player.id, request.match_info["id"])
    return await list_groups(request)


async def _shown(request: web.Request, group: Group) -> boards.Group:
    known = await request.app[PLAYERS].players(group.members)
    members = [known[member] for member in group.members]
    return boards.Group(id=group.id, name=group.name, token=group.token, members=members)
