"""A client that violates the protocol: raw bytes on a socket, and invalid frames."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from websockets.frames import Frame, Opcode

from tests.harness.patience import soon

_SMALL_BUFFER_BYTES = 4096
"""Bytes that the operating system buffers for a client that does not read."""


class RawClient:
    """A raw connection; `head` is the server's response to the WebSocket handshake, if there was one."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def shake_hands(self, host: str, token: str = "") -> None:
        """Open a WebSocket, with a session token if one is given."""
        lines = [
            "GET /ws/v1 HTTP/1.1",
            f"Host: {host}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            "Sec-WebSocket-Version: 13",
            *([f"Authorization: Bearer {token}"] if token else []),
        ]
        self.writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), soon())
        assert head.startswith(b"HTTP/1.1 101 "), head

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self.writer.write(data)

    def send_text(self, text: str) -> None:
        """Send a text message."""
        self.send(masked(Opcode.TEXT, text.encode()))

    async def receive_frame(self) -> tuple[int, bytes]:
        """Return the next frame's opcode and payload. Raises EOFError if the connection has ended."""
        first, second = await asyncio.wait_for(self.reader.readexactly(2), soon())
        size = second & 127
        if size > 125:
            size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8))
        return first & 15, await asyncio.wait_for(self.reader.readexactly(size), soon())

    async def receive_message(self) -> bytes:
        """Return the next message; pings are skipped."""
        while True:
            opcode, payload = await self.receive_frame()
            if opcode != Opcode.PING:
                return payload
            self.send(masked(Opcode.PONG, payload))

    async def close_code(self) -> int | None:
        """Return the server's close code, skipping earlier frames; None if the connection ends without one."""
        with suppress(EOFError, ConnectionError):
            while True:
                opcode, payload = await self.receive_frame()
                if opcode == Opcode.CLOSE:
                    return int.from_bytes(payload[:2])
        return None

    async def ended(self) -> bytes:
        """Return all remaining bytes up to the end of the connection."""
        try:
            return await asyncio.wait_for(self.reader.read(), soon())
        except ConnectionError:
            return b""


@asynccontextmanager
async def connect_raw(url: str, deaf: bool = False) -> AsyncIterator[RawClient]:
    """Connect to the server at `url`; with `deaf`, the receive buffer is tiny."""
    host, _, port = url.removeprefix("http://").partition(":")
    plug = socket.socket()
    if deaf:
        plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _SMALL_BUFFER_BYTES)
    plug.setblocking(False)
    await asyncio.get_running_loop().sock_connect(plug, (host, int(port)))
    reader, writer = await asyncio.open_connection(sock=plug, limit=_SMALL_BUFFER_BYTES if deaf else 1 << 16)
    try:
        yield RawClient(reader, writer)
    finally:
        writer.transport.abort()


@asynccontextmanager
async def connect_raw_socket(url: str, token: str = "", deaf: bool = False) -> AsyncIterator[RawClient]:
    """Open a WebSocket to the server at `url`."""
    async with connect_raw(url, deaf) as client:
        await client.shake_hands(url.removeprefix("http://"), token)
        yield client


def masked(opcode: Opcode, payload: bytes, fin: bool = True) -> bytes:
    """Return a masked frame, as a client sends it."""
    return Frame(opcode, payload, fin=fin).serialize(mask=True)


def noise(size: int) -> bytes:
    """Return meaningless bytes."""
    return os.urandom(size)
