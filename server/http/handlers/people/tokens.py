"""HTTP handlers: a player's personal tokens. Only a session can create or revoke them, not a personal token."""

from aiohttp import web

from cadogan.server.http.app_keys import server_of
from cadogan.server.http.requests import asker, current_session, id_to_create, json_response, read_body, require_player
from cadogan.wire.tokens import NewToken, PersonalTokens


async def list_tokens(request: web.Request) -> web.Response:
    """Answer with the personal tokens of the current player."""
    player = await require_player(request)
    return json_response(PersonalTokens(tokens=await server_of(request).sign_in.personal_tokens.of_player(player.id)))


async def make_token(request: web.Request) -> web.Response:
    """Create a personal token of the current player."""
    server = server_of(request)
    player = await require_player(request)
    wanted = await read_body(request, NewToken)
    server.limits.deal.take(asker(request, player))
    tokens, session = server.sign_in.personal_tokens, current_session(request) or ""
    made = await tokens.create(player.id, session, id_to_create(request, player), wanted)
    return json_response(made)


async def revoke_token(request: web.Request) -> web.Response:
    """Revoke a personal token of the current player, and close its connections."""
    server = server_of(request)
    player = await require_player(request)
    for ended in await server.sign_in.personal_tokens.revoke(player.id, request.match_info["id"]):
        server.sessions.end_session(ended)
    return await list_tokens(request)
