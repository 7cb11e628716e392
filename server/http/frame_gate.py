"""The gate in front of a socket: it passes the frames of a client on at the allowed rate.

Past its rate limit a connection is not read until its next token is due, so TCP flow control slows the client down.
Every frame costs a token: a message, a fragment of one, a ping or a pong; so does every read that completes no frame. A
client with a large backlog for too long is disconnected, and so is one whose frames are not masked.

The gate stands between the transport and aiohttp's protocol, which sees only the passed frames.
"""

import asyncio
from collections.abc import Callable
from secrets import token_bytes
from typing import NamedTuple, Protocol, cast

from aiohttp import WSCloseCode

from cadogan.wire.codec import MAX_CLIENT_FRAME_BYTES

MAX_UNANSWERED = 8
"""Messages that are passed on before the first of them is answered."""
MAX_BACKLOG_BYTES = 16 * 1024
"""Bytes that may wait at the gate without a time limit."""
BACKLOG_SECONDS = 10.0
"""Seconds for which more bytes may wait; then the client is disconnected."""
READ_BYTES = 64 * 1024
"""Maximum bytes of one read from the operating system."""
READ_SECONDS = 0.001
"""Time limit of one read of a paused connection, in seconds."""
DISCARD_INTERVAL_SECONDS = 0.1
"""Seconds between two reads of a client that is being disconnected."""

_read = memoryview(bytearray(READ_BYTES))
"""The read buffer shared by all connections: its content is copied at once."""
_HEADER_BYTES = 14
_PING = b"\x89\x84" + bytes(4)
_OPCODES = frozenset((0x0, 0x1, 0x2, 0x8, 0x9, 0xA))


class Verdict(NamedTuple):
    """The close code and reason with which a client is disconnected."""

    code: int
    reason: str


UNMASKED = Verdict(WSCloseCode.PROTOCOL_ERROR, "the frames of a client are masked")
NO_FRAME = Verdict(WSCloseCode.PROTOCOL_ERROR, "that is no frame")
EARLY = Verdict(WSCloseCode.PROTOCOL_ERROR, "send nothing before the handshake is answered")
TOO_FAST = Verdict(WSCloseCode.POLICY_VIOLATION, "too many messages: wait for the answers")


class Inner(Protocol):
    """The methods of aiohttp's protocol that are used here."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None: ...
    def data_received(self, data: bytes) -> None: ...
    def eof_received(self) -> None: ...
    def connection_lost(self, exc: BaseException | None) -> None: ...
    def pause_writing(self) -> None: ...
    def resume_writing(self) -> None: ...


class FrameGate(asyncio.BufferedProtocol):
    """The gate of one connection. It is closed at first, and buffers all incoming data."""

    def __init__(
        self,
        transport: asyncio.Transport,
        inner: Inner,
        take: Callable[[], float],
        is_at_fault: Callable[[], bool],
        on_pause: Callable[[], None],
    ) -> None:
        """Connect a transport and the protocol `inner`.

        `take` takes a token for a frame, or returns the seconds to wait for one. `is_at_fault` returns whether this
        connection itself is too fast, and not only its address. `on_pause` is called when the connection must wait.
        """
        self.verdict: Verdict | None = None
        """Why the client is to be disconnected, if it is."""
        self._transport = transport
        self._inner = inner
        self._take = take
        self._is_at_fault = is_at_fault
        self._on_pause = on_pause
        self._loop = asyncio.get_running_loop()
        self._held = bytearray()
        self._first = token_bytes(4)
        self._unanswered = 0
        self._is_open = self._is_paused = self._is_waiting = self._is_discarding = False
        self._over_since: float | None = None
        transport.set_protocol(self)

    def open(self) -> None:
        """Start passing frames on; the first is a ping of the gate itself, recognised by `is_first`."""
        self._is_open = True
        self._inner.data_received(_PING + self._first)
        self._advance()

    def is_first(self, ping: bytes) -> bool:
        """Return whether this is the payload of the ping of `open`; earlier frames came before the gate."""
        return ping == self._first

    def leave(self) -> None:
        """Remove the gate: the connection does not become a WebSocket."""
        self._transport.set_protocol(cast(asyncio.Protocol, self._inner))
        self._resume()
        if self._held:
            self._inner.data_received(bytes(self._held))

    def answered(self) -> None:
        """Record that a message was answered, so that the next one may be passed on."""
        self._unanswered -= 1
        if self._is_open and self._is_paused and not self._is_waiting and self._unanswered <= MAX_UNANSWERED // 2:
            self._advance()

    def discard(self) -> None:
        """Keep reading slowly and drop everything, so that the client can read why it is disconnected."""
        self._is_discarding = True
        self._held.clear()
        self._resume()

    def get_buffer(self, sizehint: int) -> memoryview:
        return _read

    def buffer_updated(self, nbytes: int) -> None:
        if self._is_discarding:
            self._pause()
            self._loop.call_later(DISCARD_INTERVAL_SECONDS, self._resume)
            return
        self._held += _read[:nbytes]
        if self._is_waiting or not self._is_open or self._unanswered >= MAX_UNANSWERED:
            self._pause()
        else:
            self._advance(has_read=True)

    def eof_received(self) -> None:
        self._inner.eof_received()

    def connection_lost(self, exc: BaseException | None) -> None:
        self._is_open = False
        self._is_discarding = True
        self._inner.connection_lost(exc)

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()

    def _advance(self, has_read: bool = False) -> None:
        """Pass on the frames that are allowed now; if more are buffered, wait for the next token or the next answer."""
        end, wait, held = 0, 0.0, self._held
        while self._unanswered < MAX_UNANSWERED:
            size = self._frame_size(end)
            if self.verdict:
                break
            if not size or end + size > len(held):
                if has_read and not end:
                    wait = self._take()
                break
            if wait := self._take():
                break
            self._unanswered += held[end] >= 0x80  # a whole message, or the end of one
            end += size
        if end:
            let_through = bytes(held[:end])
            del held[:end]
            self._inner.data_received(let_through)
        if wait:
            self._wait(wait)
        if self.verdict:
            self._end()
        elif wait or self._unanswered >= MAX_UNANSWERED:
            self._pause()
        else:
            self._over_since = None
            self._resume()

    def _frame_size(self, start: int) -> int:
        """Return the length of the frame that begins at `start`; 0 if its header is incomplete. Sets `verdict`."""
        header = self._held[start : start + _HEADER_BYTES]
        if len(header) < 2:
            return 0
        if header[0] & 0x70 or header[0] & 0x0F not in _OPCODES:
            self.verdict = NO_FRAME
        elif not header[1] & 0x80:
            self.verdict = UNMASKED
        length = header[1] & 0x7F
        if length < 126:
            return 6 + length
        start = 4 if length == 126 else 10
        if len(header) < start:
            return 0
        length = int.from_bytes(header[2:start])
        if length > MAX_CLIENT_FRAME_BYTES:
            self.verdict = self.verdict or Verdict(
                WSCloseCode.MESSAGE_TOO_BIG, f"a frame has at most {MAX_CLIENT_FRAME_BYTES} bytes"
            )
        return start + 4 + length

    def _wait(self, seconds: float) -> None:
        self._on_pause()
        if self._is_flooding():
            self.verdict = TOO_FAST
            return
        self._is_waiting = True
        self._loop.call_later(seconds, self._read_on)

    def _is_flooding(self) -> bool:
        if not self._is_at_fault():
            self._over_since = None
            return False
        if len(self._held) <= MAX_BACKLOG_BYTES:
            return False
        now = self._loop.time()
        self._over_since = self._over_since or now
        return now - self._over_since > BACKLOG_SECONDS

    def _read_on(self) -> None:
        """Read more data, unless enough is buffered; then pass more frames on."""
        if len(self._held) <= MAX_BACKLOG_BYTES:
            self._resume()
        self._loop.call_later(READ_SECONDS, self._continue)

    def _continue(self) -> None:
        self._is_waiting = False
        if self._is_open:
            self._advance()

    def _end(self) -> None:
        """Wake up the reader that waits for the next message, so that it finds the verdict."""
        self._is_open = False
        self._pause()
        self._inner.data_received(_PING + self._first)

    def _pause(self) -> None:
        if not self._is_paused and not self._transport.is_closing():
            self._is_paused = True
            self._transport.pause_reading()

    def _resume(self) -> None:
        if self._is_paused and not self._transport.is_closing():
            self._is_paused = False
            self._transport.resume_reading()
