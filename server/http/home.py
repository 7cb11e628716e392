"""HTTP handlers: the data of the home page in one answer, because each request is slow on a slow network."""

from functools import cache

import msgspec
from aiohttp import web

from cadogan.engine import game
from cadogan.engine.layout import layout_as_dict
from cadogan.engine.pictures import sample_position
from cadogan.server.core import dates
from cadogan.server.core.errors import RateLimited
from cadogan.server.core.web.long_answers import reader_of
from cadogan.server.core.web.requests import current_player, json_response, require_player, server_of
from cadogan.server.subjects.catalog import requested_language, rules_in
from cadogan.server.subjects.daily.challenges import DAYS_AHEAD
from cadogan.server.subjects.daily.daily_routes import show_days, show_with_streak
from cadogan.server.subjects.daily.days import DailyChallenge
from cadogan.wire.bodies import Layout, UnfinishedGame
from cadogan.wire.home import Home, SampleTable
from cadogan.wire.values import Player

SAMPLE_GAME = "klondike-draw-one"
"""The game whose table is shown to new visitors, and that they are offered: the best-known one."""


async def show_home(request: web.Request) -> web.Response:
    """Answer with today's deals, the coming days, live games and races, and the list of all games."""
    server = server_of(request)
    now, player = server.now(), await current_player(request)
    days, left_out = await server.challenges.list_readable(now, most=DAYS_AHEAD + 2)
    today = next((daily for daily in days if daily.day == dates.day_of(now)), None)
    coming = [daily for daily in days if now < daily.span.opens_at]
    races = await server.race_commands.listed()
    due = await server.evening_views.due(player)
    return json_response(
        Home(
            rules=rules_in(requested_language(request, "show_home")).rules,
            live=await server.histories.live_games(),
            coming=await show_days(request, sorted(coming, key=_opens_at), now),
            races=await server.live_races.show_all(races),
            today=await show_with_streak(request, today, now) if today else None,
            today_away=dates.day_of(now) in left_out,
            unfinished=await _unfinished_games(request, player),
            challenges=[*await server.matches.cards(due.matches)],
            evenings=[*await server.evening_views.cards(due.evenings)],
            sample=None if player else _sample_table(),
            welcome=(await server.admin.profile.current()).shown.welcome_html,
        )
    )


async def show_yesterday(request: web.Request) -> web.Response:
    """Answer with how yesterday went for the current player, friends, groups and the server, and today's deals."""
    server = server_of(request)
    player, now = await require_player(request), server.now()
    today = dates.day_of(now)
    found = await server.challenges.get(today, now)
    deals = (await show_days(request, [found], now))[0].deals if found else []
    return json_response(await server.yesterday.summarize(player.id, today, deals))


async def _unfinished_games(request: web.Request, player: Player | None) -> list[UnfinishedGame]:
    """Return the games that the player can resume; empty if the rate limit of reading is reached."""
    if player is None:
        return []
    try:
        return await server_of(request).unfinished_games.of(player.id, reader_of(request, player))
    except RateLimited:
        return []


@cache
def _sample_table() -> SampleTable:
    rules = game(SAMPLE_GAME)
    layout = msgspec.convert(layout_as_dict(rules.layout), Layout)
    return SampleTable(rules=rules.slug, layout=layout, piles=rules.view(sample_position(rules)))


def _opens_at(daily: DailyChallenge) -> int:
    return daily.span.opens_at
