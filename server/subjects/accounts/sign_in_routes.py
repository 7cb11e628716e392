"""Handlers: signing in by passkey or by the organisation's provider, and recovery by mail."""

from base64 import urlsafe_b64encode

from aiohttp import web

from cadogan.server.core import ids
from cadogan.server.core.addresses import Origin
from cadogan.server.core.errors import Conflict
from cadogan.server.core.web.requests import (
    OIDC_COOKIE,
    SESSION_COOKIE,
    TURN,
    asked_origin,
    charge_creation,
    client_address,
    current_player,
    current_session,
    delete_cookie,
    json_response,
    read_body,
    read_cookie,
    require_player,
    server_of,
    server_origin,
    set_cookie,
)
from cadogan.server.subjects.accounts.account_routes import (
    end_current_session,
    replace_session,
    session_response,
    who_am_i,
)
from cadogan.server.subjects.accounts.account_rows import Session
from cadogan.server.subjects.accounts.oidc_provider import refusal
from cadogan.server.subjects.accounts.oidc_subjects import SIGN_IN_MILLISECONDS, Confirmed, Requester
from cadogan.server.subjects.accounts.passkeys import Site
from cadogan.wire import mail, passkeys
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
    requester = Requester(await current_player(request), current_session(request))
    request[TURN].give_back()  # the provider may be slow
    done = await server_of(request).sign_in.oidc_subjects.finish(
        _secret(request), answer.state, answer.code, _return_address(request), requester
    )
    if isinstance(done, Confirmed):
        response = json_response(wire.OidcOutcome(outcome="confirmed", player=done.player))
        delete_cookie(request, response, OIDC_COOKIE)
        return response
    if isinstance(done, Player):
        return json_response(wire.OidcOutcome(outcome="linked", player=done))
    if isinstance(done, Session):
        await end_current_session(request)
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
    charge_creation(request, server.limits.account)
    async with server.admin.entry.admitting(wanted.invitation):
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


async def ask_passkey_challenge(request: web.Request) -> web.Response:
    """Answer with a challenge for a passkey to sign."""
    server = server_of(request)
    server.limits.sign_in.take(client_address(request))
    challenge = await server.sign_in.passkeys.challenge("passkey")
    return json_response(passkeys.PasskeyChallenge(challenge=challenge, site=_site(request).name))


async def sign_in_with_passkey(request: web.Request) -> web.Response:
    """Open a session with a passkey, and end the session that came with the request."""
    answer = await read_body(request, passkeys.PasskeyAnswer)
    session = await server_of(request).sign_in.passkeys.sign_in(answer, _site(request))
    await end_current_session(request)
    return session_response(request, session)


async def confirm_with_passkey(request: web.Request) -> web.Response:
    """Confirm the session of the current player with a passkey."""
    player = await require_player(request)
    answer = await read_body(request, passkeys.PasskeyAnswer)
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
        passkeys.NewPasskeyChallenge(challenge=challenge, site=_site(request).name, user=user, known=known)
    )


async def claim_name_with_passkey(request: web.Request) -> web.StreamResponse:
    """Create an account with a passkey: give the current player, a guest, or a new player a name."""
    server = server_of(request)
    player = await current_player(request)
    wanted = await read_body(request, passkeys.NewPasskeyAccount)
    charge_creation(request, server.limits.account)
    accounts = server.sign_in.accounts
    async with server.admin.entry.admitting(wanted.invitation):
        passkey = await server.sign_in.passkeys.read_new(wanted, _site(request), None)
        session = await accounts.claim_name_with_passkey(player, wanted.player, passkey)
    return await replace_session(request, session)


async def list_passkeys(request: web.Request) -> web.Response:
    """Answer with the passkeys of the current player."""
    player = await require_player(request)
    return json_response(passkeys.Passkeys(passkeys=await server_of(request).sign_in.passkeys.of_player(player.id)))


async def add_passkey(request: web.Request) -> web.Response:
    """Add a passkey of the current player."""
    player = await require_player(request)
    made = await read_body(request, passkeys.NewPasskey)
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


async def show_mail_address(request: web.Request) -> web.Response:
    """Answer with the mail address of the current player."""
    return await _address(request, await current_player(request))


async def set_mail_address(request: web.Request) -> web.Response:
    """Set the mail address of the current player."""
    player = await require_player(request)
    wanted = await read_body(request, mail.NewMailAddress)
    network = client_address(request)
    await server_of(request).sign_in.mail_recovery.set_address(
        player, wanted.address, wanted.language, server_origin(request), network
    )
    return await _address(request, player)


async def remove_mail_address(request: web.Request) -> web.Response:
    """Delete the mail address of the current player."""
    player = await require_player(request)
    await server_of(request).sign_in.mail_recovery.remove(player.id)
    return await _address(request, player)


async def confirm_mail_address(request: web.Request) -> web.Response:
    """Confirm a mail address with the code from a mail."""
    server = server_of(request)
    wanted = await read_body(request, mail.ConfirmMailAddress)
    server.limits.sign_in.take(client_address(request))
    await server.sign_in.mail_recovery.confirm(wanted.code)
    return json_response(mail.MailAddress(offered=server.sign_in.mail_recovery.offered, confirmed=True))


async def set_mail_digest(request: web.Request) -> web.Response:
    """Subscribe the current player to digests, or unsubscribe."""
    player = await require_player(request)
    wanted = await read_body(request, mail.MailDigest)
    await server_of(request).news.digest_readers.switch(player.id, wanted.on, wanted.language)
    return await _address(request, player)


async def end_mail_digest(request: web.Request) -> web.Response:
    """Unsubscribe the reader of a digest by the code in it."""
    wanted = await read_body(request, mail.EndMailDigest)
    await server_of(request).news.digest_readers.end(wanted.code)
    return await _address(request, None)


async def end_digest_by_program(request: web.Request) -> web.Response:
    """Unsubscribe by one click in a mail program (RFC 8058)."""
    await server_of(request).news.digest_readers.end(request.match_info["code"])
    return web.Response(status=204)


async def recover_by_mail(request: web.Request) -> web.Response:
    """Send a mail with a link for a new password."""
    server = server_of(request)
    wanted = await read_body(request, mail.MailRecovery)
    server.limits.sign_in.take(client_address(request))
    server.sign_in.mail_recovery.send_links(wanted.address, server_origin(request))
    return json_response(mail.MailAddress(offered=True))


async def _address(request: web.Request, player: Player | None) -> web.Response:
    server = server_of(request)
    recovery, readers = server.sign_in.mail_recovery, server.news.digest_readers
    own = await recovery.address_of(player.id) if player else None
    if player is None or own is None:
        return json_response(mail.MailAddress(offered=recovery.offered, digest_offered=readers.offered))
    shown = mail.MailAddress(
        offered=recovery.offered,
        address=own.address,
        confirmed=own.confirmed,
        digest=await readers.is_reader(player.id),
        digest_offered=readers.offered,
    )
    return json_response(shown)
