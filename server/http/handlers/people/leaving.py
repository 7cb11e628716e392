"""HTTP handlers: exporting all data about a player, and erasing a player."""

import asyncio
from collections.abc import Sequence

from aiohttp import web

from cadogan.server.core.errors import Conflict, RateLimited, SpoilerEmbargo, TooMany
from cadogan.server.http.app_keys import server_of
from cadogan.server.http.cookies import delete_device_cookie, delete_session_cookie
from cadogan.server.http.handlers.people.groups import group_body
from cadogan.server.http.history_response import Parts, charge_of, send_parts
from cadogan.server.http.requests import asker, json_response, read_body, require_player
from cadogan.server.play.history_bodies import TAIL, Charge, History
from cadogan.wire.account import OwnData
from cadogan.wire.bodies import Session
from cadogan.wire.codec import encode
from cadogan.wire.house import Erase
from cadogan.wire.values import Player

BUSY_SECONDS = 1.0
"""Seconds until a refused record is retried, if the refusal has no `retry_after`."""


async def download_own_data(request: web.Request) -> web.StreamResponse:
    """Answer with all stored data about the current player, at the rate limit of histories."""
    player = await require_player(request)
    if player.bot:
        raise Conflict("A bot has no data of its own: its owner can ask for everything.")
    charge = await charge_of(request)
    with server_of(request).limits.histories_at_once.one(asker(request, player)):
        return await send_parts(request, "application/json", _own_data(request, player, charge))


async def erase_account(request: web.Request) -> web.StreamResponse:
    """Erase the current player."""
    player = await require_player(request)
    ended = await server_of(request).house.erasure.erase(player.id, player.id, "request")
    response = json_response(Session(player=None))
    delete_session_cookie(request, response)
    delete_device_cookie(request, response)
    try:
        await response.prepare(request)
        await response.write_eof()
    finally:
        _forget(request, player.id, ended)
    return response


async def erase_player(request: web.Request) -> web.Response:
    """Erase the player in the path."""
    server = server_of(request)
    why = await read_body(request, Erase)
    by, player = (await require_player(request)).id, request.match_info["id"]
    _forget(request, player, await server.house.erasure.erase(by, player, why.reason))
    return json_response(await server.players.player(player))


def _forget(request: web.Request, player: str, ended: Sequence[str]) -> None:
    """Close the connections of these sessions, and remove the player's cached name."""
    server = server_of(request)
    server.players.forget(player)
    for session in ended:
        server.sessions.end_session(session)


async def _own_data(request: web.Request, player: Player, charge: Charge) -> Parts:
    """Yield a body of `OwnData`, the records one after another."""
    server = server_of(request)
    groups, players, accounts = (
        server.groups,
        server.players,
        server.sign_in.accounts,
    )
    known = await players.players(friends := await groups.friends(player.id))
    standing = await server.house.roles.standing(player.id)
    empty = OwnData(
        format="cadogan player 1",
        at=server.now(),
        player=player,
        role=None if standing.role == "player" else standing.role,
        friends=[known[friend] for friend in friends],
        groups=[await group_body(request, group) for group in await groups.groups_of(player.id)],
        bots=await accounts.bots(player),
        tables=await server.own_data.rows(player.id),
        records=[],
    )
    yield encode(empty).removesuffix(TAIL)
    separator, after = b"", ""
    while page := await server.own_data.finished_games(player.id, after):
        for game_id in page:
            record = await _record(request, game_id, charge)
            if record is not None:
                yield separator + b"".join(record.chunks)
                separator = b","
        after = page[-1]
    yield TAIL


async def _record(request: web.Request, game_id: str, charge: Charge) -> History | None:
    """Return the record of a game once the rate limit allows it; None while it is secret."""
    while True:
        try:
            return await server_of(request).histories.record(game_id, charge)
        except (RateLimited, TooMany) as refusal:
            await asyncio.sleep(refusal.retry_after or BUSY_SECONDS)
        except (Conflict, SpoilerEmbargo):
            return None
