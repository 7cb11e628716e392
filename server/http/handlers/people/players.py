"""HTTP handlers: players' profiles and results."""

import asyncio

from aiohttp import web

from cadogan.engine import game as rules_of
from cadogan.server.core import dates, ids
from cadogan.server.core.errors import BadMessage, NotFound, RateLimited
from cadogan.server.games.game_messages import game_card
from cadogan.server.games.game_outline import GameOutline
from cadogan.server.http.app_keys import server_of
from cadogan.server.http.history_response import Parts, charge_of, send_parts
from cadogan.server.http.requests import (
    asker,
    current_player,
    int_parameter,
    json_response,
    require_player,
    text_parameter,
)
from cadogan.server.play.history_bodies import Charge
from cadogan.server.players.streaks import count_streak
from cadogan.wire import results
from cadogan.wire.codec import encode
from cadogan.wire.values import Player

MAX_MOMENT = 2**62
"""A time later than every game, in milliseconds since 1970."""
EVENTS_PER_RESULT = 10
"""The cost of one line of an export, in history events."""


async def show_player(request: web.Request) -> web.Response:
    """Answer with a player's profile, which includes only finished games."""
    server = server_of(request)
    wanted = request.match_info["id"]
    profiles, outlines = server.profiles, server.outlines
    since = await _created_at(request, wanted)
    player = await server.players.player(wanted)
    now = server.now()
    running = count_streak(await profiles.days_played(wanted), dates.day_of(now))
    tallies = await profiles.tallies(wanted)
    week = dates.week_number(now)
    recent = await outlines.get_all(await profiles.recent_games(wanted))
    return json_response(
        results.Profile(
            player=player,
            since=since,
            streak=running.current,
            best_streak=running.longest,
            played=sum(one.tally.played for one in tallies),
            won=sum(one.tally.won for one in tallies),
            by_game=[
                results.RulesTally(rules=one.rules, maximum=rules_of(one.rules).maximum, **one.tally._asdict())
                for one in tallies
            ],
            recent=[_result(game, player) for game in recent if game.finished is not None],
            week=dates.week_name(week),
            weeks=[
                results.WeekTally(week=dates.week_name(one.week), rules=one.rules, **one.tally._asdict())
                for one in await profiles.weeks(wanted, week)
            ],
        )
    )


async def list_own_runs(request: web.Request) -> web.Response:
    """Answer with the current player's games and their places in the transparency log."""
    server = server_of(request)
    player = await require_player(request)
    offset, limit = [int_parameter(request, "list_own_runs", name) for name in ("offset", "limit")]
    found = await server.profiles.logged_games(player.id, offset, limit + 1)
    games = await server.outlines.get_all(game_id for game_id, _ in found[:limit])
    runs = [
        results.OwnRun(game=game_card(game, player), entry=entry)
        for game, (_, entry) in zip(games, found, strict=False)
    ]
    return json_response(results.OwnRuns(runs=runs, more=len(found) > limit))


async def export_games(request: web.Request) -> web.StreamResponse:
    """Answer with a player's finished games, one per line, with public data only and no cards."""
    wanted = request.match_info["id"]
    since, until = _moment(request, "since", 0), _moment(request, "until", MAX_MOMENT)
    await _created_at(request, wanted)
    charge = await charge_of(request)
    charge(EVENTS_PER_RESULT)
    with server_of(request).limits.histories_at_once.one(asker(request, await current_player(request))):
        as_text = request.headers.get("Accept", "").strip().startswith("text/plain")
        content_type = "text/plain; charset=utf-8" if as_text else "application/x-ndjson"
        return await send_parts(request, content_type, _results(request, wanted, since, until, charge))


async def _results(request: web.Request, wanted: str, since: int, until: int, charge: Charge) -> Parts:
    """Yield the lines of an export in chunks, at the rate limit of the client."""
    server = server_of(request)
    player, profiles = await server.players.player(wanted), server.profiles
    after = (0, "")
    while page := await profiles.finished_games(wanted, since, until, after):
        await _wait_and_charge(charge, EVENTS_PER_RESULT * len(page))
        games = await server.outlines.get_all([game_id for _, game_id in page])
        yield b"".join([encode(_result(game, player)) + b"\n" for game in games if game.finished is not None])
        after = page[-1]


async def _wait_and_charge(charge: Charge, events: int) -> None:
    """Wait until the rate limit allows this many events, and charge for them."""
    while True:
        try:
            charge(events)
        except RateLimited as limited:
            await asyncio.sleep(limited.retry_after or 0)
        else:
            return


async def _created_at(request: web.Request, player: str) -> int:
    """Return when the account was created. Raises NotFound."""
    since = await server_of(request).profiles.created_at(player) if ids.is_valid(player) else None
    if since is None:
        raise NotFound("There is no such player.")
    return since


def _result(game: GameOutline, player: Player) -> results.RecentGame:
    assert game.finished is not None
    return results.RecentGame(
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
        raise BadMessage("The query's {name} must be something like {example}.", name=name, example="2026-11-01")
    return dates.day_times(day, 0).opens_at
