"""HTTP handlers: sign-in with the OpenID provider, and using it to create, link or confirm an account."""

from aiohttp import web

from cadogan.server.core.errors import Conflict
from cadogan.server.http.app_keys import TURN, server_of
from cadogan.server.http.cookies import (
    OIDC_COOKIE,
    SESSION_COOKIE,
    asked_origin,
    delete_cookie,
    read_cookie,
    set_cookie,
)
from cadogan.server.http.handlers.people.account import end_session, replace_session
from cadogan.server.http.requests import (
    client_address,
    current_player,
    current_session,
    json_response,
    read_body,
    require_player,
)
from cadogan.server.players.sign_in.account_rows import Session
from cadogan.server.players.sign_in.oidc_provider import refusal
from cadogan.server.players.sign_in.oidc_subjects import SIGN_IN_MILLISECONDS, Asker, Confirmed
from cadogan.wire import oidc as wire
from cadogan.wire.values import Player

RETURN_PATH = "/account/provider"
"""The page to which the provider redirects."""


async def show_oidc_provider(request: web.Request) -> web.Response:
    """Answer with the provider, and whether the current player is linked with it."""
    server = server_of(request)
    player = await current_player(request)
    linked = player is not None and await server.sign_in.oidc_subjects.is_linked(player.id)
    offered = server.sign_in.oidc_subjects.offered
    return json_response(wire.OidcProvider(name=server.settings.oidc_name if offered else None, linked=linked))


async def begin_oidc(request: web.Request) -> web.Response:
    """Start a sign-in with the provider."""
    _count_attempt(request)
    return _redirect_response(request, *await server_of(request).sign_in.oidc_subjects.begin(_return_address(request)))


async def begin_oidc_link(request: web.Request) -> web.Response:
    """Start linking the account of the current player."""
    player = await require_player(request)
    if player.guest or player.bot:
        raise Conflict("You have no password: create an account first.")
    _count_attempt(request)
    return _redirect_response(
        request, *await server_of(request).sign_in.oidc_subjects.begin(_return_address(request), player.id)
    )


async def begin_oidc_confirmation(request: web.Request) -> web.Response:
    """Start confirming the session of the current player with the provider."""
    player = await require_player(request)
    _count_attempt(request)
    session, address = current_session(request) or "", _return_address(request)
    return _redirect_response(
        request, *await server_of(request).sign_in.oidc_subjects.begin_confirmation(address, player.id, session)
    )


async def finish_oidc(request: web.Request) -> web.Response:
    """Finish with the provider's response: open a session, link an account, confirm, or request a new name."""
    answer = await read_body(request, wire.OidcAnswer)
    asker = Asker(await current_player(request), current_session(request))
    request[TURN].give_back()  # the provider may be slow
    done = await server_of(request).sign_in.oidc_subjects.finish(
        _secret(request), answer.state, answer.code, _return_address(request), asker
    )
    if isinstance(done, Confirmed):
        response = json_response(wire.OidcOutcome(outcome="confirmed", player=done.player))
        delete_cookie(request, response, OIDC_COOKIE)
        return response
    if isinstance(done, Player):
        return json_response(wire.OidcOutcome(outcome="linked", player=done))
    if isinstance(done, Session):
        await end_session(request)
        response = json_response(wire.OidcOutcome(outcome="signed_in", player=done.player, token=done.token))
        set_cookie(request, response, SESSION_COOKIE, done.token)
        delete_cookie(request, response, OIDC_COOKIE)
        return response
    response = json_response(wire.OidcOutcome(outcome="new"))
    _keep_secret(request, response, done)
    return response


async def claim_name_with_oidc(request: web.Request) -> web.StreamResponse:
    """Create an account for a person who has signed in with the provider."""
    server = server_of(request)
    player = await current_player(request)
    wanted = await read_body(request, wire.NewOidcAccount)
    server.limits.account.take(client_address(request))
    async with server.house.entry.admitting(wanted.invitation):
        session = await server.sign_in.oidc_subjects.claim_name(_secret(request), player, wanted.player)
    return await replace_session(request, session)


async def unlink_oidc(request: web.Request) -> web.Response:
    """Unlink the current player from the provider."""
    player = await require_player(request)
    await server_of(request).sign_in.oidc_subjects.unlink(player.id)
    return await show_oidc_provider(request)


def _count_attempt(request: web.Request) -> None:
    server_of(request).limits.sign_in.take(client_address(request))
    request[TURN].give_back()  # the provider may be slow


def _redirect_response(request: web.Request, secret: str, address: str) -> web.Response:
    response = json_response(wire.OidcAddress(address=address))
    _keep_secret(request, response, secret)
    return response


def _secret(request: web.Request) -> str:
    """Return the secret of the sign-in that this browser has started. Raises BadCredentials without one."""
    secret = read_cookie(request, OIDC_COOKIE)
    if secret is None:
        raise refusal()
    return secret


def _keep_secret(request: web.Request, response: web.Response, secret: str) -> None:
    set_cookie(request, response, OIDC_COOKIE, secret, SIGN_IN_MILLISECONDS // 1000)


def _return_address(request: web.Request) -> str:
    return f"{asked_origin(request)}{RETURN_PATH}"
