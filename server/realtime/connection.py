"""Writing one frame to many sockets: encoded once, the same bytes to each, and nobody awaited.

A socket whose client reads too slowly is never waited for. A player is cut off with a code that means *connect again
and resume*; a spectator's messages are dropped until the socket has drained, then one fresh view makes up for them.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from typing import Protocol

import structlog

from clients.wire.codec import FELL_BEHIND
from server.games.visibility import Sight

log = structlog.stdlib.get_logger("cadogan.broadcast")

SLICE = 250
"""How many sockets are written to before the loop gets a breath."""
QUEUE = 256 * 1024
"""Bytes that may wait for one client before it counts as slow."""
NOBODY = ""
"""The player of a viewer that nobody is signed in as; it may watch."""
DRAIN_PATIENCE = 60.0
"""Seconds after which a client that takes nothing of what waits for it is given up."""
CLOSE_PATIENCE = 5.0
"""Seconds that a socket cut off has to take what is still on its way."""


def frame(payload: bytes) -> bytes:
    """An unmasked WebSocket text frame (RFC 6455, 5.2), whole and final.

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
    """What is in a text frame that `frame` made; None for any other frame.

    >>> payload(frame(b"{}")), payload(frame(b"x" * 70_000)) == b"x" * 70_000, payload(close_frame(1000, ""))
    (b'{}', True, None)
    """
    if framed[0] != 0x81:
        return None
    return framed[{126: 4, 127: 10}.get(framed[1], 2) :]


def close_frame(code: int, reason: str) -> bytes:
    """An unmasked WebSocket close frame; the reason is ASCII of at most 123 characters."""
    payload = code.to_bytes(2) + reason.encode("ascii")
    return b"\x88" + len(payload).to_bytes(1) + payload


class Transport(Protocol):
    """The side of an asyncio transport that is used here."""

    def write(self, data: bytes) -> None: ...
    def close(self) -> None: ...
    def abort(self) -> None: ...
    def is_closing(self) -> bool: ...


class Flow(Protocol):
    """The side of aiohttp's protocol that says whether its socket takes no more for now."""

    @property
    def writing_paused(self) -> bool: ...


class Viewer:
    """One socket, whose it is, and what it follows: `games` with the sight it has of each, `days`, and `rooms`.

    Its `name` is the player's, if one was claimed: others may see that somebody of that name watches.
    """

    __slots__ = (
        "_drained",
        "_fell_behind",
        "_flow",
        "_recovery",
        "_refresh",
        "_transport",
        "behind",
        "days",
        "games",
        "gone",
        "name",
        "player",
        "rooms",
    )

    def __init__(
        self,
        player: str,
        transport: Transport,
        flow: Flow,
        drained: Callable[[], Awaitable[None]],
        refresh: "Callable[[Viewer], Awaitable[None]]",
        fell_behind: Callable[[], None],
        name: str | None = None,
    ) -> None:
        self.player = player
        self.name = name
        self.games: dict[str, Sight] = {}
        self.days: set[str] = set()
        self.rooms: set[str] = set()
        self.behind = False
        """Whether messages were dropped and a fresh view is owed."""
        self.gone = False
        """Whether the socket is closed, and nothing may follow anything for it any more."""
        self._transport = transport
        self._flow = flow
        self._refresh = refresh
        self._drained = drained
        self._fell_behind = fell_behind
        self._recovery: asyncio.Task[None] | None = None

    def write(self, framed: bytes) -> None:
        """Put a frame on its way, however many are before it: for answers, of which each request has one."""
        if not self._transport.is_closing():
            self._transport.write(framed)

    def push(self, framed: bytes) -> None:
        """Put a frame on its way unless the socket is behind; if it is now, begin its recovery."""
        if self.behind or self._transport.is_closing():
            return
        if self._flow.writing_paused:
            self.fall_behind()
        else:
            self._transport.write(framed)

    def fall_behind(self) -> None:
        """Stop pushing. A player is cut off, to resume; a spectator gets fresh views once the socket has drained."""
        self.behind = True
        self._fell_behind()
        if Sight.SEAT in self.games.values():
            self.cut_off(FELL_BEHIND, "too slow: connect again and resume")
        else:
            self._recovery = asyncio.ensure_future(self._recover())

    async def drained(self) -> None:
        """Wait until the socket takes more; return at once if it does, or is gone. Raises ConnectionError.

        One that takes nothing for `DRAIN_PATIENCE` seconds is dropped: its client would hold what waits for ever.
        """
        if not self._flow.writing_paused or self._transport.is_closing():
            return
        try:
            async with asyncio.timeout(DRAIN_PATIENCE):
                await self._drained()
        except TimeoutError:
            self._transport.abort()
            raise ConnectionAbortedError("the client does not read") from None

    def drop(self) -> None:
        """The conversation is over: what is still on its way gets a little time, then the connection ends."""
        asyncio.get_running_loop().call_later(CLOSE_PATIENCE, self._transport.abort)

    def cut_off(self, code: int, reason: str) -> None:
        """Close the socket with this code, and drop it if the close does not get through."""
        if not self._transport.is_closing():
            self._transport.write(close_frame(code, reason))
            self._transport.close()
            asyncio.get_running_loop().call_later(CLOSE_PATIENCE, self._transport.abort)

    def forget(self) -> None:
        """End the recovery: the socket is gone."""
        self.gone = self.behind = True
        if self._recovery is not None:
            self._recovery.cancel()

    async def _recover(self) -> None:
        try:
            await self.drained()
            self.behind = False
            await self._refresh(self)
        except ConnectionError:
            pass  # gone meanwhile
        except Exception:
            log.exception("no_fresh_view")
            self.cut_off(FELL_BEHIND, "connect again and resume")


class Channel:
    """Frames on their way to one group of viewers, in order.

    A few hundred sockets are written to at once. More are written to in slices with a breath between them, each frame
    to those who followed when it was sent, and the frames behind it wait their turn.
    """

    __slots__ = ("_pump", "_waiting", "viewers")

    def __init__(self) -> None:
        self.viewers: dict[Viewer, None] = {}
        self._waiting: deque[tuple[bytes, Collection[Viewer]]] = deque()
        self._pump: asyncio.Task[None] | None = None

    def send(self, framed: bytes) -> None:
        """Put a frame on its way to everyone who follows now."""
        if self._pump is None and len(self.viewers) <= SLICE:
            for viewer in self.viewers:
                viewer.push(framed)
            return
        self._waiting.append((framed, tuple(self.viewers)))
        if self._pump is None:
            self._pump = asyncio.ensure_future(self._run())

    async def _run(self) -> None:
        try:
            while self._waiting:
                framed, viewers = self._waiting.popleft()
                ready = tuple(viewers)
                for start in range(0, len(ready), SLICE):
                    for viewer in ready[start : start + SLICE]:
                        viewer.push(framed)
                    await asyncio.sleep(0)
        finally:
            self._pump = None
