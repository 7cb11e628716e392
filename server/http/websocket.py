"""The socket `/ws/v1`: one conversation with one client, answered in the order of its messages.

Frames are read one by one, so a client that sends faster than it reads delays only itself;
`cadogan.server.http.frame_gate` limits their rate. The messages of its subscriptions are sent by the hub,
independently of this conversation (`cadogan.server.core.live`).

Every message is answered: with the requested message, or with `done`. To add a type of message, define it in
`cadogan.wire.messages` and add a case to `_carry_out`.
"""

import asyncio
from typing import assert_never, cast

import structlog
from aiohttp import WSCloseCode, WSMsgType, web

from cadogan.server.app import Server
from cadogan.server.core import ids
from cadogan.server.core.cluster.bus import day_topic
from cadogan.server.core.errors import BadMessage, Internal, NotFound, RateLimited, RefusalError, TooMany, Unauthorized
from cadogan.server.core.eventlog.background_tasks import as_unavailable
from cadogan.server.core.eventlog.event_store import StoreError
from cadogan.server.core.games.game_state import Command
from cadogan.server.core.games.history_bodies import no_charge
from cadogan.server.core.games.visibility import AccessLevel
from cadogan.server.core.live.connection import ANONYMOUS, CLOSE_TIMEOUT_SECONDS, MAX_QUEUE_BYTES, Viewer, frame
from cadogan.server.core.live.hub import analysis_topic, game_topic, race_topic, talk_topic
from cadogan.server.core.rate_limits import SocketAllowance
from cadogan.server.core.web.long_answers import viewer_of
from cadogan.server.core.web.requests import (
    SCOPES,
    SERVER,
    check_scope,
    client_address,
    current_player,
    server_of,
)
from cadogan.server.http.frame_gate import EARLY, TOO_FAST, FrameGate, Inner, Verdict
from cadogan.server.http.request_checks import check_socket_origin
from cadogan.wire import analysis, boards, chat
from cadogan.wire import messages as wire
from cadogan.wire.codec import MAX_CLIENT_FRAME_BYTES, UnreadableMessage, decode_client_message, encode
from cadogan.wire.endpoint import Scope
from cadogan.wire.message import Message
from cadogan.wire.messages import ClientMessage

HEARTBEAT_SECONDS = 25.0
"""Seconds of silence before a ping; a client that does not answer within half that time is disconnected."""

SHUTDOWN_SECONDS = 10.0
"""Maximum seconds of a shutdown, regardless of clients."""
CLOSING_SECONDS = SHUTDOWN_SECONDS / 8
"""Seconds that each of three steps of a shutdown waits for clients: closing sockets, finishing answers, and cancelling
what is left. The rest of the time is for the database and the bus."""

MAX_SUBSCRIPTIONS = 256
"""Maximum number of topics to which one connection may be subscribed."""

log = structlog.stdlib.get_logger("cadogan.socket")
_SCOPES: dict[type, Scope] = {
    wire.Play: "play",
    wire.TakeBack: "play",
    wire.Resign: "play",
    analysis.AskIfWinnable: "play",
    chat.WatchTalk: "session",
}
"""The scope that a personal token needs for a message, as for the same over HTTP; `read` is enough for all others."""


async def open_socket(request: web.Request) -> web.WebSocketResponse:
    """Serve a socket until the client disconnects or the server stops.

    Raises ForeignOrigin and TooMany before it begins.
    """
    server = server_of(request)
    check_socket_origin(request)
    with server.limits.open.counted(client_address(request)):
        player = await current_player(request)
        socket = web.WebSocketResponse(
            heartbeat=HEARTBEAT_SECONDS,
            max_msg_size=MAX_CLIENT_FRAME_BYTES + 1,
            compress=False,
            autoping=False,
            timeout=CLOSE_TIMEOUT_SECONDS,
        )
        transport = request.transport
        if transport is None:
            return socket
        inner = cast(Inner, transport.get_protocol())
        allowance, paused = server.limits.of_socket(client_address(request)), server.metrics.floods.labels("paused")
        gate = FrameGate(transport, inner, allowance.take, allowance.is_used_up, paused.inc)
        try:
            writer = await socket.prepare(request)
        except BaseException:
            gate.leave()
            raise
        transport.set_write_buffer_limits(high=MAX_QUEUE_BYTES)
        with viewer_of(request, player, transport, writer.drain) as viewer:
            verdict = await _converse(request, socket, gate, Conversation(request, viewer, allowance))
        if verdict:
            if verdict is TOO_FAST:
                server.metrics.floods.labels("closed").inc()
                server.refusal_log.write(RateLimited("Too fast: wait a little and try again."))
            gate.discard()
            await socket.close(code=verdict.code, message=verdict.reason.encode())
        return socket


async def _converse(
    request: web.Request, socket: web.WebSocketResponse, gate: FrameGate, conversation: "Conversation"
) -> Verdict | None:
    """Answer messages until the client leaves or must be disconnected; return the reason in the latter case."""
    server = server_of(request)
    viewer, sockets = conversation.viewer, server.sockets
    open_sockets = server.metrics.connections
    sockets.add(socket)
    open_sockets.inc()
    gate.open()
    try:
        first = await socket.receive()
        if first.type is not WSMsgType.PING or not gate.is_first(first.data):
            return EARLY
        async for received in socket:
            match received.type:
                case WSMsgType.ERROR:
                    break  # protocol error or missing pong
                case WSMsgType.TEXT:
                    await conversation.receive(received.data)
                case WSMsgType.PING if gate.is_first(received.data):
                    return gate.verdict
                case WSMsgType.PING:
                    await socket.pong(received.data)
                case WSMsgType.BINARY:
                    conversation.refuse(BadMessage("Messages are text frames."))
            await viewer.drained()
            gate.answered()
    except ConnectionError:
        pass  # disconnected during a write
    finally:
        open_sockets.dec()
        sockets.discard(socket)
        viewer.schedule_close()
    return None


async def close_sockets(app: web.Application) -> None:
    """Send every client a close frame, because the server is stopping; earlier messages are answered first.

    A client that does not complete the close handshake in time is disconnected with the server.
    """
    sockets: set[web.WebSocketResponse] = app[SERVER].sockets
    closing = [asyncio.ensure_future(_send_farewell(socket)) for socket in sockets]
    if closing:
        _, late = await asyncio.wait(closing, timeout=CLOSING_SECONDS)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)


async def _send_farewell(socket: web.WebSocketResponse) -> None:
    await socket.close(code=WSCloseCode.GOING_AWAY, message=b"the server goes: connect again")


class Conversation:
    """The messages between one client and the server."""

    __slots__ = ("_allowance", "_has_scopes", "_request", "_server", "_turn", "viewer")

    def __init__(self, request: web.Request, viewer: Viewer, allowance: SocketAllowance) -> None:
        self.viewer = viewer
        self._server = server_of(request)
        self._request = request
        self._has_scopes = SCOPES in request  # cached, because looking up a missing key of a request is slow
        self._allowance = allowance
        self._turn = server_of(request).limits.turns.of(client_address(request))

    async def receive(self, text: str) -> None:
        """Execute one message and answer it; every error is answered with a refusal."""
        try:
            message = decode_client_message(text)
        except UnreadableMessage as error:
            self.refuse(BadMessage("The message cannot be read: {why}.", why=str(error)), error.id)
            return
        try:
            if self._has_scopes:
                check_scope(self._request, _SCOPES.get(type(message), "read"))
            sent = self.viewer.sent_bytes
            async with self._turn:
                await _carry_out(self._server, self.viewer, message)
            self._allowance.charge_later(self.viewer.sent_bytes - sent)
        except RefusalError as refusal:
            self.refuse(refusal, message.id)
        except Exception as error:
            self._fail(error, message)

    def refuse(self, refusal: RefusalError, id: str | None = None) -> None:
        """Answer with a refusal."""
        self._server.metrics.refusals.labels(refusal.code).inc()
        self._server.refusal_log.write(refusal)
        _send(self.viewer, refusal.reply(id))

    def _fail(self, error: Exception, message: ClientMessage) -> None:
        if (away := as_unavailable(error)) is not None:
            self._server.outages.log(error)
            self.refuse(away, message.id)
        elif isinstance(error, StoreError):
            log.exception("not_written")
            self.refuse(Internal("It is not known whether that was saved: send it again with the same id."), message.id)
        else:
            log.exception("failure", message=type(message).__name__)
            self.refuse(Internal("The server failed; its log says more."), message.id)


async def _carry_out(server: Server, viewer: Viewer, message: ClientMessage) -> None:
    """Execute a message, and answer it."""
    match message:
        case wire.Play() | wire.TakeBack() | wire.Resign():
            await _command(server, viewer, message)
        case wire.AskForHint():
            _send(viewer, await server.hints.answer(viewer.player, message))
        case analysis.AskIfWinnable():
            _send(viewer, await server.winnability.answer(viewer.player, message))
        case analysis.WatchAnalysis():
            _require_room(viewer)
            charge = viewer.reader.take if viewer.reader else no_charge
            await server.analyses.subscribe(viewer, message.game, charge, message.id)
        case analysis.UnwatchAnalysis():
            if not ids.is_valid(message.game):
                raise NotFound("There is no such game.")
            _unsubscribe(server, viewer, analysis_topic(message.game), message.id)
        case wire.Subscribe():
            _require_room(viewer)
            await server.spectating.subscribe(viewer, message)
        case wire.Unsubscribe():
            if not ids.is_valid(message.game):
                raise NotFound("There is no such game.")
            _unsubscribe(server, viewer, game_topic(message.game), message.id)
        case wire.WatchDay():
            _require_room(viewer)
            await server.progress.subscribe(viewer, message.day, message.id)
        case wire.UnwatchDay():
            _unsubscribe(server, viewer, day_topic(message.day), message.id)  # the contract checks a day's form
        case wire.WatchRace():
            _require_room(viewer)
            await server.live_races.subscribe(viewer, message.race, message.id)
        case wire.UnwatchRace():
            if not ids.is_valid(message.race):
                raise NotFound("There is no such race.")
            _unsubscribe(server, viewer, race_topic(message.race), message.id)
        case boards.WatchBoard():
            _require_room(viewer)
            server.live_boards.subscribe(viewer, message)
        case boards.UnwatchBoard():
            server.live_boards.unsubscribe(viewer, message)
        case chat.WatchTalk():
            _require_room(viewer)
            if viewer.player == ANONYMOUS:
                raise Unauthorized("Sign in first, or play as a guest.")
            await server.live_chat.subscribe(viewer, message.group, message.id)
        case chat.UnwatchTalk():
            if not ids.is_valid(message.group):
                raise NotFound("You are not in such a group.")
            _unsubscribe(server, viewer, talk_topic(message.group), message.id)
        case wire.Ping():
            _send(viewer, wire.Pong(id=message.id, at=server.now()))
        case _:
            assert_never(message)


def _send(viewer: Viewer, message: Message) -> None:
    """Send an answer."""
    viewer.write(frame(encode(message)))


async def _command(server: Server, viewer: Viewer, command: Command) -> None:
    if viewer.player == ANONYMOUS:
        raise Unauthorized("Sign in first, or play as a guest.")
    own = server.hub.subscribers(game_topic(command.game)).by_access_level[AccessLevel.SEAT]
    sent = own.sent_bytes
    answer = await server.commands.carry_out(viewer.player, command)
    viewer.sent_bytes += own.sent_bytes - sent
    server.feed.answer(viewer, answer.steps, is_repeated=answer.is_repeated)


def _unsubscribe(server: Server, viewer: Viewer, topic: str, id: str) -> None:
    server.hub.unsubscribe(viewer, topic)
    _send(viewer, wire.Done(id=id))


def _require_room(viewer: Viewer) -> None:
    if len(viewer.topics) >= MAX_SUBSCRIPTIONS:
        raise TooMany("One socket follows at most {count} games, days and rooms.", count=MAX_SUBSCRIPTIONS)
