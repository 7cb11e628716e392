"""HTTP: who one is. Sessions come as a cookie, which scripts cannot read, and in the body for programs."""

from aiohttp import web

from clients.wire.boards import NewBot
from clients.wire.bodies import Claimed, Credentials, SignedIn
from clients.wire.bodies import Session as SessionBody
from server.accounts import LIFETIME, Session
from server.keys import ACCOUNTS, DEAL_LIMIT, PASSWORD_LIMIT, SETTINGS
from server.requests import COOKIE, address, answer, asker, read_body, signed_in, token_of


async def begin_as_guest(request: web.Request) -> web.Response:
    """A new guest, and their session."""
    request.app[DEAL_LIMIT].take(address(request))
    return _begun(request, await request.app[ACCOUNTS].guest())


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


async def claim_name(request: web.Request) -> web.Response:
    """Make the guest who asks a player with a name."""
    player = await signed_in(request)
    credentials = await read_body(request, Credentials)
    request.app[PASSWORD_LIMIT].take(address(request))
    return answer(Claimed(player=await request.app[ACCOUNTS].claim(player, credentials.name, credentials.password)))


async def make_bot(request: web.Request) -> web.Response:
    """A new bot of the asker's, and the session it plays with; the asker's own goes on."""
    player = await signed_in(request)
    wanted = await read_body(request, NewBot)
    request.app[DEAL_LIMIT].take(player.id)
    session = await request.app[ACCOUNTS].bot(player, wanted.name)
    return answer(SignedIn(player=session.player, token=session.token))


async def _end(request: web.Request) -> None:
    token = token_of(request)
    if token is not None:
        await request.app[ACCOUNTS].sign_out(token)


def _begun(request: web.Request, session: Session) -> web.Response:
    response = answer(SignedIn(player=session.player, token=session.token))
    response.set_cookie(
        COOKIE,
        session.token,
        max_age=LIFETIME,
        path="/",
        httponly=True,
        samesite="Lax",
        secure=request.app[SETTINGS].secure_cookies,
    )
    return response
