"""HTTP handlers: the daily deals, the current player's runs, revealing a deal, and results as text."""

from collections.abc import Sequence

from aiohttp import web

from cadogan.engine import game as rules_of
from cadogan.engine.rule_pages import read_rule_page
from cadogan.server.core import dates
from cadogan.server.core.errors import BadMessage, NotFound, SpoilerEmbargo
from cadogan.server.core.games.game_index import Attempt
from cadogan.server.core.games.game_messages import game_card
from cadogan.server.core.web.requests import (
    asker,
    current_player,
    id_to_create,
    int_parameter,
    json_response,
    read_body,
    require_player,
    server_of,
    text_parameter,
)
from cadogan.server.subjects.catalog import requested_language
from cadogan.server.subjects.daily.competition import revealed_candidate, revealed_level, revealed_par, revealed_secret
from cadogan.server.subjects.daily.days import DailyChallenge, missed_days, read_day_record
from cadogan.server.subjects.players.sharing import DealLine, count_streak, make_share_text
from cadogan.wire import bodies
from cadogan.wire.beacon import DailyBeacon
from cadogan.wire.values import Player

TODAY = "today"


async def list_dailies(request: web.Request) -> web.Response:
    """Answer with days, latest first: from the announced ones on, or those before a given day."""
    server = server_of(request)
    now = server.now()
    before = text_parameter(request, "list_dailies", "before")
    if before is not None and not dates.is_valid(before):
        raise BadMessage("{text} is not a day.", text=before)
    most = int_parameter(request, "list_dailies", "limit")
    listed, left_out = await server.challenges.list_readable(now, before, most)
    missed = missed_days(listed, before, now, left_out)
    return json_response(bodies.Dailies(dailies=await show_days(request, listed, now), missed=missed or None))


async def show_daily(request: web.Request) -> web.Response:
    """Answer with the deals of one day."""
    now = server_of(request).now()
    return json_response(await show_with_streak(request, await _daily(request, now), now))


async def show_with_streak(request: web.Request, daily: DailyChallenge, now: int) -> bodies.Daily:
    """Return a day as shown to the current player, with the player's streak."""
    player = await current_player(request)
    running = (
        count_streak(await server_of(request).profiles.days_played(player.id), dates.day_of(now)).current
        if player
        else None
    )
    (body,) = await show_days(request, [daily], now, running)
    return body


async def enter_daily(request: web.Request) -> web.Response:
    """Answer with the player's ranked attempt at a daily deal, started if necessary; or with a practice run."""
    server = server_of(request)
    player = await require_player(request)
    wanted = await read_body(request, bodies.EnterDaily)
    attempts = server.attempts
    if wanted.practice:
        server.limits.deal.take(asker(request, player))
        game = await attempts.practise(player.id, _day(request), _slot(request), id_to_create(request, player))
    else:
        game = await attempts.enter(player.id, _day(request), _slot(request))
    return json_response(bodies.Game(game=game_card(game, player)))


async def spoil_deal(request: web.Request) -> web.Response:
    """Reveal a deal to the current player, who may then also see it in the games of others."""
    server = server_of(request)
    player = await require_player(request)
    slot = _slot(request)
    await server.attempts.spoil(player.id, _day(request), slot)
    now = server.now()
    (body,) = await show_days(request, [await _daily(request, now)], now)
    return json_response(bodies.Spoiled(deal=next(deal for deal in body.deals if deal.slot == slot)))


async def share_day(request: web.Request) -> web.Response:
    """Answer with the current player's results of a day, as text."""
    server = server_of(request)
    player = await require_player(request)
    now = server.now()
    daily = await _daily(request, now)
    profiles = server.profiles
    results = await profiles.day_results(player.id, daily.day)
    if not results:
        raise NotFound("You have not finished a ranked run of that day.")
    played = [(one, rules_of(one.game)) for one in daily.announced]
    language = requested_language(request, "share_day")
    lines = [
        DealLine(one.level, read_rule_page(rules.slug, language).name, rules.maximum, results.get(one.deal))
        for one, rules in played
    ]
    running = count_streak(await profiles.days_played(player.id), dates.day_of(now)).current
    return json_response(bodies.Share(text=make_share_text(daily.day, lines, running, language)))


async def day_record(request: web.Request) -> web.Response:
    """Answer with the record of a closed day. Raises NotFound or SpoilerEmbargo."""
    server = server_of(request)
    day = _day(request)
    if not dates.is_valid(day):
        raise NotFound("There is no challenge on that day.")
    record = await read_day_record(server.store, server.transparency, day)
    if record is not None:
        return json_response(record)
    await _daily(request, server.now())
    raise SpoilerEmbargo("The record is available when the day has closed.")


async def _daily(request: web.Request, now: int) -> DailyChallenge:
    daily = await server_of(request).challenges.get(_day(request), now)
    if daily is None:
        raise NotFound("There is no challenge on that day.")
    return daily


def _day(request: web.Request) -> str:
    day = request.match_info["day"]
    return dates.day_of(server_of(request).now()) if day == TODAY else day


def _slot(request: web.Request) -> int:
    text = request.match_info["slot"]
    return int(text) if text.isascii() and text.isdigit() and len(text) == 1 else 0


async def show_days(
    request: web.Request, listed: Sequence[DailyChallenge], now: int, running: int | None = None
) -> list[bodies.Daily]:
    """Return days as shown to the current player, with the length of the player's `running` streak."""
    server = server_of(request)
    index, player = server.index, await current_player(request)
    runs = await index.count_attempts([deal for daily in listed for deal in daily.deals])
    own = _own(listed, await server.persons.person_of(player.id)) if player else {}
    attempts = await server.run_results.get_many(own.values(), partly=True)
    return [_body(daily, player, now, runs, own, attempts, running) for daily in listed]


def _own(listed: Sequence[DailyChallenge], person: str) -> dict[str, str]:
    """Return the id of the person's attempt at each deal, started or not; ids of games not started are never sent."""
    return {deal: daily.attempt(deal, person) for daily in listed for deal in daily.deals}


def _body(
    daily: DailyChallenge,
    player: Player | None,
    now: int,
    runs: dict[str, int],
    own: dict[str, str],
    attempts: dict[str, Attempt],
    running: int | None,
) -> bodies.Daily:
    state = daily.state(now)
    deals = []
    for one in daily.announced:
        game_id = own.get(one.deal, "")
        attempt = attempts.get(game_id, Attempt())
        begun = attempt.player is not None
        mine = begun and player is not None and attempt.player == player.id
        deals.append(
            bodies.DailyDeal(
                slot=one.slot,
                level=one.level,
                rules=one.game,
                deal=one.deal,
                runs=runs.get(one.deal, 0),
                your_game=game_id if mine else None,
                your_status=(attempt.result or "playing") if mine else None,
                spoiled=attempt.spoiled or (begun and not mine),
                search=bodies.DealSearch(solver=one.search.solver, budget=one.search.budget) if one.search else None,
                seal=daily.seals.get(one.deal),
                candidate=revealed_candidate(daily, one.deal),
                deal_level=revealed_level(daily, one),
                par=revealed_par(daily, one.deal, own_run_is_over=mine and attempt.result is not None),
            )
        )
    return bodies.Daily(
        day=daily.day,
        commitment=daily.sealed.commitment,
        state=state,
        opens_at=daily.span.opens_at,
        ends_at=daily.span.ends_at,
        closes_at=daily.span.closes_at,
        deals=deals,
        secret=revealed_secret(daily),
        streak=running,
        missed=daily.is_missed(now),
        beacon=_beacon(daily),
        shuffling=daily.is_shuffling(now),
    )


def _beacon(daily: DailyChallenge) -> DailyBeacon | None:
    """Return the beacon round that determines the cards of a day, if one was announced."""
    if daily.beacon is None:
        return None
    return DailyBeacon(
        chain=daily.beacon.chain,
        round=daily.beacon.round,
        signature=daily.signature,
        away=daily.drawn_at is not None and daily.signature is None,
    )
