"""The socket `/ws/v1`: one conversation with one client, answered in the order of its messages.

Frames are read one by one, so a client that sends faster than it reads only makes itself wait. What it follows is
pushed by the hub, past this conversation (`server.broadcast`).
"""

import structlog
from aiohttp import WSCloseCode, WSMsgType, web

from clients.wire import messages as wire
from clients.wire.codec import LARGEST_FRAME, UnreadableMessage, decode_client_message, encode
from clients.wire.messages import ClientMessage, Message
from server.broadcast import Viewer, frame
from server.hub import Hub
from server.keys import HUB, METRICS, SERVICE, SETTINGS, SOCKETS
from server.limits import Bucket
from server.metrics import Metrics
from server.origins import check_socket
from server.race_views import room
from server.refusals import BadMessage, Internal, RateLimited, RefusalError, TooMany, Unauthorized
from server.requests import asker
from server.service import Service
from server.store import StoreError

HEARTBEAT = 25.0
"""Seconds of silence after which a client is asked whether it lives; with no answer in half that time it is gone."""
QUEUE = 256 * 1024
"""Bytes that may wait for one client before it counts as slow."""
MOST_FOLLOWED = 256
"""Games, days and rooms that one socket may follow at once."""
NOBODY = ""
"""The player of a socket that nobody is signed in on; it may watch."""

log = structlog.stdlib.get_logger("cadogan.socket")


async def open_socket(request: web.Request) -> web.WebSocketResponse:
    """Hold a conversation until the client leaves or the server stops. Raises ForeignOrigin before it begins."""
    check_socket(request)
    player = await asker(request)
    socket = web.WebSocketResponse(heartbeat=HEARTBEAT, max_msg_size=LARGEST_FRAME + 1, compress=False)
    writer = await socket.prepare(request)
    transport = request.transport
    if transport is None:
        return socket
    transport.set_write_buffer_limits(high=QUEUE)
    service, metrics, hub = request.app[SERVICE], request.app[METRICS], request.app[HUB]
    viewer = Viewer(
        player.id if player else NOBODY,
        transport,
        request.protocol,
        drained=writer.drain,
        refresh=service.refresh,
        fell_behind=metrics.dropped_queues.inc,
    )
    settings = request.app[SETTINGS]
    conversation = Conversation(viewer, service, hub, metrics, Bucket(settings.rate, settings.burst))
    sockets = request.app[SOCKETS]
    sockets.add(socket)
    metrics.connections.inc()
    try:
        async for received in socket:
            if received.type is WSMsgType.TEXT:
                await conversation.hear(received.data)
            else:
                conversation.refuse_unreadable(BadMessage("messages are text frames"))
            await viewer.drained()
    except ConnectionError:
        pass  # gone while something was on its way
    finally:
        metrics.connections.dec()
        sockets.discard(socket)
        hub.forget(viewer)
    return socket


async def close_sockets(app: web.Application) -> None:
    """Tell every client that the server goes; what they had sent before is answered first."""
    sockets: set[web.WebSocketResponse] = app[SOCKETS]
    for socket in tuple(sockets):
        await socket.close(code=WSCloseCode.GOING_AWAY, message=b"the server goes: connect again")


class Conversation:
    """What is said between one client and the server."""

    __slots__ = ("_bucket", "_hub", "_metrics", "_service", "_viewer")

    def __init__(self, viewer: Viewer, service: Service, hub: Hub, metrics: Metrics, bucket: Bucket) -> None:
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
            self.refuse_unreadable(BadMessage(str(error)), error.id)
            return
        try:
            self._bucket.take()
            await self._carry_out(message)
        except RefusalError as refusal:
            self.refuse(refusal, message.id)
        except StoreError:
            log.exception("not_written")
            self.refuse(Internal("Nobody knows whether that was written: send it again with the same id."), message.id)
        except ConnectionError:
            raise
        except Exception:
            log.exception("failure", message=type(message).__name__)
            self.refuse(Internal("The server failed; its log says more."), message.id)

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
            raise TooMany(f"One socket follows at most {MOST_FOLLOWED} games, days and rooms.")

    def _say(self, message: Message) -> None:
        self._viewer.write(frame(encode(message)))
