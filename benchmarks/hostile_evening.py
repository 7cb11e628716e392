"""What one hostile member sends to a server from one address, all at once: the requests and frames that cost it most.

`EVENING` has the attacks; to add one, write a function that takes the port of a server on this machine, and goes on for
ever. Each runs in `CONNECTIONS` threads.
"""

import socket
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import closing
from functools import partial

from websockets.frames import Frame, Opcode

ADDRESS = "127.0.0.9"
"""Where the hostile member comes from. Everybody else comes from 127.0.0.1."""
CONNECTIONS = 4
"""Connections for each attack."""
NUMBERS = b"[" + b",".join([b"1e308"] * 10_000) + b"]"
DEEP = b"[" + b",".join([b"[" * 300 + b"]" * 300] * 100) + b"]"

_ENDLESS = "Content-Length: 9999999999"


def request(line: str, headers: tuple[str, ...] = (), body: bytes = b"") -> bytes:
    """Return a request."""
    lines = [f"{line} HTTP/1.1", "Host: localhost", *headers]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


REQUESTS = {
    "numbers": request("POST /api/v1/session", body=NUMBERS),
    "deep lists": request("POST /api/v1/session", body=DEEP),
    "a compressed body": request(
        "POST /api/v1/session", ("Content-Encoding: deflate",), zlib.compress(bytes(50 << 20))
    ),
    "cookies": request("GET /api/v1/session", (f"Cookie: {'a=;' * 2_700}",)),
    "slashes": request(f"GET {'/' * 8_000}"),
    "parts of a query": request(f"GET /api/v1/shelf?{'a&' * 3_900}"),
    "headers": request("GET /api/v1/session", tuple(f"X-{number}: {'a' * 8_000}" for number in range(60))),
    "a body without an end": request("POST /api/v1/session", ("Content-Type: application/json", _ENDLESS))
    + bytes(1 << 20),
    "a page": request("GET /"),
    "no request": b"\x00\r\n\r\n",
}
_HANDSHAKE = request(
    "GET /ws/v1",
    (
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version: 13",
    ),
)
FRAMES = {
    "numbers": Frame(Opcode.TEXT, NUMBERS[:8_000] + b"1]").serialize(mask=True),
    "deep lists": Frame(Opcode.TEXT, b"[" * 300 + b"]" * 300 + b" " * 7_000).serialize(mask=True),
}


def repeat(data: bytes, first: bytes, port: int) -> None:
    """Send the same for ever, each time when the answer begins to come; connect again whenever that is the end."""
    while True:
        try:
            with closing(socket.create_connection(("127.0.0.1", port), 30, (ADDRESS, 0))) as connection:
                if first:
                    connection.sendall(first)
                    connection.recv(1 << 16)
                while True:
                    connection.sendall(data)
                    if not connection.recv(1 << 16):
                        break
        except OSError:
            time.sleep(0.01)


EVENING: tuple[Callable[[int], None], ...] = (
    *(partial(repeat, data, b"") for data in REQUESTS.values()),
    *(partial(repeat, data, _HANDSHAKE) for data in FRAMES.values()),
)


def spend_evening(port: int) -> None:
    """Attack the server on this port in all these ways, for ever."""
    threads = [threading.Thread(target=attack, args=(port,)) for attack in EVENING for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
