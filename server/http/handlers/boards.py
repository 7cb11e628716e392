"""HTTP: the boards, for everybody, around somebody, or among friends and groups."""

from collections.abc import Sequence

from aiohttp import web

from clients.wire.boards import Board
from clients.wire.values import BoardEntry, Player
from server.http.app_keys import BOARDS, GROUPS, PLAYERS
from server.http.requests import answer, asker, number, signed_in, words
from server.leaderboards.live import board_entry
from server.leaderboards.names import BOTS_PREFIX, check_board
from server.leaderboards.queries import RankedTotal

_SHOW = "show_board"
ME = "me"


async def show_board(request: web.Request) -> web.Response:
    """A stretch of a board."""
    board = check_board(request.match_info["board"])
    if number(request, _SHOW, "bots") and not board.startswith(BOTS_PREFIX):
        board = BOTS_PREFIX + board
    player = await asker(request)
    limit, offset = number(request, _SHOW, "limit"), number(request, _SHOW, "offset")
    around, among = words(request, _SHOW, "around"), words(request, _SHOW, "among")
    if among:
        return await _among(request, board, await _company(request, among), around, offset, limit)
    boards = request.app[BOARDS]
    you = await boards.ranked(board, [player.id]) if player else []
    if around:
        offset = _before(you if around == ME else await boards.ranked(board, [around]), offset, limit)
    total, shown = await boards.page(board, offset, limit)
    return await _answer(request, board, total, offset, shown, you)


async def _among(
    request: web.Request, board: str, players: Sequence[str], around: str | None, offset: int, limit: int
) -> web.Response:
    everybody = await request.app[BOARDS].ranked_among(board, players)
    player = await signed_in(request)
    if around:
        centre = player.id if around == ME else around
        offset = _before([row for row in everybody if row.player == centre], offset, limit)
    you = [row for row in everybody if row.player == player.id]
    return await _answer(request, board, len(everybody), offset, everybody[offset : offset + limit], you)


async def _company(request: web.Request, among: str) -> list[str]:
    """The asker and friends, or the members of a group that the asker is in. Raises Unauthorized or NotFound."""
    player = await signed_in(request)
    kind, _, group = among.partition(":")
    groups = request.app[GROUPS]
    return await groups.members(player.id, group) if kind == "group" else [player.id, *await groups.friends(player.id)]


def _before(found: Sequence[RankedTotal], offset: int, limit: int) -> int:
    """How many places to pass over so that the one found stands in the middle; if there is none, as many as asked."""
    return max(0, found[0].position - 1 - limit // 2) if found else offset


async def _answer(
    request: web.Request, board: str, total: int, offset: int, shown: Sequence[RankedTotal], you: Sequence[RankedTotal]
) -> web.Response:
    players: dict[str, Player] = await request.app[PLAYERS].players(row.player for row in (*shown, *you))
    entries: list[BoardEntry] = [board_entry(row, players[row.player]) for row in shown]
    own = next((board_entry(row, players[row.player]) for row in you), None)
    return answer(Board(board=board, total=total, offset=offset, entries=entries, you=own))
