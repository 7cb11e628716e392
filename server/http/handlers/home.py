"""HTTP: what the first page shows, in one answer, because each further request costs a slow line most of a second."""

from functools import cache

import msgspec
from aiohttp import web

from cadogan.engine import game
from cadogan.engine.layout import layout_as_dict
from cadogan.engine.pictures import sample_position
from cadogan.server.competitions.daily.challenges import DAYS_AHEAD
from cadogan.server.competitions.daily.daily_challenge import DailyChallenge
from cadogan.server.core import dates
from cadogan.server.core.errors import RateLimited
from cadogan.server.http.app_keys import (
    CHALLENGES,
    CLOCK,
    HISTORIES,
    HOUSE_PROFILE,
    LIVE_RACES,
    RACE_COMMANDS,
    UNFINISHED_GAMES,
)
from cadogan.server.http.handlers.dailies import show_days, show_with_streak
from cadogan.server.http.handlers.rules import requested_language, rules_in
from cadogan.server.http.history_response import reader_of
from cadogan.server.http.requests import current_player, json_response
from cadogan.wire.bodies import Layout, UnfinishedGame
from cadogan.wire.home import Home, SampleTable
from cadogan.wire.values import Player

SAMPLE_GAME = "klondike"
"""The game whose table somebody sees who is new here: the one that most people know."""


async def show_home(request: web.Request) -> web.Response:
    """Answer with today's card, the coming days, the games and races that are on, and all rules by name."""
    now, player = request.app[CLOCK](), await current_player(request)
    days, left_out = await request.app[CHALLENGES].list_readable(now, most=DAYS_AHEAD + 2)
    today = next((daily for daily in days if daily.day == dates.day_of(now)), None)
    coming = [daily for daily in days if now < daily.span.opens_at]
    races = await request.app[RACE_COMMANDS].listed()
    return json_response(
        Home(
            rules=rules_in(requested_language(request, "show_home")).rules,
            live=await request.app[HISTORIES].live_games(),
            coming=await show_days(request, sorted(coming, key=_opens_at), now),
            races=await request.app[LIVE_RACES].show_all(races),
            today=await show_with_streak(request, today, now) if today else None,
            today_away=dates.day_of(now) in left_out,
            unfinished=await _unfinished_games(request, player),
            sample=None if player else _sample_table(),
            welcome=(await request.app[HOUSE_PROFILE].current()).shown.welcome_html,
        )
    )


async def _unfinished_games(request: web.Request, player: Player | None) -> list[UnfinishedGame]:
    """Return the games that the player can go on with; none where too much would have to be read for it now."""
    if player is None:
        return []
    try:
        return await request.app[UNFINISHED_GAMES].of(player.id, reader_of(request, player))
    except RateLimited:
        return []


@cache
def _sample_table() -> SampleTable:
    rules = game(SAMPLE_GAME)
    layout = msgspec.convert(layout_as_dict(rules.layout), Layout)
    return SampleTable(rules=rules.slug, layout=layout, piles=rules.view(sample_position(rules)))


def _opens_at(daily: DailyChallenge) -> int:
    return daily.span.opens_at
