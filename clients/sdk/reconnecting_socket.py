"""A WebSocket that connects again by itself, with exponential backoff and jitter. It drives `ClientProtocol`."""

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from time import time_ns

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from cadogan.sdk.errors import ClientError, Unauthorized, Unreachable
from cadogan.sdk.protocol import Answered, ClientProtocol, Delayed, Event, Refused, TopicMessage, Watch
from cadogan.sdk.retries import REQUEST_TIMEOUT_SECONDS, backoff_seconds
from cadogan.wire.codec import SIGNED_OUT, UnreadableMessage
from cadogan.wire.messages import ClientMessage, ServerMessage

CLOSE_TIMEOUT_SECONDS = 1.0
"""How long the server gets to answer the closing handshake."""

MAX_SERVER_FRAME_BYTES = 16 * 2**20
"""The longest frame that is read. Everybody's progress on a busy day comes in one frame."""

Listener = Callable[[ServerMessage | ClientError], None]
"""Called with each message about a topic, or with the error that ends the subscription."""


def now_milliseconds() -> int:
    """Return the time of this machine's clock, in milliseconds since 1970."""
    return time_ns() // 1_000_000


class ReconnectingSocket:
    """Requests and subscriptions over one WebSocket after another.

    The first socket opens with the first request or subscription. Call `close` at the end.

    `address` is a `ws://` or `wss://` URL, `headers` returns what is sent with each handshake. A request waits
    for its answer for `timeout_seconds`, all sockets together. `random_fraction` returns numbers from 0
    to 1 for the jitter.

    If the server ends the session while a new token is in transit, as when the player claims a name, the socket opens
    again with the new one.
    """

    def __init__(
        self,
        address: str,
        headers: Callable[[], dict[str, str]],
        timeout_seconds: float = REQUEST_TIMEOUT_SECONDS,
        random_fraction: Callable[[], float] = random.random,
    ) -> None:
        self.protocol = ClientProtocol(f"{random.getrandbits(48):x}", now_milliseconds)
        self.is_open = False
        self._address = address
        self._headers = headers
        self.timeout_seconds = timeout_seconds
        self._random_fraction = random_fraction
        self._answers: dict[str, asyncio.Future[ServerMessage]] = {}
        self._deadlines: dict[str, float] = {}
        """When each request times out, on the clock of the event loop."""
        self._listeners: dict[str, list[Listener]] = {}
        self._to_send = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._failure: ClientError | None = None

    def start(self) -> None:
        """Start to connect. Requests and subscriptions do this. Raises the error that ended the connection."""
        if self._failure is not None:
            raise self._failure
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def request(self, message: ClientMessage) -> ServerMessage:
        """Send a request and return its answer. If the socket breaks, the request is sent again on the next one.

        If the server refuses with a `retry_after`, the request is retried while time is left. Raises RefusalError if
        the server refuses, or Unreachable if there is no answer after `timeout_seconds`.
        """
        self.start()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[ServerMessage] = loop.create_future()
        self._answers[message.id] = answer
        self._deadlines[message.id] = loop.time() + self.timeout_seconds
        self.protocol.send_request(message)
        self._to_send.set()
        try:
            async with asyncio.timeout_at(self._deadlines[message.id]):
                return await answer
        except TimeoutError:
            raise Unreachable(f"the server has not answered for {self.timeout_seconds:g} seconds") from None
        finally:
            del self._answers[message.id], self._deadlines[message.id]
            self.protocol.cancel_request(message.id)

    def subscribe(self, game: str, listener: Listener) -> Callable[[], None]:
        """Call the listener with every message about a game. Returns a function that ends the subscription."""
        return self._add_listener(f"game/{game}", listener, lambda: self.protocol.subscribe(game))

    def watch(self, watch: Watch, listener: Listener) -> Callable[[], None]:
        """Call the listener with every message about a watched topic. Returns a function that stops it."""
        return self._add_listener(self.protocol.watch(watch), listener, lambda: None)

    async def close(self) -> None:
        """Close the socket for good. Requests that wait for an answer raise Unreachable."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self._fail(Unreachable("the connection was closed"))

    def receive_frame(self, frame: str | bytes) -> None:
        """Process a frame of the server as if it had come over the socket. Raises UnreadableMessage."""
        for event in self.protocol.receive_frame(frame):
            self._dispatch(event)
        self._to_send.set()

    def _add_listener(self, topic: str, listener: Listener, subscribe: Callable[[], None]) -> Callable[[], None]:
        self.start()
        listeners = self._listeners.setdefault(topic, [])
        listeners.append(listener)
        subscribe()
        self._to_send.set()

        def stop() -> None:
            if listener not in listeners:
                return
            listeners.remove(listener)
            if not listeners and self._listeners.pop(topic, None) is not None:
                kind, _, name = topic.partition("/")
                if kind == "game":
                    self.protocol.unsubscribe(name)
                else:
                    self.protocol.unwatch(topic)
                self._to_send.set()

        return stop

    async def _run(self) -> None:
        failures = 0
        while True:
            received = False
            ended: Unauthorized | None = None
            headers = self._headers()
            try:
                async with connect(
                    self._address,
                    additional_headers=headers,
                    compression=None,
                    max_size=MAX_SERVER_FRAME_BYTES,
                    close_timeout=CLOSE_TIMEOUT_SECONDS,
                    proxy=None,
                ) as socket:
                    received = await self._use(socket)
            except InvalidStatus as error:
                if error.response.status_code in (401, 403):
                    ended = Unauthorized("The server does not know this token.")
            except Unauthorized as error:
                ended = error
            except UnreadableMessage as error:
                self._fail(error)
                return
            except (OSError, TimeoutError, WebSocketException):
                pass
            failures = 0 if received else failures + 1
            await asyncio.sleep(backoff_seconds(failures, self._random_fraction()))
            if ended is not None and self._headers() == headers:
                self._fail(ended)
                return

    async def _use(self, socket: ClientConnection) -> bool:
        """Send and receive until the socket closes; return whether any frame came. Raises Unauthorized."""
        self.protocol.connection_made()
        self.is_open = True
        writer = asyncio.create_task(self._write(socket))
        received = False
        try:
            async for frame in socket:
                received = True
                self.receive_frame(frame)
        except ConnectionClosed:
            pass
        finally:
            self.protocol.connection_lost()
            self.is_open = False
            writer.cancel()
            with suppress(asyncio.CancelledError, ConnectionClosed):
                await writer
        if socket.close_code == SIGNED_OUT:
            raise Unauthorized("The session has ended: sign in again.")
        return received

    async def _write(self, socket: ClientConnection) -> None:
        while True:
            for frame in self.protocol.frames_to_send():
                await socket.send(frame)
            await self._to_send.wait()
            self._to_send.clear()

    def _dispatch(self, event: Event) -> None:
        match event:
            case Answered(id, message):
                if (answer := self._answers.get(id)) is not None and not answer.done():
                    answer.set_result(message)
            case Refused(id, error, topic):
                if (answer := self._answers.get(id)) is not None and not answer.done():
                    answer.set_exception(error)
                self._call_listeners(topic or "", error)
            case Delayed(id, seconds, error):
                loop = asyncio.get_running_loop()
                deadline = self._deadlines.get(id)
                answer = self._answers.get(id)
                if deadline is None or answer is None or loop.time() + seconds < deadline:
                    loop.call_later(seconds, self._resend, id)
                elif not answer.done():
                    answer.set_exception(error)
            case TopicMessage(topic, message):
                self._call_listeners(topic, message)

    def _call_listeners(self, topic: str, news: ServerMessage | ClientError) -> None:
        """Call every listener of a topic. An exception in one goes to the loop's handler; the others are called."""
        for listener in tuple(self._listeners.get(topic, ())):
            try:
                listener(news)
            except Exception as error:
                asyncio.get_running_loop().call_exception_handler(
                    {"message": f"a listener to {topic} failed", "exception": error}
                )

    def _resend(self, id: str) -> None:
        self.protocol.resend_request(id)
        self._to_send.set()

    def _fail(self, error: Exception) -> None:
        self._failure = error if isinstance(error, ClientError) else Unreachable(f"the server cannot be read: {error}")
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(self._failure)
        for topic in tuple(self._listeners):
            self._call_listeners(topic, self._failure)
