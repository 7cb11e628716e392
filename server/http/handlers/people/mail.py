"""HTTP handlers: a player's mail address, password recovery, and the weekly digest."""

from aiohttp import web

from cadogan.server.http.app_keys import TURN, server_of
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
    """Answer with the mail address of the current player."""
    return await _address(request, await current_player(request))


async def set_mail_address(request: web.Request) -> web.Response:
    """Set the mail address of the current player."""
    player = await require_player(request)
    wanted = await read_body(request, wire.NewMailAddress)
    request[TURN].give_back()  # the SMTP server may be slow
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
    wanted = await read_body(request, wire.ConfirmMailAddress)
    server.limits.sign_in.take(client_address(request))
    await server.sign_in.mail_recovery.confirm(wanted.code)
    return json_response(wire.MailAddress(offered=server.sign_in.mail_recovery.offered, confirmed=True))


async def set_mail_digest(request: web.Request) -> web.Response:
    """Subscribe the current player to digests, or unsubscribe."""
    player = await require_player(request)
    wanted = await read_body(request, wire.MailDigest)
    await server_of(request).news.digest_readers.switch(player.id, wanted.on, wanted.language)
    return await _address(request, player)


async def end_mail_digest(request: web.Request) -> web.Response:
    """Unsubscribe the reader of a digest by the code in it."""
    wanted = await read_body(request, wire.EndMailDigest)
    await server_of(request).news.digest_readers.end(wanted.code)
    return await _address(request, None)


async def end_digest_by_program(request: web.Request) -> web.Response:
    """Unsubscribe by one click in a mail program (RFC 8058)."""
    await server_of(request).news.digest_readers.end(request.match_info["code"])
    return web.Response(status=204)


async def recover_by_mail(request: web.Request) -> web.Response:
    """Send a mail with a link for a new password."""
    server = server_of(request)
    wanted = await read_body(request, wire.MailRecovery)
    server.limits.sign_in.take(client_address(request))
    server.sign_in.mail_recovery.send_links(wanted.address, server_origin(request))
    return json_response(wire.MailAddress(offered=True))


async def _address(request: web.Request, player: Player | None) -> web.Response:
    server = server_of(request)
    recovery, readers = server.sign_in.mail_recovery, server.news.digest_readers
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
