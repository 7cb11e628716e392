"""Handlers: sessions, accounts, bots and personal tokens.

HTTP handlers: sessions, accounts and bots.

A new session is sent as a cookie, which scripts cannot read, and in the body for programs.
"""

from collections.abc import Iterable
from contextlib import suppress

from aiohttp import web

from cadogan.server.core.errors import InvalidToken, Suspended
from cadogan.server.core.people import session_id
from cadogan.server.core.web.requests import (
    DEVICE_COOKIE,
    SESSION_COOKIE,
    TURN,
    asker,
    charge_creation,
    client_address,
    current_player,
    current_session,
    delete_old_session_cookie,
    delete_session_cookie,
    id_to_create,
    json_response,
    old_session_cookie,
    read_body,
    read_cookie,
    require_player,
    server_of,
    session_token,
    set_cookie,
)
from cadogan.server.subjects.accounts.account_rows import Session
from cadogan.server.subjects.accounts.passwords import Origin, add_device_mark, read_marks
from cadogan.wire import account as wire
from cadogan.wire.account import (
    AccountMade,
    Credentials,
    NewAccount,
    NewPassword,
    RecoverAccount,
    RecoveryCodesLeft,
    SignedIn,
)
from cadogan.wire.account import RecoveryCodes as RecoveryCodesBody
from cadogan.wire.account import Session as SessionBody
from cadogan.wire.admin import ConfirmPassword, RegainAccess, WaysToConfirm
from cadogan.wire.boards import Bots, NewBot
from cadogan.wire.tokens import NewToken, PersonalTokens


async def begin_as_guest(request: web.Request) -> web.Response:
    """Create a guest and open a session."""
    server = server_of(request)
    charge_creation(request, server.limits.guest)
    await server.admin.entry.admit_guest()
    return session_response(request, await server.sign_in.accounts.create_guest())


async def sign_in(request: web.Request) -> web.Response:
    """Open a session by name and password, and end the session that came with the request."""
    credentials = await read_body(request, Credentials)
    request[TURN].give_back()  # hashing a password may be queued: it must not block other requests of the address
    session = await server_of(request).sign_in.accounts.sign_in(
        credentials.name, credentials.password, await _origin(request)
    )
    await end_current_session(request)
    return session_response(request, session)


async def who_am_i(request: web.Request) -> web.Response:
    """Answer with the current player. Delete the cookie of a session that has ended.

    No other handler deletes it: pages call this one first, so a cookie that was set meanwhile is not deleted. A guest
    with a cookie of the old name (`old_session_cookie`) gets one with the new name.
    """
    server = server_of(request)
    player = await current_player(request)
    if player is None and (old := old_session_cookie(request)) and session_token(request) is None:
        session = await server.sign_in.accounts.replace_guest_session(old)
        response = json_response(SessionBody(player=session.player if session else None))
        if session is not None:
            set_cookie(request, response, SESSION_COOKIE, session.token)
        delete_old_session_cookie(request, response)
        return response
    standing = await server.admin.roles.standing(player.id) if player else None
    role = None if standing is None or standing.role == "player" else standing.role
    response = json_response(SessionBody(player=player, role=role))
    if player is None and session_token(request) is not None:
        delete_session_cookie(request, response)
    return response


async def show_ways_to_confirm(request: web.Request) -> web.Response:
    """Answer with the methods by which the current player can confirm the session."""
    server = server_of(request)
    player = await require_player(request)
    linked = await server.sign_in.oidc_subjects.provider_of(player.id) is not None
    ways = WaysToConfirm(
        password=await server.sign_in.accounts.has_password(player.id),
        passkey=bool(await server.sign_in.passkeys.credentials(player.id)),
        provider=server.settings.oidc_name if linked else None,
    )
    return json_response(ways)


async def confirm_password(request: web.Request) -> web.Response:
    """Confirm the session of the current player with the password."""
    player = await require_player(request)
    entered = await read_body(request, ConfirmPassword)
    request[TURN].give_back()
    await server_of(request).sign_in.accounts.confirm_password(player, current_session(request) or "", entered.password)
    return await who_am_i(request)


async def sign_out(request: web.Request) -> web.Response:
    """End the current session."""
    await end_current_session(request)
    response = json_response(SessionBody(player=None))
    delete_session_cookie(request, response)
    return response


async def sign_out_everywhere(request: web.Request) -> web.Response:
    """End every session of the current player, including this one."""
    player = await require_player(request)
    _close_connections(request, await server_of(request).sign_in.accounts.sign_out_everywhere(player))
    return await sign_out(request)


async def claim_name(request: web.Request) -> web.StreamResponse:
    """Create an account: give the current player, a guest, or a new player a name and a password.

    The earlier sessions end, and a new one begins.
    """
    server = server_of(request)
    player = await current_player(request)
    wanted = await read_body(request, NewAccount)
    charge_creation(request, server.limits.account)
    request[TURN].give_back()
    accounts, origin = server.sign_in.accounts, await _origin(request)
    if player is not None and not player.guest:  # a repeated request, or refused
        session = await accounts.claim_name(player, wanted.name, wanted.password, origin)
    else:
        async with server.admin.entry.admitting(wanted.invitation):
            session = await accounts.claim_name(player, wanted.name, wanted.password, origin)
    return await replace_session(request, session)


async def regain_access(request: web.Request) -> web.StreamResponse:
    """Set a new password with the code from the link of a host. The earlier sessions end, and a new one begins."""
    server = server_of(request)
    wanted = await read_body(request, RegainAccess)
    server.limits.sign_in.take(client_address(request))
    request[TURN].give_back()
    return await replace_session(request, await server.sign_in.accounts.regain_access(wanted.code, wanted.password))


async def recover_account(request: web.Request) -> web.StreamResponse:
    """Set a new password with a recovery code. The earlier sessions end, and a new one begins."""
    wanted = await read_body(request, RecoverAccount)
    request[TURN].give_back()
    origin = await _origin(request)
    session = await server_of(request).sign_in.accounts.recover(wanted.name, wanted.code, wanted.password, origin)
    return await replace_session(request, session)


async def count_recovery_codes(request: web.Request) -> web.Response:
    """Answer with how many recovery codes the current player has left."""
    left = await server_of(request).sign_in.recovery_codes.left((await require_player(request)).id)
    return json_response(RecoveryCodesLeft(left=left.unused, made_at=left.made_at))


async def renew_recovery_codes(request: web.Request) -> web.Response:
    """Create new recovery codes for the current player."""
    codes = await server_of(request).sign_in.recovery_codes.renew(await require_player(request))
    return json_response(RecoveryCodesBody(codes=list(codes)))


async def change_password(request: web.Request) -> web.StreamResponse:
    """Change the password of the current player. The earlier sessions end, and a new one begins."""
    player = await require_player(request)
    wanted = await read_body(request, NewPassword)
    request[TURN].give_back()
    return await replace_session(
        request, await server_of(request).sign_in.accounts.change_password(player, wanted.old, wanted.new)
    )


async def list_bots(request: web.Request) -> web.Response:
    """Answer with the bots of the current player."""
    return json_response(Bots(bots=await server_of(request).sign_in.accounts.bots(await require_player(request))))


async def retire_bot(request: web.Request) -> web.Response:
    """Retire a bot of the current player."""
    player = await require_player(request)
    _close_connections(request, await server_of(request).sign_in.accounts.retire_bot(player, request.match_info["id"]))
    return await list_bots(request)


async def make_bot(request: web.Request) -> web.Response:
    """Create a bot of the current player, and open a session for the bot."""
    server = server_of(request)
    player = await require_player(request)
    wanted = await read_body(request, NewBot)
    server.limits.deal.take(asker(request, player))
    session = await server.sign_in.accounts.create_bot(player, wanted.name, id_to_create(request, player))
    return json_response(SignedIn(player=session.player, token=session.token))


async def end_current_session(request: web.Request) -> None:
    """End the session that came with the request, if one did."""
    token = session_token(request)
    if token is not None:
        await server_of(request).sign_in.accounts.sign_out(token)
        _close_connections(request, [session_id(token)])


def _close_connections(request: web.Request, sessions: Iterable[str]) -> None:
    for session in sessions:
        server_of(request).sessions.end_session(session)


async def replace_session(request: web.Request, session: Session) -> web.StreamResponse:
    """Send a new session, then close the connections of the ended ones, because their clients reconnect at once.

    They are also closed if the client has disconnected. Personal tokens end with the sessions.
    """
    server_of(request).players.forget(session.player.id)  # the name may have changed
    response = session_response(request, session)
    try:
        await response.prepare(request)
        await response.write_eof()
    finally:
        _close_connections(request, session.ended)
    return response


def session_response(request: web.Request, session: Session) -> web.Response:
    """Return the answer with a new session, and its cookies."""
    codes = list(session.recovery_codes)
    response = json_response(AccountMade(player=session.player, token=session.token, recovery_codes=codes))
    set_cookie(request, response, SESSION_COOKIE, session.token)
    if session.mark is not None:
        set_cookie(request, response, DEVICE_COOKIE, add_device_mark(read_cookie(request, DEVICE_COOKIE), session.mark))
    return response


async def _origin(request: web.Request) -> Origin:
    player = None
    with suppress(InvalidToken, Suspended):  # signing in needs no session
        player = await current_player(request)
    marks = read_marks(read_cookie(request, DEVICE_COOKIE))
    return Origin(client_address(request), marks, player.id if player else None)


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
