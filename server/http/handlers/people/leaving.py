"""HTTP handlers: taking everything along that the server has about a player, and erasing a player."""

import asyncio
from collections.abc import Sequence

from aiohttp import web

from cadogan.server.core.errors import Conflict, RateLimited, SpoilerEmbargo, TooMany
from cadogan.server.http.app_keys import (
    ACCOUNTS,
    CLOCK,
    ERASURE,
    GROUPS,
    HISTORIES,
    HISTORIES_AT_ONCE,
    OWN_DATA,
    PLAYERS,
    ROLES,
    SESSIONS,
)
from cadogan.server.http.cookies import delete_device_cookie, delete_session_cookie
from cadogan.server.http.handlers.people.groups import group_body
from cadogan.server.http.history_response import Parts, charge_of, send_parts
from cadogan.server.http.requests import asker, json_response, read_body, require_player
from cadogan.server.play.histories import TAIL, History
from cadogan.server.play.history_bodies import Charge
from cadogan.wire.account import OwnData
from cadogan.wire.bodies import Session
from cadogan.wire.codec import encode
from cadogan.wire.house import Erase
from cadogan.wire.values import Player

BUSY_SECONDS = 1.0
"""After so long a record is asked for again, where the server did not say when."""


async def download_own_data(request: web.Request) -> web.StreamResponse:
    """Answer with everything that is kept about the current player, no faster than histories may be read."""
    player = await require_player(request)
    if player.bot:
        raise Conflict("A bot has no data of its own: its owner can ask for everything.")
    charge = await charge_of(request)
    with request.app[HISTORIES_AT_ONCE].one(asker(request, player)):
        return await send_parts(request, "application/json", _own_data(request, player, charge))


async def erase_account(request: web.Request) -> web.StreamResponse:
    """Erase the current player."""
    player = await require_player(request)
    ended = await request.app[ERASURE].erase(player.id, player.id, "request")
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
    """Erase the player whom the address names."""
    why = await read_body(request, Erase)
    by, player = (await require_player(request)).id, request.match_info["id"]
    _forget(request, player, await request.app[ERASURE].erase(by, player, why.reason))
    return json_response(await request.app[PLAYERS].player(player))


def _forget(request: web.Request, player: str, ended: Sequence[str]) -> None:
    """Close what is open in these sessions, and show the player by no name any more."""
    request.app[PLAYERS].forget(player)
    for session in ended:
        request.app[SESSIONS].end_session(session)


async def _own_data(request: web.Request, player: Player, charge: Charge) -> Parts:
    """Yield a body of `OwnData`, the records one after another."""
    groups, players, accounts = request.app[GROUPS], request.app[PLAYERS], request.app[ACCOUNTS]
    known = await players.players(friends := await groups.friends(player.id))
    standing = await request.app[ROLES].standing(player.id)
    empty = OwnData(
        format="cadogan player 1",
        at=request.app[CLOCK](),
        player=player,
        role=None if standing.role == "player" else standing.role,
        friends=[known[friend] for friend in friends],
        groups=[await group_body(request, group) for group in await groups.groups_of(player.id)],
        bots=await accounts.bots(player),
        tables=await request.app[OWN_DATA].rows(player.id),
        records=[],
    )
    yield encode(empty).removesuffix(TAIL)
    separator, after = b"", ""
    while page := await request.app[OWN_DATA].finished_games(player.id, after):
        for game_id in page:
            record = await _record(request, game_id, charge)
            if record is not None:
                yield separator + b"".join(record.chunks)
                separator = b","
        after = page[-1]
    yield TAIL


async def _record(request: web.Request, game_id: str, charge: Charge) -> History | None:
    """Return the record of a game as soon as the asker may have so much; None while it is secret."""
    while True:
        try:
            return await request.app[HISTORIES].record(game_id, charge)
        except (RateLimited, TooMany) as refusal:
            await asyncio.sleep(refusal.retry_after or BUSY_SECONDS)
        except (Conflict, SpoilerEmbargo):
            return None
