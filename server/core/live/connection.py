"""Sends one frame to many connections: encoded once, the same bytes to each, without waiting for any of them.

A client that reads too slowly falls behind, which is logged (`viewer_fell_behind`). A player is disconnected with a
code that means *reconnect and resume*. A spectator's messages are dropped until the connection has drained; then one
full view replaces them (`viewer_caught_up`).

Messages pushed to spectators are charged to their network address. While it is in debt, they are behind as well.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from typing import Protocol

import structlog

from cadogan.server.core.games.visibility import AccessLevel
from cadogan.server.core.rate_limits import BYTES_PER_TOKEN, TokenBucket
from cadogan.wire.codec import FELL_BEHIND

log = structlog.stdlib.get_logger("cadogan.connection")

WRITES_PER_SLICE = 250
"""Connections that are written to before yielding to the event loop."""
MAX_QUEUE_BYTES = 256 * 1024
"""Bytes that may be buffered for one client before it counts as slow."""
MAX_LOGGED_TOPICS = 8
"""Maximum number of topics that are logged for a viewer who falls behind."""
ANONYMOUS = ""
"""The player id of a viewer that is not signed in; it may watch."""
DRAIN_TIMEOUT_SECONDS = 60.0
"""Seconds after which a client that reads nothing is disconnected."""
CLOSE_TIMEOUT_SECONDS = 5.0
"""Seconds for sending buffered bytes while a connection is being closed."""


def frame(payload: bytes) -> bytes:
    """Return an unmasked WebSocket text frame, whole and final (RFC 6455, section 5.2).

    >>> frame(b"{}")
    b'\\x81\\x02{}'
    """
    size = len(payload)
    if size < 126:
        return b"\x81" + size.to_bytes(1) + payload
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2) + payload
    return b"\x81\x7f" + size.to_bytes(8) + payload


def payload(framed: bytes) -> bytes | None:
    """Return the payload of a text frame built by `frame`; None for any other frame.

    >>> payload(frame(b"{}")), payload(frame(b"x" * 70_000)) == b"x" * 70_000, payload(close_frame(1000, ""))
    (b'{}', True, None)
    """
    if framed[0] != 0x81:
        return None
    return framed[{126: 4, 127: 10}.get(framed[1], 2) :]


def close_frame(code: int, reason: str) -> bytes:
    """Return an unmasked WebSocket close frame; the reason is ASCII of at most 123 characters."""
    payload = code.to_bytes(2) + reason.encode("ascii")
    return b"\x88" + len(payload).to_bytes(1) + payload


PUSH_TOKENS = 0.25
"""Tokens that a frame costs a spectator's address, besides its bytes."""
VIEW_TOKENS = 4.0
"""Tokens that a full view costs the address of a spectator that was behind."""
REPEATED_VIEW_PRICE = 16
"""Price factor for sending the same view of a game again on the same connection."""
MAX_VIEWS = 256
"""Games whose last sent version is stored for a connection."""


def push_price(size: int) -> float:
    """Return how many tokens it costs to push a frame of `size` bytes.

    >>> push_price(4096)
    1.25
    """
    return PUSH_TOKENS + size / BYTES_PER_TOKEN


class Transport(Protocol):
    """The methods of an asyncio transport that are used here."""

    def write(self, data: bytes) -> None: ...
    def close(self) -> None: ...
    def abort(self) -> None: ...
    def is_closing(self) -> bool: ...
    def get_write_buffer_size(self) -> int: ...


class Flow(Protocol):
    """The part of aiohttp's protocol that shows whether writing is paused."""

    @property
    def writing_paused(self) -> bool: ...


class Viewer:
    """One connection, its player, and its subscriptions: `topics`, each with the viewer's access level.

    `name` is the player's claimed name, if any; it is shown to others in the list of watchers. `connection` is the id
    of the request that opened it, which is logged with it.
    """

    __slots__ = (
        "_drained",
        "_dropped",
        "_flow",
        "_is_waiting",
        "_on_slow",
        "_recovery",
        "_refresh",
        "_transport",
        "_views",
        "address",
        "connection",
        "is_behind",
        "is_gone",
        "name",
        "player",
        "reader",
        "sent_bytes",
        "topics",
    )

    def __init__(
        self,
        player: str,
        transport: Transport,
        flow: Flow,
        drained: Callable[[], Awaitable[None]],
        refresh: "Callable[[Viewer], Awaitable[None]]",
        on_slow: Callable[[], None],
        name: str | None = None,
        connection: str = "",
        reader: TokenBucket | None = None,
        address: TokenBucket | None = None,
    ) -> None:
        """Write to this transport; `flow` shows when writing is paused.

        `drained` returns when the transport is writable again. `refresh` sends full views of all topics; `on_slow` is
        called when the viewer falls behind. The bucket `reader` is charged for games that are read for the viewer,
        `address` for messages pushed to it as a spectator.
        """
        self.player = player
        self.reader = reader
        self.address = address
        self.name = name
        self.connection = connection
        self.topics: dict[str, AccessLevel] = {}
        self.sent_bytes = 0
        """Bytes sent because of this client's requests: its answers, and its moves to its own viewers."""
        self.is_behind = False
        """Whether messages were dropped, so that a full view must be sent."""
        self.is_gone = False
        """Whether the connection is closed and can no longer subscribe."""
        self._transport = transport
        self._flow = flow
        self._refresh = refresh
        self._drained = drained
        self._on_slow = on_slow
        self._views: dict[str, int] = {}
        """The version of the last full view sent, by game."""
        self._dropped = 0
        self._is_waiting = False
        """Whether messages were dropped because the address is in debt."""
        self._recovery: asyncio.Task[None] | None = None

    def write(self, framed: bytes) -> None:
        """Send a frame regardless of the buffer size: for answers, one for each request."""
        self.sent_bytes += len(framed)
        if not self._transport.is_closing():
            self._transport.write(framed)

    def charge_view(self, game_id: str, version: int, size: int) -> None:
        """Charge a full view that repeats the last version sent `REPEATED_VIEW_PRICE` times its `size`."""
        if self._views.pop(game_id, None) == version:
            self.sent_bytes += size * (REPEATED_VIEW_PRICE - 1)
        self._views[game_id] = version
        if len(self._views) > MAX_VIEWS:
            del self._views[next(iter(self._views))]

    def push(self, framed: bytes, price: float = 0.0) -> None:
        """Send a frame, or drop it if the viewer is behind or falls behind by it.

        A frame with a price, in tokens, is also dropped if the viewer's address is in debt; a player's own have none.
        """
        if self._transport.is_closing():
            return
        if self.is_behind or (price and self._is_waiting):
            self._dropped += 1
        elif self._flow.writing_paused:
            self.mark_lagging()
        elif price and self.address is not None:
            self._push_for(framed, price, self.address)
        else:
            self._transport.write(framed)

    def _push_for(self, framed: bytes, price: float, address: TokenBucket) -> None:
        if address.is_in_debt():
            self._is_waiting = True
            self._dropped = 1
            self._on_slow()
            log.info(
                "viewer_held_back",
                connection=self.connection,
                player=self.player or None,
                topics=list(self.topics)[:MAX_LOGGED_TOPICS],
                seconds=round(address.seconds_to_wait(0), 1),
                reason="more is pushed to this address than it may have",
            )
            self._recovery = asyncio.ensure_future(self._recover())
        else:
            address.charge_later(price)
            self._transport.write(framed)

    def mark_lagging(self) -> None:
        """Drop messages from now on. A player is disconnected, to resume; a spectator gets full views once drained."""
        self.is_behind = True
        self._dropped += 1
        self._on_slow()
        plays = AccessLevel.SEAT in self.topics.values()
        log.info(
            "viewer_fell_behind",
            connection=self.connection,
            player=self.player or None,
            topics=list(self.topics)[:MAX_LOGGED_TOPICS],
            waiting_bytes=self._transport.get_write_buffer_size(),
            then="disconnected" if plays else "fresh view",
        )
        if plays:
            self.disconnect(FELL_BEHIND, "too slow: connect again and resume")
        elif not self._is_waiting:
            self._recovery = asyncio.ensure_future(self._recover())

    async def drained(self) -> None:
        """Wait until the connection is writable; return at once if it is, or is closed. Raises ConnectionError.

        A client that reads nothing for `DRAIN_TIMEOUT_SECONDS` is disconnected, to free its buffer.
        """
        if not self._flow.writing_paused or self._transport.is_closing():
            return
        try:
            async with asyncio.timeout(DRAIN_TIMEOUT_SECONDS):
                await self._drained()
        except TimeoutError:
            self._transport.abort()
            raise ConnectionAbortedError("the client does not read") from None

    def schedule_close(self) -> None:
        """Close the connection soon, after its buffer is sent."""
        asyncio.get_running_loop().call_later(CLOSE_TIMEOUT_SECONDS, self._transport.abort)

    def disconnect(self, code: int, reason: str) -> None:
        """Close the connection with this WebSocket code; abort it if the close frame cannot be sent."""
        if not self._transport.is_closing():
            self._transport.write(close_frame(code, reason))
            self._transport.close()
            asyncio.get_running_loop().call_later(CLOSE_TIMEOUT_SECONDS, self._transport.abort)

    def forget(self) -> None:
        """Mark the connection as closed."""
        self.is_gone = self.is_behind = True
        if self._recovery is not None:
            self._recovery.cancel()

    async def _recover(self) -> None:
        since = time.monotonic()
        try:
            await self.drained()
            while self.address is not None and self.address.is_in_debt():
                await asyncio.sleep(self.address.seconds_to_wait(0))
                await self.drained()
            if self.address is not None:
                self.address.charge_later(VIEW_TOKENS * len(self.topics))
            dropped, self._dropped = self._dropped, 0
            self.is_behind = self._is_waiting = False
            await self._refresh(self)
            log.info(
                "viewer_caught_up",
                connection=self.connection,
                dropped_messages=dropped,
                seconds=round(time.monotonic() - since, 1),
            )
        except ConnectionError:
            pass  # closed meanwhile
        except Exception:
            log.exception("no_fresh_view", connection=self.connection)
            self.disconnect(FELL_BEHIND, "connect again and resume")


class Channel:
    """Sends frames to one group of viewers, in order.

    A few hundred connections are written to at once. More are written to in slices, between which the event loop does
    other work; each frame goes to the viewers subscribed when it was sent, and later frames are queued.
    """

    __slots__ = ("_is_charged", "_waiting", "sending", "sent_bytes", "viewers")

    def __init__(self, is_charged: bool = False) -> None:
        """With `is_charged`, frames are charged to the addresses of the viewers."""
        self._is_charged = is_charged
        self.viewers: dict[Viewer, None] = {}
        self.sent_bytes = 0
        """Bytes sent to all viewers together."""
        self._waiting: deque[tuple[bytes, Collection[Viewer]]] = deque()
        self.sending: asyncio.Task[None] | None = None
        """The task that sends the queued frames, while there are any."""

    def send(self, framed: bytes) -> None:
        """Send a frame to everyone who is subscribed now."""
        self.sent_bytes += len(framed) * len(self.viewers)
        if self.sending is None and len(self.viewers) <= WRITES_PER_SLICE:
            price = push_price(len(framed)) if self._is_charged else 0.0
            for viewer in self.viewers:
                viewer.push(framed, price)
            return
        self._waiting.append((framed, tuple(self.viewers)))
        if self.sending is None:
            self.sending = asyncio.ensure_future(self._send_waiting())

    async def _send_waiting(self) -> None:
        try:
            while self._waiting:
                framed, viewers = self._waiting.popleft()
                ready = tuple(viewers)
                price = push_price(len(framed)) if self._is_charged else 0.0
                for start in range(0, len(ready), WRITES_PER_SLICE):
                    for viewer in ready[start : start + WRITES_PER_SLICE]:
                        viewer.push(framed, price)
                    await asyncio.sleep(0)
        finally:
            self.sending = None
