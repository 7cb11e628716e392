"""A response that goes on: messages as Server-Sent Events or as lines of JSON, in a socket's place.

The viewers of the hub write frames to a transport; here the transport is a `Stream`, which writes what is in them as
text. So a slow reader fares as on a socket: nobody waits for it, and whatever it missed it gets as one fresh view.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import msgspec
from aiohttp import hdrs, web

from cadogan.server.realtime.connection import MAX_QUEUE_BYTES, payload

KEEPALIVE_SECONDS = 5.0
"""Seconds after which a stream on which nothing happens says so, and looks whether anybody is still there."""
STALLED = 12
"""Looks in a row that find a full buffer before its reader is given up."""


class Form(NamedTuple):
    """How messages are written: what each becomes, given its version if it has one, and what says nothing."""

    content_type: str
    written: Callable[[bytes, int | None], bytes]
    nothing: bytes


def _as_event(message: bytes, version: int | None) -> bytes:
    named = b"" if version is None else b"id: %d\n" % version
    return named + b"data: " + message + b"\n\n"


EVENTS = Form("text/event-stream", _as_event, b":\n\n")
LINES = Form("application/x-ndjson", lambda message, version: message + b"\n", b"\n")


class _MessageHeader(msgspec.Struct):
    """What is read of a message on its way: of which version it is, if of any."""

    type: str
    version: int | None = None


_decode_header = msgspec.json.Decoder(_MessageHeader).decode


class Stream:
    """The response, where a viewer would have the transport of a socket: frames come in, text goes out.

    Until it is open it keeps what is written; a chunk is one message.
    """

    def __init__(self, request: web.Request, form: Form) -> None:
        self.version = 0
        """The last version that was told of."""
        self._request = request
        self._form = form
        self._chunked = request.version >= (1, 1)
        self._pending: list[bytes] = []
        self._open = self._ended = False
        self._changed_event = asyncio.Event()
        self._drain: Callable[[], Awaitable[None]] | None = None

    async def open(self) -> web.StreamResponse:
        """Begin the response, with what has been kept."""
        # A proxy must neither collect nor compress what comes: it would hold back each message until it has enough.
        headers = {
            hdrs.CONTENT_TYPE: self._form.content_type,
            hdrs.CACHE_CONTROL: "no-store, no-transform",
            "X-Accel-Buffering": "no",
        }
        response = web.StreamResponse(headers=headers)
        writer = await response.prepare(self._request)
        if writer is not None and self._request.transport is not None:
            self._request.transport.set_write_buffer_limits(high=MAX_QUEUE_BYTES)
            self._drain, self._open = writer.drain, True
            for text in self._pending:
                self._send(text)
        self._pending.clear()
        return response

    def write(self, framed: bytes) -> None:
        """Write a message that comes as the socket's frame; what is no message, or answers none, is left out."""
        message = payload(framed)
        if message is None or (told := _decode_header(message)).type == "done":
            return
        self._send(self._form.written(message, told.version))
        self.version = told.version or self.version
        self._changed_event.set()

    def _send(self, text: bytes) -> None:
        if not self._open:
            self._pending.append(text)
        elif self._request.transport is not None:
            self._request.transport.write(b"%x\r\n%b\r\n" % (len(text), text) if self._chunked else text)

    def close(self) -> None:
        """Break it off: whoever reads sees that something is missing."""
        if self._request.transport is not None:
            self._request.transport.close()

    def abort(self) -> None:
        """The same, at once."""
        if self._request.transport is not None:
            self._request.transport.abort()

    def is_closing(self) -> bool:
        """Whether nobody reads it any more."""
        return self._request.transport is None or self._request.transport.is_closing()

    def get_write_buffer_size(self) -> int:
        """Return how many bytes wait for the reader."""
        transport = self._request.transport
        return 0 if transport is None else transport.get_write_buffer_size()

    def end(self) -> None:
        """Let it end here, because the server goes."""
        self._ended = True
        self._changed_event.set()

    async def drained(self) -> None:
        """Wait until its reader takes more."""
        if self._drain is not None:
            await self._drain()

    async def last(self, over: Callable[[], bool]) -> None:
        """Return when it is to end: its game is over and all told, nobody reads it, or the server goes."""
        stalled = 0
        while not (self._ended or over() or self.is_closing()):
            try:
                async with asyncio.timeout(KEEPALIVE_SECONDS):
                    await self._changed_event.wait()
                self._changed_event.clear()
            except TimeoutError:
                stalled = stalled + 1 if self._request.protocol.writing_paused else 0
                if stalled >= STALLED:
                    self.abort()
                elif not stalled:
                    self._send(self._form.nothing)
