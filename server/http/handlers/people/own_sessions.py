"""HTTP handlers: the sessions of the current player."""

from aiohttp import web

from cadogan.server.http.app_keys import server_of
from cadogan.server.http.requests import current_session, json_response, require_player
from cadogan.wire import account as wire


async def list_sessions(request: web.Request) -> web.Response:
    """Answer with the sessions of the current player."""
    player, current = await require_player(request), current_session(request)
    sessions = [
        wire.OwnSession(
            id=one.id,
            browser=one.device.browser,
            system=one.device.system,
            created_at=one.created_at,
            used_at=one.used_at,
            current=one.hash == current,
        )
        for one in await server_of(request).sign_in.own_sessions.of_player(player.id)
    ]
    return json_response(wire.OwnSessions(sessions=sessions))


async def end_session(request: web.Request) -> web.Response:
    """End another session of the current player."""
    server = server_of(request)
    player, current = await require_player(request), current_session(request) or ""
    ended = await server.sign_in.own_sessions.end(player.id, request.match_info["id"], current)
    server.sessions.end_session(ended)
    return await list_sessions(request)


async def end_other_sessions(request: web.Request) -> web.Response:
    """End every other session of the current player."""
    server = server_of(request)
    player, current = await require_player(request), current_session(request) or ""
    for ended in await server.sign_in.own_sessions.end_others(player.id, current):
        server.sessions.end_session(ended)
    return await list_sessions(request)
