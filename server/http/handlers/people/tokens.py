"""HTTP handlers: a player's personal tokens. Only a session may make or end them, no personal token."""

from aiohttp import web

from cadogan.server.http.app_keys import DEAL_LIMIT, PERSONAL_TOKENS, SESSIONS
from cadogan.server.http.requests import asker, current_session, id_to_create, json_response, read_body, require_player
from cadogan.wire.tokens import NewToken, PersonalTokens


async def list_tokens(request: web.Request) -> web.Response:
    """Answer with the personal tokens of the current player."""
    player = await require_player(request)
    return json_response(PersonalTokens(tokens=await request.app[PERSONAL_TOKENS].of_player(player.id)))


async def make_token(request: web.Request) -> web.Response:
    """Create a personal token of the current player."""
    player = await require_player(request)
    wanted = await read_body(request, NewToken)
    request.app[DEAL_LIMIT].take(asker(request, player))
    tokens, session = request.app[PERSONAL_TOKENS], current_session(request) or ""
    made = await tokens.create(player.id, session, id_to_create(request, player), wanted)
    return json_response(made)


async def revoke_token(request: web.Request) -> web.Response:
    """End a personal token of the current player, and close what is open with it."""
    player = await require_player(request)
    for ended in await request.app[PERSONAL_TOKENS].revoke(player.id, request.match_info["id"]):
        request.app[SESSIONS].end_session(ended)
    return await list_tokens(request)
