"""HTTP: who one is. Sessions come as a cookie, which scripts cannot read, and in the body for programs."""

from collections.abc import Iterable

from aiohttp import web

from clients.wire.boards import Bots, NewBot
from clients.wire.bodies import Claimed, Credentials, NewPassword, SignedIn
from clients.wire.bodies import Session as SessionBody
from server.http.app_keys import ACCOUNTS, DEAL_LIMIT, PASSWORD_LIMIT, SESSIONS, SETTINGS
from server.http.requests import COOKIE, address, answer, asker, read_body, session_asking, signed_in, token_of
from server.players.accounts import SESSION_LIFETIME_SECONDS, Session, session_id


async def begin_as_guest(request: web.Request) -> web.Response:
    """A new guest, and their session."""
    request.app[DEAL_LIMIT].take(address(request))
    return _begun(request, await request.app[ACCOUNTS].create_guest())


async def sign_in(request: web.Request) -> web.Response:
    """A session by name and password; the one there was before ends."""
    credentials = await read_body(request, Credentials)
    request.app[PASSWORD_LIMIT].take(address(request))
    session = await request.app[ACCOUNTS].sign_in(credentials.name, credentials.password)
    await _end(request)
    return _begun(request, session)


async def who_am_i(request: web.Request) -> web.Response:
    """Who asks."""
    return answer(SessionBody(player=await asker(request)))


async def sign_out(request: web.Request) -> web.Response:
    """End the session."""
    await _end(request)
    response = answer(SessionBody(player=None))
    response.del_cookie(COOKIE, path="/", secure=request.app[SETTINGS].secure_cookies, httponly=True, samesite="Lax")
    return response


async def sign_out_everywhere(request: web.Request) -> web.Response:
    """End every session of who asks, this one too."""
    _over(request, await request.app[ACCOUNTS].sign_out_everywhere(await signed_in(request)))
    return await sign_out(request)


async def claim_name(request: web.Request) -> web.Response:
    """Make the guest who asks a player with a name."""
    player = await signed_in(request)
    credentials = await read_body(request, Credentials)
    request.app[PASSWORD_LIMIT].take(address(request))
    return answer(
        Claimed(player=await request.app[ACCOUNTS].claim_name(player, credentials.name, credentials.password))
    )


async def change_password(request: web.Request) -> web.Response:
    """Another password for who asks; the session in which that is asked goes on, others end."""
    player = await signed_in(request)
    wanted = await read_body(request, NewPassword)
    request.app[PASSWORD_LIMIT].take(address(request))
    session = session_asking(request)
    _over(request, await request.app[ACCOUNTS].change_password(player, wanted.old, wanted.new, session))
    return answer(SessionBody(player=player))


async def list_bots(request: web.Request) -> web.Response:
    """The asker's bots."""
    return answer(Bots(bots=await request.app[ACCOUNTS].bots(await signed_in(request))))


async def retire_bot(request: web.Request) -> web.Response:
    """Retire a bot of the asker's."""
    player = await signed_in(request)
    _over(request, await request.app[ACCOUNTS].retire_bot(player, request.match_info["id"]))
    return await list_bots(request)


async def make_bot(request: web.Request) -> web.Response:
    """A new bot of the asker's, and the session it plays with; the asker's own goes on."""
    player = await signed_in(request)
    wanted = await read_body(request, NewBot)
    request.app[DEAL_LIMIT].take(player.id)
    session = await request.app[ACCOUNTS].create_bot(player, wanted.name)
    return answer(SignedIn(player=session.player, token=session.token))


async def _end(request: web.Request) -> None:
    token = token_of(request)
    if token is not None:
        await request.app[ACCOUNTS].sign_out(token)
        _over(request, [session_id(token)])


def _over(request: web.Request, sessions: Iterable[str]) -> None:
    for session in sessions:
        request.app[SESSIONS].end_session(session)


def _begun(request: web.Request, session: Session) -> web.Response:
    response = answer(SignedIn(player=session.player, token=session.token))
    response.set_cookie(
        COOKIE,
        session.token,
        max_age=SESSION_LIFETIME_SECONDS,
        path="/",
        httponly=True,
        samesite="Lax",
        secure=request.app[SETTINGS].secure_cookies,
    )
    return response
