"""HTTP handlers: a game as a stream, for clients without a socket: the same messages, versions and access levels.

A stream ends when its game is over. After an earlier end the client resumes with the last version that it read. After
the last version of a finished game the answer is 204, which stops a browser's EventSource from reconnecting.
"""

from collections.abc import Callable

from aiohttp import web

from cadogan.server.core.errors import BadMessage, NotAcceptable
from cadogan.server.http.app_keys import SERVER, server_of
from cadogan.server.http.guards.allowance import answer_cost
from cadogan.server.http.history_response import charge_of, reader_of
from cadogan.server.http.requests import client_address, current_player, int_parameter
from cadogan.server.http.viewer_session import viewer_of
from cadogan.server.realtime.http_stream import EVENTS, LINES, Form, Stream

LAST_EVENT = "Last-Event-ID"


async def stream_game(request: web.Request) -> web.StreamResponse:
    """Stream a game from now on, or after a version, as events or as lines (`Accept`). Raises TooMany."""
    with server_of(request).limits.open.one(client_address(request)):
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
    with server.limits.open.one(client_address(request)):
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
