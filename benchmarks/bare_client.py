"""A minimal WebSocket client. It uses much less processor time than the server that it measures."""

from __future__ import annotations

import asyncio
import os
from base64 import b64encode
from collections.abc import Callable
from typing import cast

TEXT, CLOSE, PING = 0x1, 0x8, 0x9
FINAL = 0x80
MASKED = 0x80
NO_MASK = bytes(4)  # masking with zeros does not change the payload


class BareClient(asyncio.Protocol):
    """One connection to `/ws/v1`. It calls `on_message` with the bytes of each text message.

    Await `opened` before sending. `closed` is done when the connection has ended. Fragmented messages are not
    supported, because the server sends none.
    """

    def __init__(self, port: int, token: str, on_message: Callable[[bytes], None]) -> None:
        loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = loop.create_future()
        self.closed: asyncio.Future[None] = loop.create_future()
        self._request = _upgrade_request(port, token)
        self._on_message = on_message
        self._received = bytearray()
        self._transport: asyncio.Transport

    def send(self, message: bytes) -> None:
        """Send one text message."""
        self._transport.write(_frame(TEXT, message))

    def close(self) -> None:
        """Close the TCP connection, without a WebSocket close frame."""
        self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionError("closed before the socket was opened"))
        self.closed.set_result(None)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not self.opened.done() and not self._read_upgrade():
            return
        while self._read_frame():
            pass

    def _read_upgrade(self) -> bool:
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = bytes(self._received[:end])
        del self._received[: end + 4]
        if b" 101 " not in head.split(b"\r\n", 1)[0]:
            self.opened.set_exception(ConnectionError(head.decode()))
            self._transport.close()
            return False
        self.opened.set_result(None)
        return True

    def _read_frame(self) -> bool:
        received = self._received
        if len(received) < 2:
            return False
        kind, length, start = received[0] & 0x0F, received[1], 2
        if length >= 126:
            start = 4 if length == 126 else 10
            if len(received) < start:
                return False
            length = int.from_bytes(received[2:start])
        end = start + length
        if len(received) < end:
            return False
        payload = bytes(received[start:end])
        del received[:end]
        if kind == TEXT:
            self._on_message(payload)
        elif kind == PING:
            self._transport.write(_frame(0xA, payload))
        elif kind == CLOSE:
            self._transport.close()
        return True


async def connect(port: int, token: str, on_message: Callable[[bytes], None]) -> BareClient:
    """Connect to the server on this port of 127.0.0.1. Raises ConnectionError if the server refuses."""
    loop = asyncio.get_running_loop()
    _, client = await loop.create_connection(lambda: BareClient(port, token, on_message), "127.0.0.1", port)
    await client.opened
    return client


def _upgrade_request(port: int, token: str) -> bytes:
    lines = [
        "GET /ws/v1 HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {b64encode(os.urandom(16)).decode()}",
        "Sec-WebSocket-Version: 13",
        f"Authorization: Bearer {token}",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def _frame(kind: int, payload: bytes) -> bytes:
    length = len(payload)
    head = (
        bytes((FINAL | kind, MASKED | length))
        if length < 126
        else bytes((FINAL | kind, MASKED | 126)) + length.to_bytes(2)
    )
    return head + NO_MASK + payload
