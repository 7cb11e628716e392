"""HTTP handlers: leaderboards, from the top or around one player, among all players, friends or a group."""

from collections.abc import Sequence

import msgspec
from aiohttp import web

from cadogan.server.core.ranking import BOTS_PREFIX, check_board
from cadogan.server.core.web.requests import (
    current_player,
    int_parameter,
    json_response,
    require_player,
    server_of,
    text_parameter,
)
from cadogan.server.subjects.leaderboards.disqualified_runs import shown_strike
from cadogan.server.subjects.leaderboards.live import board_entry
from cadogan.server.subjects.leaderboards.queries import RankedTotal
from cadogan.wire.boards import Board
from cadogan.wire.values import BoardEntry, Player, StruckRun

_ENDPOINT = "show_board"
ME = "me"
"""In a query: the current player."""


async def show_board(request: web.Request) -> web.Response:
    """Answer with a page of a leaderboard, and with the row of the current player."""
    board = check_board(request.match_info["board"])
    if int_parameter(request, _ENDPOINT, "bots") and not board.startswith(BOTS_PREFIX):
        board = BOTS_PREFIX + board
    player = await current_player(request)
    limit, offset = int_parameter(request, _ENDPOINT, "limit"), int_parameter(request, _ENDPOINT, "offset")
    around, among = text_parameter(request, _ENDPOINT, "around"), text_parameter(request, _ENDPOINT, "among")
    if among:
        return await _show_among(request, board, await _players_among(request, among), around, offset, limit)
    boards = server_of(request).boards
    you = await boards.ranked(board, [player.id]) if player else []
    centre: Sequence[RankedTotal] = []
    if around:
        centre = you if around == ME else await boards.ranked(board, [around])
        offset = _offset_around(centre, offset, limit)
    total, shown = await boards.page(board, offset, limit)
    if centre and (last := max(0, total - limit)) < offset:
        total, shown = await boards.page(board, offset := last, limit)
    return await _board_response(request, board, total, offset, shown, you)


async def _show_among(
    request: web.Request, board: str, players: Sequence[str], around: str | None, offset: int, limit: int
) -> web.Response:
    everybody = await server_of(request).boards.ranked_among(board, players)
    player = await require_player(request)
    if around:
        centre = player.id if around == ME else around
        if found := [row for row in everybody if row.player == centre]:
            offset = min(_offset_around(found, offset, limit), max(0, len(everybody) - limit))
    you = [row for row in everybody if row.player == player.id]
    return await _board_response(request, board, len(everybody), offset, everybody[offset : offset + limit], you)


async def _players_among(request: web.Request, among: str) -> list[str]:
    """Return the ids of the current player and their friends, or of the members of a group that the player is in.

    `among` is ``friends`` or ``group:<id>``. Raises Unauthorized or NotFound.
    """
    player = await require_player(request)
    kind, _, group = among.partition(":")
    groups = server_of(request).groups
    return await groups.members(player.id, group) if kind == "group" else [player.id, *await groups.friends(player.id)]


def _offset_around(found: Sequence[RankedTotal], offset: int, limit: int) -> int:
    """Return the offset of the page whose middle row is the one found; `offset` if no row was found.

    The caller must limit the offset so that the last page is full.
    """
    return max(0, found[0].position - 1 - limit // 2) if found else offset


async def _board_response(
    request: web.Request, board: str, total: int, offset: int, shown: Sequence[RankedTotal], you: Sequence[RankedTotal]
) -> web.Response:
    server = server_of(request)
    off = await server.disqualified_runs.of_board(board)
    named = [row.player for row in (*shown, *you)] + [row.player for row in off]
    players: dict[str, Player] = await server.players.players(named)
    entries: list[BoardEntry] = [board_entry(row, players[row.player]) for row in shown]
    own = next((board_entry(row, players[row.player]) for row in you), None)
    disqualified = [
        StruckRun(game=row.game_id, player=players[row.player], **msgspec.structs.asdict(shown_strike(row)))
        for row in off
    ]
    return json_response(Board(board=board, total=total, offset=offset, entries=entries, you=own, struck=disqualified))
