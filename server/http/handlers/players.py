"""HTTP: who somebody is here, and how they have fared."""

from aiohttp import web

from clients.wire import bodies
from server.core import dates, ids
from server.core.errors import NotFound
from server.games.game_messages import game_card
from server.http.app_keys import CLOCK, OUTLINES, PLAYERS, PROFILES
from server.http.requests import json_response
from server.players.streaks import count_streak


async def show_player(request: web.Request) -> web.Response:
    """Somebody's profile: only games that are over are in it."""
    wanted = request.match_info["id"]
    profiles, outlines = request.app[PROFILES], request.app[OUTLINES]
    since = await profiles.created_at(wanted) if ids.is_valid(wanted) else None
    if since is None:
        raise NotFound("There is no such player.")
    player = await request.app[PLAYERS].player(wanted)
    running = count_streak(await profiles.days_played(wanted), dates.day_of(request.app[CLOCK]()))
    tallies = await profiles.tallies(wanted)
    recent = await outlines.get_all(await profiles.recent_games(wanted))
    return json_response(
        bodies.Profile(
            player=player,
            since=since,
            streak=running.current,
            best_streak=running.longest,
            played=sum(tally.played for tally in tallies),
            won=sum(tally.won for tally in tallies),
            by_game=[bodies.RulesTally(**tally._asdict()) for tally in tallies],
            recent=[
                bodies.RecentGame(
                    game=game_card(game, player),
                    score=game.finished.score,
                    moves=game.finished.moves,
                    milliseconds=game.finished.milliseconds,
                )
                for game in recent
                if game.finished is not None
            ],
        )
    )
