"""HTTP handlers: the address of a player for mails, a forgotten password, and the digest of the week."""

from aiohttp import web

from cadogan.server.http.app_keys import DIGEST_READERS, MAIL_RECOVERY, SIGN_IN_LIMIT, TURN
from cadogan.server.http.requests import (
    client_address,
    current_player,
    json_response,
    read_body,
    require_player,
    server_origin,
)
from cadogan.wire import mail as wire
from cadogan.wire.values import Player


async def show_mail_address(request: web.Request) -> web.Response:
    """Answer with the address of the current player."""
    return await _address(request, await current_player(request))


async def set_mail_address(request: web.Request) -> web.Response:
    """Set the address of the current player."""
    player = await require_player(request)
    wanted = await read_body(request, wire.NewMailAddress)
    request[TURN].give_back()  # the SMTP server may take its time
    network = client_address(request)
    await request.app[MAIL_RECOVERY].set_address(
        player, wanted.address, wanted.language, server_origin(request), network
    )
    return await _address(request, player)


async def remove_mail_address(request: web.Request) -> web.Response:
    """Forget the address of the current player."""
    player = await require_player(request)
    await request.app[MAIL_RECOVERY].remove(player.id)
    return await _address(request, player)


async def confirm_mail_address(request: web.Request) -> web.Response:
    """Confirm the address that a mail was sent to."""
    wanted = await read_body(request, wire.ConfirmMailAddress)
    request.app[SIGN_IN_LIMIT].take(client_address(request))
    await request.app[MAIL_RECOVERY].confirm(wanted.code)
    return json_response(wire.MailAddress(offered=request.app[MAIL_RECOVERY].offered, confirmed=True))


async def set_mail_digest(request: web.Request) -> web.Response:
    """Have the current player sent digests, or no more."""
    player = await require_player(request)
    wanted = await read_body(request, wire.MailDigest)
    await request.app[DIGEST_READERS].switch(player.id, wanted.on, wanted.language)
    return await _address(request, player)


async def end_mail_digest(request: web.Request) -> web.Response:
    """Have whoever got a digest with this code sent no more."""
    wanted = await read_body(request, wire.EndMailDigest)
    await request.app[DIGEST_READERS].end(wanted.code)
    return await _address(request, None)


async def end_digest_by_program(request: web.Request) -> web.Response:
    """The same, as mail programs ask for it with one click of their reader (RFC 8058)."""
    await request.app[DIGEST_READERS].end(request.match_info["code"])
    return web.Response(status=204)


async def recover_by_mail(request: web.Request) -> web.Response:
    """Have a link sent for a new password."""
    wanted = await read_body(request, wire.MailRecovery)
    request.app[SIGN_IN_LIMIT].take(client_address(request))
    request.app[MAIL_RECOVERY].send_links(wanted.address, server_origin(request))
    return json_response(wire.MailAddress(offered=True))


async def _address(request: web.Request, player: Player | None) -> web.Response:
    recovery, readers = request.app[MAIL_RECOVERY], request.app[DIGEST_READERS]
    own = await recovery.address_of(player.id) if player else None
    if player is None or own is None:
        return json_response(wire.MailAddress(offered=recovery.offered, digest_offered=readers.offered))
    shown = wire.MailAddress(
        offered=recovery.offered,
        address=own.address,
        confirmed=own.confirmed,
        digest=await readers.is_reader(player.id),
        digest_offered=readers.offered,
    )
    return json_response(shown)
