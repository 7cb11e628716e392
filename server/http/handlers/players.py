"""HTTP: who somebody is here, and how they have fared."""

from aiohttp import web

from clients.wire import bodies
from clients.wire.codec import encode
from clients.wire.values import Player
from server.core import dates, ids
from server.core.errors import BadMessage, NotFound
from server.games.game_messages import game_card
from server.games.game_outline import GameOutline
from server.http.app_keys import CLOCK, HISTORIES_AT_ONCE, OUTLINES, PLAYERS, PROFILES
from server.http.history_response import asker
from server.http.requests import json_response, text_parameter
from server.players.streaks import count_streak

MAX_MOMENT = 2**62
"""A time after every game, in milliseconds since 1970."""


async def show_player(request: web.Request) -> web.Response:
    """Somebody's profile: only games that are over are in it."""
    wanted = request.match_info["id"]
    profiles, outlines = request.app[PROFILES], request.app[OUTLINES]
    since = await _created_at(request, wanted)
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
            recent=[_result(game, player) for game in recent if game.finished is not None],
        )
    )


async def export_games(request: web.Request) -> web.StreamResponse:
    """Somebody's games that are over, one on a line, without their cards: what everybody may see of them."""
    wanted = request.match_info["id"]
    since, until = _moment(request, "since", 0), _moment(request, "until", MAX_MOMENT)
    await _created_at(request, wanted)
    player, profiles = await request.app[PLAYERS].player(wanted), request.app[PROFILES]
    with request.app[HISTORIES_AT_ONCE].one(await asker(request)):
        response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
        await response.prepare(request)
        after = (0, "")
        while page := await profiles.finished_games(wanted, since, until, after):
            games = await request.app[OUTLINES].get_all([game_id for _, game_id in page])
            lines = [encode(_result(game, player)) + b"\n" for game in games if game.finished is not None]
            await response.write(b"".join(lines))
            after = page[-1]
        await response.write_eof()
    return response


async def _created_at(request: web.Request, player: str) -> int:
    """Return when the account was created. Raises NotFound."""
    since = await request.app[PROFILES].created_at(player) if ids.is_valid(player) else None
    if since is None:
        raise NotFound("There is no such player.")
    return since


def _result(game: GameOutline, player: Player) -> bodies.RecentGame:
    assert game.finished is not None
    return bodies.RecentGame(
        game=game_card(game, player),
        score=game.finished.score,
        moves=game.finished.moves,
        milliseconds=game.finished.milliseconds,
    )


def _moment(request: web.Request, name: str, default: int) -> int:
    """Return the beginning of a day in the query, in milliseconds since 1970. Raises BadMessage."""
    day = text_parameter(request, "export_games", name)
    if day is None:
        return default
    if not dates.is_valid(day):
        raise BadMessage("The query's {name} is something like {example}.", name=name, example="2026-11-01")
    return dates.day_times(day, 0).opens_at
