"""Handlers: a puzzle with its board, tries at it, giving it up, and its solution."""

from aiohttp import web

from cadogan.server.core import dates
from cadogan.server.core.errors import NotFound
from cadogan.server.core.games.game_messages import game_card
from cadogan.server.core.ranking import ranks
from cadogan.server.core.web.long_answers import charge_of
from cadogan.server.core.web.requests import (
    asker,
    current_player,
    id_to_create,
    json_response,
    require_player,
    server_of,
)
from cadogan.server.subjects.puzzles.puzzle_state import Puzzle
from cadogan.server.subjects.puzzles.puzzles import OPEN_DAYS
from cadogan.wire import puzzles as wire
from cadogan.wire.bodies import Game
from cadogan.wire.values import Origin, Player

TODAY = "today"
MAX_LINES = 100
"""Lines of the board that are shown."""


async def list_puzzles(request: web.Request) -> web.Response:
    """Answer with the days whose puzzles are open."""
    return json_response(wire.PuzzleDays(days=await _open_days(request)))


async def show_puzzle(request: web.Request) -> web.Response:
    """Answer with the puzzle of a day, or the latest one."""
    player, puzzles = await current_player(request), server_of(request).puzzles
    puzzle = await puzzles.find(await _day(request))
    if player is not None:
        puzzle = await puzzles.settle_try(player.id, puzzle)
    return json_response(await _show(request, puzzle, player))


async def try_puzzle(request: web.Request) -> web.Response:
    """Answer with a try of the current player, begun if necessary."""
    player, server, day = await require_player(request), server_of(request), await _day(request)
    server.limits.deal.take(asker(request, player))
    charge, new_id = await charge_of(request), id_to_create(request, player)
    game = await server.puzzles.begin_try(player.id, day, charge, new_id)
    return json_response(Game(game=game_card(game, player)))


async def give_puzzle_up(request: web.Request) -> web.Response:
    """Give a puzzle up, and answer with it."""
    player = await require_player(request)
    puzzle = await server_of(request).puzzles.give_up(player.id, await _day(request))
    return json_response(await _show(request, puzzle, player))


async def show_puzzle_way(request: web.Request) -> web.Response:
    """Answer with the winning line, if the player may see it."""
    player, charge = await current_player(request), await charge_of(request)
    way = await server_of(request).puzzles.winning_line(player.id if player else None, await _day(request), charge)
    return json_response(way)


async def _day(request: web.Request) -> str:
    """Return the day of the address. Raises NotFound for `today` if no puzzle is open."""
    day = request.match_info["day"]
    if day != TODAY:
        return day
    for known in await _open_days(request):
        return known
    raise NotFound("There is no puzzle now. It takes a lost game that could still have been won.")


async def _open_days(request: web.Request) -> list[str]:
    server = server_of(request)
    today = dates.day_of(server.now())
    days = [dates.add_days(today, -back) for back in range(OPEN_DAYS)]
    return [day for day in days if await server.puzzles.is_set(day)]


async def _show(request: web.Request, puzzle: Puzzle, player: Player | None) -> wire.Puzzle:
    assert puzzle.set is not None
    solved = puzzle.board()
    shown = solved[:MAX_LINES]
    names = await server_of(request).players.players(one.player for one in shown)
    lines = zip(ranks([one.key for one in shown]), shown, strict=True)
    origin = Origin(game=puzzle.set.game, version=puzzle.set.version)
    return wire.Puzzle(
        day=puzzle.id,
        rules=puzzle.set.rules,
        state="closed" if puzzle.is_closed else "open",
        closes_at=puzzle.set.closes_at,
        moves=puzzle.set.moves,
        line=len(puzzle.set.line),
        tried=len(puzzle.tries),
        solved=len(solved),
        board=[
            wire.PuzzleLine(rank=rank, player=names[one.player], tries=one.tries, moves=one.moves)
            for rank, one in lines
        ],
        days=await _open_days(request),
        your=None if player is None else _own(puzzle, player.id),
        origin=origin if puzzle.may_see_solution(player.id if player else None) else None,
    )


def _own(puzzle: Puzzle, player: str) -> wire.OwnTries:
    pending = puzzle.pending(player)
    return wire.OwnTries(
        tries=len(puzzle.tries.get(player, ())),
        solved=player in puzzle.solved,
        given_up=player in puzzle.given_up,
        game=pending.game if pending else None,
    )
