"""HTTP handler: all games with a picture of the table, duration, difficulty, and rate of wins on this server."""

from functools import cache
from math import ceil

from aiohttp import web
from msgspec.structs import asdict, replace

from cadogan.engine import Game, game
from cadogan.engine.difficulty.published import level_of
from cadogan.engine.pictures import draw_picture, sample_position
from cadogan.server.http.app_keys import server_of
from cadogan.server.http.handlers.rules import requested_language, rules_in
from cadogan.server.http.requests import json_response
from cadogan.server.leaderboards.game_tallies import GameTally
from cadogan.wire.shelf import Picture, Shelf, ShelfGame

MIN_TIMED_GAMES = 5
"""Minimum number of finished games for showing their measured duration instead of an estimate."""
SECONDS_PER_MOVE = 4
"""Seconds per move in an estimate of the duration."""
LOOKS = ("place", "up", "down")


async def show_shelf(request: web.Request) -> web.Response:
    """Answer with all games, with names in the requested language."""
    language, tallies = requested_language(request, "show_shelf"), await server_of(request).game_tallies.all()
    cards = rules_in(language).rules
    return json_response(
        Shelf(games=[_shelf_game(card.slug, language, tallies.get(card.slug, GameTally())) for card in cards])
    )


def estimate_minutes(rules: Game) -> int:
    """Return the estimated minutes of a whole game: one move for each card not home, and one for each deal.

    >>> estimate_minutes(game("klondike"))
    6
    """
    state = sample_position(rules)
    stock = sum(group.size(state) for group in rules.declaration.groups if group.role == "stock")
    moves = len(rules.declaration.pack) - rules.home(state) + stock
    return max(1, ceil(moves * SECONDS_PER_MOVE / 60))


def _shelf_game(slug: str, language: str, tally: GameTally) -> ShelfGame:
    shown = replace(_unplayed(slug, language), played=tally.played, won=tally.won)
    if tally.timed < MIN_TIMED_GAMES:
        return shown
    return replace(shown, minutes=max(1, round(tally.milliseconds / 60_000)), measured=True)


@cache
def _unplayed(slug: str, language: str) -> ShelfGame:
    """Return the entry of a game that nobody has played on this server yet."""
    rules, picture = game(slug), draw_picture(game(slug))
    (card,) = (card for card in rules_in(language).rules if card.slug == slug)
    return ShelfGame(
        **asdict(card),
        level=level_of(rules.slug),
        also_known_as=list(rules.declaration.also_known_as),
        picture=Picture(
            width=picture.width,
            height=picture.height,
            drawn=[[one.x, one.y, one.turn, LOOKS.index(one.look)] for one in picture.drawn],
        ),
        minutes=estimate_minutes(rules),
        measured=False,
        played=0,
        won=0,
    )
