"""The socket `/ws/v1`: one conversation with one client, answered in the order of its messages.

Frames are read one by one, so a client that sends faster than it reads only makes itself wait. What it follows is
pushed by the hub, past this conversation (`server.realtime.connection`).
"""

import asyncio

import structlog
from aiohttp import WSCloseCode, WSMsgType, web

from clients.wire import messages as wire
from clients.wire.codec import LARGEST_FRAME, UnreadableMessage, decode_client_message, encode
from clients.wire.messages import ClientMessage, Message
from server.competitions.races.live import room
from server.core.errors import BadMessage, Internal, RateLimited, RefusalError, TooMany, Unauthorized
from server.core.metrics import Metrics
from server.core.rate_limits import TokenBucket
from server.eventlog.database_errors import as_unavailable
from server.eventlog.event_store import StoreError
from server.http.app_keys import HUB, METRICS, SERVICE, SETTINGS, SOCKETS
from server.http.origin_check import check_socket_origin
from server.http.requests import asker
from server.http.viewer_session import viewing
from server.play.game_commands import Service
from server.realtime.connection import NOBODY, QUEUE, Viewer, frame
from server.realtime.hub import Hub

HEARTBEAT = 25.0
"""Seconds of silence after which a client is asked whether it lives; with no answer in half that time it is gone."""
MOST_FOLLOWED = 256
"""Games, days and rooms that one socket may follow at once."""

log = structlog.stdlib.get_logger("cadogan.socket")


def share(shutdown: int) -> float:
    """Seconds that each of a stop's three steps may wait for clients: good-byes, answers, and what is then cancelled.

    The rest of the time is for what waits for the database and the bus.

    >>> share(10), share(0)
    (1.25, 0.5)
    """
    return max(shutdown / 8, 0.5)


async def open_socket(request: web.Request) -> web.WebSocketResponse:
    """Hold a conversation until the client leaves or the server stops. Raises ForeignOrigin before it begins."""
    check_socket_origin(request)
    player = await asker(request)
    socket = web.WebSocketResponse(heartbeat=HEARTBEAT, max_msg_size=LARGEST_FRAME + 1, compress=False)
    writer = await socket.prepare(request)
    transport = request.transport
    if transport is None:
        return socket
    transport.set_write_buffer_limits(high=QUEUE)
    settings, service, metrics = request.app[SETTINGS], request.app[SERVICE], request.app[METRICS]
    sockets, hub = request.app[SOCKETS], request.app[HUB]
    with viewing(request, player, transport, writer.drain) as viewer:
        conversation = Conversation(viewer, service, hub, metrics, TokenBucket(settings.rate, settings.burst))
        sockets.add(socket)
        metrics.connections.inc()
        try:
            async for received in socket:
                if received.type is WSMsgType.ERROR:
                    break  # it does not keep to the protocol, or gives no sign of life
                if received.type is WSMsgType.TEXT:
                    await conversation.hear(received.data)
                else:
                    conversation.refuse_unreadable(BadMessage("Messages are text frames."))
                await viewer.drained()
        except ConnectionError:
            pass  # gone while something was on its way
        finally:
            metrics.connections.dec()
            sockets.discard(socket)
            viewer.drop()
    return socket


async def close_sockets(app: web.Application) -> None:
    """Tell every client that the server goes; what they had sent before is answered first.

    Whoever does not say good-bye in time is not waited for: the connection ends with the server.
    """
    sockets: set[web.WebSocketResponse] = app[SOCKETS]
    closing = [asyncio.ensure_future(_say_good_bye(socket)) for socket in sockets]
    if closing:
        _, late = await asyncio.wait(closing, timeout=share(app[SETTINGS].shutdown))
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)


async def _say_good_bye(socket: web.WebSocketResponse) -> None:
    await socket.close(code=WSCloseCode.GOING_AWAY, message=b"the server goes: connect again")


class Conversation:
    """What is said between one client and the server."""

    __slots__ = ("_bucket", "_hub", "_metrics", "_service", "_viewer")

    def __init__(self, viewer: Viewer, service: Service, hub: Hub, metrics: Metrics, bucket: TokenBucket) -> None:
        self._viewer = viewer
        self._service = service
        self._hub = hub
        self._metrics = metrics
        self._bucket = bucket

    async def hear(self, text: str) -> None:
        """Carry out one message and answer it; whatever goes wrong, the answer says so."""
        try:
            message = decode_client_message(text)
        except UnreadableMessage as error:
            self.refuse_unreadable(BadMessage("The message cannot be read: {why}.", why=str(error)), error.id)
            return
        try:
            self._bucket.take()
            await self._carry_out(message)
        except RefusalError as refusal:
            self.refuse(refusal, message.id)
        except Exception as error:
            self._fail(error, message)

    def refuse_unreadable(self, refusal: BadMessage, id: str | None = None) -> None:
        """Answer what is no message; it counts like one, so that nobody gets round the limit by it."""
        try:
            self._bucket.take()
        except RateLimited as limited:
            self.refuse(limited, id)
        else:
            self.refuse(refusal, id)

    def refuse(self, refusal: RefusalError, id: str | None) -> None:
        """Answer with a refusal."""
        self._metrics.refusals.labels(refusal.code).inc()
        self._say(refusal.reply(id))

    def _fail(self, error: Exception, message: ClientMessage) -> None:
        if (away := as_unavailable(error)) is not None:
            log.warning("unavailable", reason=type(error).__name__, message=type(message).__name__)
            self.refuse(away, message.id)
        elif isinstance(error, StoreError):
            log.exception("not_written")
            self.refuse(Internal("Nobody knows whether that was written: send it again with the same id."), message.id)
        else:
            log.exception("failure", message=type(message).__name__)
            self.refuse(Internal("The server failed; its log says more."), message.id)

    async def _carry_out(self, message: ClientMessage) -> None:
        viewer = self._viewer
        match message:
            case wire.Play() | wire.TakeBack() | wire.Resign():
                if viewer.player == NOBODY:
                    raise Unauthorized("Sign in first, or begin as a guest.")
                await self._service.command(viewer.player, message, viewer)
            case wire.Subscribe():
                self._may_follow()
                await self._service.watching.subscribe(viewer, message)
            case wire.Unsubscribe():
                self._hub.unfollow(viewer, message.game)
                self._say(wire.Done(id=message.id))
            case wire.WatchDay():
                self._may_follow()
                await self._service.watching.watch_day(viewer, message)
            case wire.UnwatchDay():
                self._hub.unfollow_day(viewer, message.day)
                self._say(wire.Done(id=message.id))
            case wire.WatchRace():
                self._may_follow()
                await self._service.race_views.watch(viewer, message)
            case wire.UnwatchRace():
                self._hub.go_out(viewer, room(message.race))
                self._say(wire.Done(id=message.id))
            case wire.WatchBoard():
                self._may_follow()
                self._service.live_boards.watch(viewer, message)
            case wire.UnwatchBoard():
                self._service.live_boards.unwatch(viewer, message)
            case wire.Ping():
                self._say(wire.Pong(id=message.id, at=self._service.now()))

    def _may_follow(self) -> None:
        if len(self._viewer.games) + len(self._viewer.days) + len(self._viewer.rooms) >= MOST_FOLLOWED:
            raise TooMany("One socket follows at most {count} games, days and rooms.", count=MOST_FOLLOWED)

    def _say(self, message: Message) -> None:
        self._viewer.write(frame(encode(message)))
