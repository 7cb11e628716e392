"""A streaming response: messages as Server-Sent Events or as lines of JSON, instead of a socket.

The viewers of the hub write frames to a transport; here the transport is a `Stream`, which writes their payloads as
text. A slow reader is treated as on a socket: its messages are dropped, and one full view replaces them.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import msgspec
from aiohttp import hdrs, web

from cadogan.server.core.live.connection import MAX_QUEUE_BYTES, payload

KEEPALIVE_SECONDS = 5.0
"""Seconds of silence after which a stream sends a keep-alive and checks whether its reader is connected."""
STALLED = 12
"""Consecutive checks with a full buffer after which the reader is disconnected."""


class Form(NamedTuple):
    """The format of a stream: how a message is written, given its version if it has one, and the keep-alive."""

    content_type: str
    written: Callable[[bytes, int | None], bytes]
    nothing: bytes


def _as_event(message: bytes, version: int | None) -> bytes:
    named = b"" if version is None else b"id: %d\n" % version
    return named + b"data: " + message + b"\n\n"


EVENTS = Form("text/event-stream", _as_event, b":\n\n")
LINES = Form("application/x-ndjson", lambda message, version: message + b"\n", b"\n")


class _MessageHeader(msgspec.Struct):
    """The part of a sent message that is decoded: its version, if it has one."""

    type: str
    version: int | None = None


_decode_header = msgspec.json.Decoder(_MessageHeader).decode


class Stream:
    """The response as the transport of a viewer: it receives frames and writes text.

    Until it is open, messages are buffered; a chunk is one message.
    """

    def __init__(self, request: web.Request, form: Form) -> None:
        self.version = 0
        """The last version that was sent."""
        self._request = request
        self._form = form
        self._chunked = request.version >= (1, 1)
        self._pending: list[bytes] = []
        self._open = self._ended = False
        self._changed_event = asyncio.Event()
        self._drain: Callable[[], Awaitable[None]] | None = None

    async def open(self) -> web.StreamResponse:
        """Start the response with the buffered messages."""
        # A proxy must neither buffer nor compress the response: it would delay each message.
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
        """Write the message in a WebSocket frame; other frames, and the message `done`, are skipped."""
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
        """Abort the response, so that the reader sees that it is incomplete."""
        if self._request.transport is not None:
            self._request.transport.close()

    def abort(self) -> None:
        """Abort the response at once."""
        if self._request.transport is not None:
            self._request.transport.abort()

    def is_closing(self) -> bool:
        """Whether the reader has disconnected."""
        return self._request.transport is None or self._request.transport.is_closing()

    def get_write_buffer_size(self) -> int:
        """Return how many bytes are buffered for the reader."""
        transport = self._request.transport
        return 0 if transport is None else transport.get_write_buffer_size()

    def end(self) -> None:
        """End the response, because the server is stopping."""
        self._ended = True
        self._changed_event.set()

    async def drained(self) -> None:
        """Wait until the reader accepts more bytes."""
        if self._drain is not None:
            await self._drain()

    async def last(self, over: Callable[[], bool]) -> None:
        """Return when the stream should end: all is sent and over, the reader has disconnected, or the server stops."""
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
