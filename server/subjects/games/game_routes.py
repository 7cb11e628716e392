"""Handlers: deals, games, replays, records, and a game as a stream.

HTTP handlers: a game as a stream, for clients without a socket: the same messages, versions and access levels.

A stream ends when its game is over. After an earlier end the client resumes with the last version that it read. After
the last version of a finished game the answer is 204, which stops a browser's EventSource from reconnecting.
"""

from collections.abc import Callable

from aiohttp import web

from cadogan.engine import UnknownGame, game
from cadogan.server.core.errors import BadMessage, NotAcceptable, NotFound
from cadogan.server.core.games.game_messages import game_card
from cadogan.server.core.live.http_stream import EVENTS, LINES, Form, Stream
from cadogan.server.core.rate_limits import answer_cost
from cadogan.server.core.web.long_answers import charge_of, reader_of, send_history, viewer_of
from cadogan.server.core.web.requests import (
    SERVER,
    asker,
    client_address,
    current_player,
    id_to_create,
    int_parameter,
    json_response,
    read_body,
    require_player,
    server_of,
)
from cadogan.wire.bodies import Game, LiveGames, NewDeal, NewGame, SealedDeal, UnfinishedGames
from cadogan.wire.values import Player


async def seal_deal(request: web.Request) -> web.Response:
    """Answer with a new sealed deal and its commitment, before the player's nonce is known."""
    server = server_of(request)
    player = await require_player(request)
    wanted = await read_body(request, NewDeal)
    try:
        rules = game(wanted.rules)
    except UnknownGame:
        raise NotFound("There are no rules with this name.") from None
    for counted in {asker(request, player), client_address(request)}:
        server.limits.deal.take(counted)
    deal = await server.casual_games.seal(rules.slug, id_to_create(request, player))
    return json_response(SealedDeal(deal=deal.id, commitment=deal.commitment, rules=deal.game))


async def begin_game(request: web.Request) -> web.Response:
    """Start a game with a sealed deal and the player's nonce, and answer with it."""
    server, player = server_of(request), await require_player(request)
    wanted = await read_body(request, NewGame)
    if wanted.winnable:  # a search costs more than a deal
        for counted in {asker(request, player), client_address(request)}:
            server.limits.deal.take(counted)
    begun = await server.casual_games.begin(
        player.id, wanted.deal, wanted.nonce, wanted.number, is_winnable=wanted.winnable
    )
    return json_response(Game(game=game_card(begun, player)))


async def list_live_games(request: web.Request) -> web.Response:
    """Answer with the live games and their progress."""
    return json_response(LiveGames(games=await server_of(request).histories.live_games()))


async def list_unfinished_games(request: web.Request) -> web.Response:
    """Answer with the games that the player can resume."""
    player = await require_player(request)
    found = await server_of(request).unfinished_games.of(player.id, reader_of(request, player))
    return json_response(UnfinishedGames(games=found))


async def show_game(request: web.Request) -> web.Response:
    """Answer with a game, at the current player's access level."""
    player = await current_player(request)
    reader = reader_of(request, player)
    return json_response(await server_of(request).spectating.view(_id(player), request.match_info["id"], reader))


async def replay_game(request: web.Request) -> web.StreamResponse:
    """Answer with the replay of a game."""
    player, charge = await current_player(request), await charge_of(request)
    replay = await server_of(request).histories.replay(_id(player), request.match_info["id"], charge)
    return await send_history(request, replay)


async def show_result(request: web.Request) -> web.Response:
    """Answer with the result of a finished game."""
    player = await current_player(request)
    return json_response(await server_of(request).results.get(_id(player), request.match_info["id"]))


async def show_attestation(request: web.Request) -> web.Response:
    """Answer with who attests the record of a game."""
    return json_response(await server_of(request).histories.attestation(request.match_info["id"]))


async def give_receipt(request: web.Request) -> web.Response:
    """Answer with the receipt of a finished game, to its player."""
    player = await require_player(request)
    return json_response(await server_of(request).receipts.give(player.id, request.match_info["id"]))


async def download_record(request: web.Request) -> web.StreamResponse:
    """Answer with the record of a finished game, as a file."""
    game_id = request.match_info["id"]
    player, charge = await current_player(request), await charge_of(request)
    record = await server_of(request).histories.record(game_id, charge, _id(player))
    return await send_history(
        request, record, {"Content-Disposition": f'attachment; filename="cadogan-{game_id}.json"'}
    )


def _id(player: Player | None) -> str | None:
    return player.id if player else None


LAST_EVENT = "Last-Event-ID"


async def stream_game(request: web.Request) -> web.StreamResponse:
    """Stream a game from now on, or after a version, as events or as lines (`Accept`). Raises TooMany."""
    with server_of(request).limits.open.counted(client_address(request)):
        return await _stream_game(request)


async def _stream_game(request: web.Request) -> web.StreamResponse:
    server = server_of(request)
    stream = Stream(request, _form(request))
    since, game_id = _since(request), request.match_info["id"]
    cache, player = server.cache, await current_player(request)

    def over() -> bool:
        game = cache.cached(game_id)
        return game is not None and game.over and stream.version >= game.version

    now = await cache.get(game_id, reader_of(request, player))
    if now.over and now.version == since:
        return web.Response(status=204)
    with viewer_of(request, player, stream, stream.drained) as viewer:
        await server.spectating.resume(viewer, game_id, since or None)
        stream.version = stream.version or since
        server.limits.address.bucket(client_address(request)).charge_later(answer_cost(viewer.sent_bytes))
        return await _show(request, stream, over)


async def stream_analysis(request: web.Request) -> web.StreamResponse:
    """Stream the analysis of a game until it is complete, as events or as lines (`Accept`). Raises TooMany.

    If the analysis was not requested, the stream ends at once.
    """
    server = server_of(request)
    with server.limits.open.counted(client_address(request)):
        stream = Stream(request, _form(request))
        player, game_id, analyses = await current_player(request), request.match_info["id"], server.analyses
        with viewer_of(request, player, stream, stream.drained) as viewer:
            now = await analyses.subscribe(viewer, game_id, await charge_of(request))
            if now.analysis.state == "done" and _last_event(request) == now.version:
                return web.Response(status=204)
            is_asked_for = now.analysis.state != "none"
            return await _show(request, stream, lambda: not is_asked_for or analyses.is_done(game_id))


async def _show(request: web.Request, stream: Stream, over: Callable[[], bool]) -> web.StreamResponse:
    server = server_of(request)
    streams, open_streams = server.streams, server.metrics.streams
    streams.add(stream)
    open_streams.inc()
    try:
        response = await stream.open()
        await stream.last(over)
        if not stream.is_closing():
            await response.write_eof()
    except ConnectionError:
        pass  # disconnected during a write
    finally:
        open_streams.dec()
        streams.discard(stream)
    return response


async def end_streams(app: web.Application) -> None:
    """End every stream, because the server is stopping; their readers reconnect and resume."""
    streams: set[Stream] = app[SERVER].streams
    for stream in tuple(streams):
        stream.end()


def _form(request: web.Request) -> Form:
    """Return the format by the header `Accept`: lines by default, or events. Raises NotAcceptable."""
    accepted = {part.partition(";")[0].strip().lower() for part in request.headers.get("Accept", "*/*").split(",")}
    if EVENTS.content_type in accepted:
        return EVENTS
    if accepted & {LINES.content_type, "application/*", "*/*"}:
        return LINES
    raise NotAcceptable("Accept text/event-stream or application/x-ndjson: this address answers nothing else.")


def _since(request: web.Request) -> int:
    """Return the version after which to resume, 0 for a full view; `Last-Event-ID` overrides the query."""
    since, last = int_parameter(request, "stream_game", "since"), _last_event(request)
    return since if last is None else last


def _last_event(request: web.Request) -> int | None:
    """Return the version in `Last-Event-ID`, if given. Raises BadMessage."""
    last = request.headers.get(LAST_EVENT)
    if last is None:
        return None
    if not (last.isascii() and last.isdigit() and len(last) < 10):
        raise BadMessage("{header} must be a version of the game.", header=LAST_EVENT)
    return int(last)
