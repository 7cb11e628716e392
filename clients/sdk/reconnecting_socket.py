"""The socket a conversation goes over: it comes back by itself, after a while that grows, with some chance in it."""

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from time import time_ns

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from clients.sdk.errors import ClientError, Unauthorized, Unreachable
from clients.sdk.protocol import Answered, Conversation, Delayed, Heard, Refused, Told, Watch
from clients.wire.codec import SIGNED_OUT, UnreadableMessage
from clients.wire.messages import ClientMessage, ServerMessage

FIRST_DELAY = 1.0
"""Seconds in which to come back the first time: any of them, so that a crowd does not come back all at once."""
LONGEST_DELAY = 15.0
"""Seconds before coming back, at first and at most."""
PATIENCE = 60.0
"""Seconds that a request waits for its answer."""
FAREWELL = 1.0
"""Seconds that the server gets to answer a good-bye."""

LARGEST_FRAME = 16 * 2**20
"""Bytes in the longest frame that is read: the progress of everybody on a busy day is one."""

Listener = Callable[[ServerMessage | ClientError], None]
"""Is told what is said of a topic, or why it cannot be followed any more."""


def milliseconds() -> int:
    """This machine's clock, in milliseconds since 1970."""
    return time_ns() // 1_000_000


class Line:
    """One socket after another to `address` (`ws://…`), with these headers; `chance` gives numbers from 0 to 1.

    It opens with the first thing that is asked of it, and is to be closed with `close`.
    """

    def __init__(self, address: str, headers: dict[str, str], chance: Callable[[], float] = random.random) -> None:
        self.conversation = Conversation(f"{random.getrandbits(48):x}", milliseconds)
        self.is_open = False
        self.on_change: Callable[[bool], None] | None = None
        """Is told when the socket opens and when it is gone."""
        self._address = address
        self._headers = headers
        self._chance = chance
        self._waiting: dict[str, asyncio.Future[ServerMessage]] = {}
        self._listeners: dict[str, list[Listener]] = {}
        self._to_send = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._failure: ClientError | None = None

    async def request(self, message: ClientMessage, patience: float = PATIENCE) -> ServerMessage:
        """Send a request and wait for its answer, over as many sockets as that takes.

        Raises RefusalError, or Unreachable after so many seconds.
        """
        self._start()
        answer: asyncio.Future[ServerMessage] = asyncio.get_running_loop().create_future()
        self._waiting[message.id] = answer
        self.conversation.ask(message)
        self._to_send.set()
        try:
            async with asyncio.timeout(patience):
                return await answer
        except TimeoutError:
            raise Unreachable(f"the server has not answered for {patience:g} seconds") from None
        finally:
            self._waiting.pop(message.id, None)
            self.conversation.forget(message.id)

    def follow(self, game: str, listener: Listener) -> Callable[[], None]:
        """Hear everything about a game, until the function returned is called."""
        return self._listen(f"game/{game}", listener, lambda: self.conversation.follow(game))

    def watch(self, watch: Watch, listener: Listener) -> Callable[[], None]:
        """Hear about a day, a race or a board, until the function returned is called."""
        return self._listen(self.conversation.watch(watch), listener, lambda: None)

    async def close(self) -> None:
        """Close the socket for good; whoever waits for an answer gets Unreachable."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self._fail(Unreachable("the connection was closed"))

    def _listen(self, topic: str, listener: Listener, ask: Callable[[], None]) -> Callable[[], None]:
        self._start()
        listeners = self._listeners.setdefault(topic, [])
        listeners.append(listener)
        ask()
        self._to_send.set()

        def stop() -> None:
            if listener not in listeners:
                return
            listeners.remove(listener)
            if not listeners and self._listeners.pop(topic, None) is not None:
                kind, _, name = topic.partition("/")
                if kind == "game":
                    self.conversation.unfollow(name)
                else:
                    self.conversation.unwatch(topic)
                self._to_send.set()

        return stop

    def _start(self) -> None:
        if self._failure is not None:
            raise self._failure
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        failures = 0
        while True:
            heard = False
            try:
                async with connect(
                    self._address,
                    additional_headers=self._headers,
                    compression=None,
                    max_size=LARGEST_FRAME,
                    close_timeout=FAREWELL,
                    proxy=None,
                ) as socket:
                    heard = await self._talk(socket)
            except InvalidStatus as error:
                if error.response.status_code in (401, 403):
                    self._fail(Unauthorized("The server does not know this token."))
                    return
            except (UnreadableMessage, Unauthorized) as error:
                self._fail(error)
                return
            except (OSError, TimeoutError, WebSocketException):
                pass
            failures = 0 if heard else failures + 1
            ceiling = min(LONGEST_DELAY, FIRST_DELAY * 2.0**failures)
            await asyncio.sleep(ceiling * self._chance())

    async def _talk(self, socket: ClientConnection) -> bool:
        """Talk until the socket is gone; whether anything was heard on it. Raises Unauthorized if its session ended."""
        self.conversation.opened()
        self._changed(True)
        writer = asyncio.create_task(self._write(socket))
        heard = False
        try:
            async for frame in socket:
                heard = True
                for one in self.conversation.receive(frame):
                    self._tell(one)
                self._to_send.set()
        except ConnectionClosed:
            pass
        finally:
            self.conversation.closed()
            self._changed(False)
            writer.cancel()
            with suppress(asyncio.CancelledError, ConnectionClosed):
                await writer
        if socket.close_code == SIGNED_OUT:
            raise Unauthorized("The session has ended: sign in again.")
        return heard

    async def _write(self, socket: ClientConnection) -> None:
        while True:
            for frame in self.conversation.outgoing():
                await socket.send(frame)
            await self._to_send.wait()
            self._to_send.clear()

    def _tell(self, heard: Heard) -> None:
        match heard:
            case Answered(id, message):
                if (answer := self._waiting.get(id)) is not None and not answer.done():
                    answer.set_result(message)
            case Refused(id, error, topic):
                if (answer := self._waiting.get(id)) is not None and not answer.done():
                    answer.set_exception(error)
                self._inform(topic or "", error)
            case Delayed(id, seconds):
                asyncio.get_running_loop().call_later(seconds, self._again, id)
            case Told(topic, message):
                self._inform(topic, message)

    def _inform(self, topic: str, news: ServerMessage | ClientError) -> None:
        """Tell every listener; one that fails keeps nothing from the others, and the loop hears of it."""
        for listener in tuple(self._listeners.get(topic, ())):
            try:
                listener(news)
            except Exception as error:
                asyncio.get_running_loop().call_exception_handler(
                    {"message": f"a listener to {topic} failed", "exception": error}
                )

    def _again(self, id: str) -> None:
        self.conversation.again(id)
        self._to_send.set()

    def _changed(self, is_open: bool) -> None:
        self.is_open = is_open
        if self.on_change is not None:
            self.on_change(is_open)

    def _fail(self, error: Exception) -> None:
        self._failure = error if isinstance(error, ClientError) else Unreachable(f"the server cannot be read: {error}")
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(self._failure)
        for topic in tuple(self._listeners):
            self._inform(topic, self._failure)
