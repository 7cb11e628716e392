"""Handlers: profiles, friends, groups and settings of players, exporting all data, and deleting the account."""

import asyncio
from collections.abc import Sequence

from aiohttp import web

from cadogan.engine import game as rules_of
from cadogan.server.core import dates, ids
from cadogan.server.core.errors import BadMessage, Conflict, NotFound, RateLimited, SpoilerEmbargo, TooMany
from cadogan.server.core.games.competition_rules import GameOutline
from cadogan.server.core.games.game_messages import game_card
from cadogan.server.core.games.history_bodies import TAIL, Charge, History
from cadogan.server.core.web.long_answers import Parts, charge_of, send_parts
from cadogan.server.core.web.requests import (
    asker,
    current_player,
    delete_device_cookie,
    delete_session_cookie,
    id_to_create,
    int_parameter,
    json_response,
    read_body,
    require_player,
    server_of,
    text_parameter,
)
from cadogan.server.subjects.players.groups import Group
from cadogan.server.subjects.players.sharing import count_streak
from cadogan.wire import boards, results
from cadogan.wire.account import OwnData, Session
from cadogan.wire.admin import Erase
from cadogan.wire.codec import encode
from cadogan.wire.settings import KeptSettings, Settings
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
    withheld = await _withheld_runs(request, wanted)
    tallies = await profiles.tallies(wanted, withheld)
    week = dates.week_number(now)
    recent = await outlines.get_all(await profiles.recent_games(wanted, withheld))
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
                for one in await profiles.weeks(wanted, week, withheld)
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
    with server_of(request).limits.histories_at_once.counted(asker(request, await current_player(request))):
        as_text = request.headers.get("Accept", "").strip().startswith("text/plain")
        content_type = "text/plain; charset=utf-8" if as_text else "application/x-ndjson"
        return await send_parts(request, content_type, _results(request, wanted, since, until, charge))


async def _results(request: web.Request, wanted: str, since: int, until: int, charge: Charge) -> Parts:
    """Yield the lines of an export in chunks, at the rate limit of the client."""
    server = server_of(request)
    player, profiles = await server.players.player(wanted), server.profiles
    withheld, after = await _withheld_runs(request, wanted), (0, "")
    while page := await profiles.finished_games(wanted, since, until, after):
        await _wait_and_charge(charge, EVENTS_PER_RESULT * len(page))
        games = await server.outlines.get_all([game_id for _, game_id in page if game_id not in withheld])
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


async def _withheld_runs(request: web.Request, player: str) -> set[str]:
    """Return the player's games whose results the current player may not see yet."""
    asker = await current_player(request)
    return await server_of(request).access.withheld_runs(asker.id if asker else None, player)


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


async def list_friends(request: web.Request) -> web.Response:
    """Answer with the friends of the current player."""
    server = server_of(request)
    player = await require_player(request)
    friends = await server.groups.friends(player.id)
    known = await server.players.players(friends)
    return json_response(boards.Friends(friends=[known[friend] for friend in friends]))


async def follow_player(request: web.Request) -> web.Response:
    """Add a friend, and answer with all friends."""
    server = server_of(request)
    player = await require_player(request)
    server.limits.deal.take(asker(request, player))
    await server.groups.add_friend(player.id, request.match_info["name"])
    return await list_friends(request)


async def unfollow_player(request: web.Request) -> web.Response:
    """Remove a friend, and answer with all friends."""
    player = await require_player(request)
    await server_of(request).groups.remove_friend(player.id, request.match_info["name"])
    return await list_friends(request)


async def list_groups(request: web.Request) -> web.Response:
    """Answer with the groups that the current player is in."""
    player = await require_player(request)
    found = await server_of(request).groups.groups_of(player.id)
    return json_response(boards.Groups(groups=[await group_body(request, group) for group in found]))


async def make_group(request: web.Request) -> web.Response:
    """Create a group with the current player in it."""
    server = server_of(request)
    player = await require_player(request)
    wanted = await read_body(request, boards.NewGroup)
    server.limits.deal.take(asker(request, player))
    group = await server.groups.create_group(player.id, wanted.name, id_to_create(request, player))
    return json_response(await group_body(request, group))


async def find_group(request: web.Request) -> web.Response:
    """Answer with the name of the group of a link. Raises NotFound."""
    group = await server_of(request).groups.find_by_link(request.match_info["token"])
    return json_response(boards.GroupLink(name=group.name))


async def join_group(request: web.Request) -> web.Response:
    """Add the current player to the group of a link, and answer with the group."""
    server = server_of(request)
    player = await require_player(request)
    wanted = await read_body(request, boards.JoinGroup)
    server.limits.deal.take(asker(request, player))
    return json_response(await group_body(request, await server.groups.join(player.id, wanted.token)))


async def leave_group(request: web.Request) -> web.Response:
    """Remove the current player from a group, and answer with the remaining groups."""
    player = await require_player(request)
    await server_of(request).groups.leave(player.id, request.match_info["id"])
    return await list_groups(request)


async def put_out_of_group(request: web.Request) -> web.Response:
    """Remove a member from a group of the current player, and answer with the group, which gets a new link."""
    player = await require_player(request)
    group = await server_of(request).groups.remove_member(
        player.id, request.match_info["id"], request.match_info["player"]
    )
    return json_response(await group_body(request, group))


async def renew_group_link(request: web.Request) -> web.Response:
    """Create a new link for a group of the current player, and answer with the group."""
    server = server_of(request)
    player = await require_player(request)
    server.limits.deal.take(asker(request, player))
    group = await server.groups.renew_link(player.id, request.match_info["id"])
    return json_response(await group_body(request, group))


async def group_body(request: web.Request, group: Group) -> boards.Group:
    known = await server_of(request).players.players(group.members)
    members = [known[member] for member in group.members]
    owner = group.members[0] if group.members else None
    return boards.Group(
        id=group.id, name=group.name, token=group.token, members=members, owner=owner, talk=group.has_talk
    )


async def show_settings(request: web.Request) -> web.Response:
    """Answer with the settings of the current player."""
    player = await require_player(request)
    return json_response(KeptSettings(settings=await server_of(request).player_settings.load(player.id)))


async def keep_settings(request: web.Request) -> web.Response:
    """Replace the settings of the current player."""
    server = server_of(request)
    player = await require_player(request)
    chosen = await read_body(request, Settings)
    server.limits.deal.take(asker(request, player))
    await server.player_settings.save(player.id, chosen)
    return json_response(KeptSettings(settings=chosen))


BUSY_SECONDS = 1.0
"""Seconds until a refused record is retried, if the refusal has no `retry_after`."""


async def download_own_data(request: web.Request) -> web.StreamResponse:
    """Answer with all stored data about the current player, at the rate limit of histories."""
    player = await require_player(request)
    if player.bot:
        raise Conflict("A bot has no data of its own: its owner can ask for everything.")
    charge = await charge_of(request)
    with server_of(request).limits.histories_at_once.counted(asker(request, player)):
        return await send_parts(request, "application/json", _own_data(request, player, charge))


async def erase_account(request: web.Request) -> web.StreamResponse:
    """Erase the current player."""
    player = await require_player(request)
    ended = await server_of(request).admin.erasure.erase(player.id, player.id, "request")
    response = json_response(Session(player=None))
    delete_session_cookie(request, response)
    delete_device_cookie(request, response)
    try:
        await response.prepare(request)
        await response.write_eof()
    finally:
        _forget(request, player.id, ended)
    return response


async def erase_player(request: web.Request) -> web.Response:
    """Erase the player in the path."""
    server = server_of(request)
    why = await read_body(request, Erase)
    by, player = (await require_player(request)).id, request.match_info["id"]
    _forget(request, player, await server.admin.erasure.erase(by, player, why.reason))
    return json_response(await server.players.player(player))


def _forget(request: web.Request, player: str, ended: Sequence[str]) -> None:
    """Close the connections of these sessions, and remove the player's cached name."""
    server = server_of(request)
    server.players.forget(player)
    for session in ended:
        server.sessions.end_session(session)


async def _own_data(request: web.Request, player: Player, charge: Charge) -> Parts:
    """Yield a body of `OwnData`, the records one after another."""
    server = server_of(request)
    groups, players, accounts = (
        server.groups,
        server.players,
        server.sign_in.accounts,
    )
    known = await players.players(friends := await groups.friends(player.id))
    standing = await server.admin.roles.standing(player.id)
    empty = OwnData(
        format="cadogan player 1",
        at=server.now(),
        player=player,
        role=None if standing.role == "player" else standing.role,
        friends=[known[friend] for friend in friends],
        groups=[await group_body(request, group) for group in await groups.groups_of(player.id)],
        bots=await accounts.bots(player),
        tables=await server.own_data.rows(player.id),
        records=[],
    )
    yield encode(empty).removesuffix(TAIL)
    separator, after = b"", ""
    while page := await server.own_data.finished_games(player.id, after):
        for game_id in page:
            record = await _record(request, game_id, charge)
            if record is not None:
                yield separator + b"".join(record.chunks)
                separator = b","
        after = page[-1]
    yield TAIL


async def _record(request: web.Request, game_id: str, charge: Charge) -> History | None:
    """Return the record of a game once the rate limit allows it; None while it is secret."""
    while True:
        try:
            return await server_of(request).histories.record(game_id, charge)
        except (RateLimited, TooMany) as refusal:
            await asyncio.sleep(refusal.retry_after or BUSY_SECONDS)
        except (Conflict, SpoilerEmbargo):
            return None
