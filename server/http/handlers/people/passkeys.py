"""HTTP handlers: passkeys, to sign in with, to confirm, and to create an account."""

from base64 import urlsafe_b64encode

from aiohttp import web

from cadogan.server.core import ids
from cadogan.server.core.addresses import Origin
from cadogan.server.http.app_keys import server_of
from cadogan.server.http.handlers.people.account import end_session, replace_session, session_response, who_am_i
from cadogan.server.http.requests import (
    client_address,
    current_player,
    current_session,
    json_response,
    read_body,
    require_player,
)
from cadogan.server.players.sign_in.passkeys import Site
from cadogan.wire import passkeys as wire


async def ask_passkey_challenge(request: web.Request) -> web.Response:
    """Answer with a challenge for a passkey to sign."""
    server = server_of(request)
    server.limits.sign_in.take(client_address(request))
    challenge = await server.sign_in.passkeys.challenge("passkey")
    return json_response(wire.PasskeyChallenge(challenge=challenge, site=_site(request).name))


async def sign_in_with_passkey(request: web.Request) -> web.Response:
    """Open a session with a passkey, and end the session that came with the request."""
    answer = await read_body(request, wire.PasskeyAnswer)
    session = await server_of(request).sign_in.passkeys.sign_in(answer, _site(request))
    await end_session(request)
    return session_response(request, session)


async def confirm_with_passkey(request: web.Request) -> web.Response:
    """Confirm the session of the current player with a passkey."""
    player = await require_player(request)
    answer = await read_body(request, wire.PasskeyAnswer)
    await server_of(request).sign_in.passkeys.confirm(player.id, current_session(request) or "", answer, _site(request))
    return await who_am_i(request)


async def ask_new_passkey_challenge(request: web.Request) -> web.Response:
    """Answer with a challenge for registering a new passkey."""
    server = server_of(request)
    player = await current_player(request)
    server.limits.sign_in.take(client_address(request))
    owner = None if player is None or player.guest else player.id
    challenge = await server.sign_in.passkeys.challenge("new_passkey", owner)
    known = await server.sign_in.passkeys.credentials(owner) if owner else []
    user = urlsafe_b64encode((owner or ids.new_id()).encode()).decode().rstrip("=")
    return json_response(
        wire.NewPasskeyChallenge(challenge=challenge, site=_site(request).name, user=user, known=known)
    )


async def claim_name_with_passkey(request: web.Request) -> web.StreamResponse:
    """Create an account with a passkey: give the current player, a guest, or a new player a name."""
    server = server_of(request)
    player = await current_player(request)
    wanted = await read_body(request, wire.NewPasskeyAccount)
    server.limits.account.take(client_address(request))
    accounts = server.sign_in.accounts
    async with server.house.entry.admitting(wanted.invitation):
        passkey = await server.sign_in.passkeys.read_new(wanted, _site(request), None)
        session = await accounts.claim_name_with_passkey(player, wanted.player, passkey)
    return await replace_session(request, session)


async def list_passkeys(request: web.Request) -> web.Response:
    """Answer with the passkeys of the current player."""
    player = await require_player(request)
    return json_response(wire.Passkeys(passkeys=await server_of(request).sign_in.passkeys.of_player(player.id)))


async def add_passkey(request: web.Request) -> web.Response:
    """Add a passkey of the current player."""
    player = await require_player(request)
    made = await read_body(request, wire.NewPasskey)
    await server_of(request).sign_in.passkeys.add(player, made, _site(request))
    return await list_passkeys(request)


async def remove_passkey(request: web.Request) -> web.Response:
    """Remove a passkey of the current player."""
    player = await require_player(request)
    await server_of(request).sign_in.passkeys.remove(player.id, request.match_info["id"])
    return await list_passkeys(request)


def _site(request: web.Request) -> Site:
    """Return the relying party: its origins are the configured ones, or else the origin of this request."""
    asked = [Origin.of(scheme, request.host) for scheme in ("https", "http")]
    return Site(asked[0].name, server_of(request).settings.origin or [str(one) for one in asked])
