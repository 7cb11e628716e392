"""Attacks by one hostile member on a server from one address, all at once.

    requests and frames     the costliest ones to parse, to refuse and to log
    notifications           guests register push services that accept a connection and never answer
    mails                   accounts request mails to `victim+N@` addresses
    reports                 guests, and an owner with bots, report one player
    passwords               wrong ones, for one name after the other

`EVENING` has the attacks; to add one, write a function that takes the port of a server on this machine, and runs
endlessly. Each attack runs in `CONNECTIONS` threads, and retries what the server does not know or refuses.
"""

import http.client
import json
import os
import secrets
import socket
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import count
from typing import Any

from websockets.frames import Frame, Opcode

ADDRESS = "127.0.0.9"
"""The address of the hostile member. Everybody else uses 127.0.0.1."""
CONNECTIONS = 4
"""Connections for each attack."""
NUMBERS = b"[" + b",".join([b"1e308"] * 10_000) + b"]"
DEEP = b"[" + b",".join([b"[" * 300 + b"]" * 300] * 100) + b"]"

PUSH_SERVICES = 40
PASSWORD = "eight red queens"

_POINT = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
_numbers, _lock = count(), threading.Lock()
_services: list[socket.socket] = []
_victim: dict[str, str] = {}
_ENDLESS = "Content-Length: 9999999999"


def request(line: str, headers: tuple[str, ...] = (), body: bytes = b"") -> bytes:
    """Return the bytes of a request."""
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
    "a body in chunks of a byte": request(
        "POST /api/v1/session", ("Content-Type: application/json", "Transfer-Encoding: chunked")
    )
    + b"1\r\n \r\n" * 20_000,
    "a long line for the log": request(f"GET /{'nonce' * 200}"),
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
    """Send the same bytes endlessly, each time when the response begins; reconnect when the connection closes."""
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


class Account:
    """A player created by the hostile member, at first a guest. Raises KeyError if the server refuses to create one."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, 30, (ADDRESS, 0))
        self._token = ""
        began = self.ask("POST", "/session/guest", {})
        self.id, self._token = began["player"]["id"], began["token"]

    def ask(self, method: str, path: str, body: Any) -> Any:
        """Send a request and return the response. Raises OSError, HTTPException, or ValueError for invalid JSON."""
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        self._connection.request(method, f"/api/v1{path}", json.dumps(body), headers)
        return json.loads(self._connection.getresponse().read() or b"{}")

    def claim_name(self) -> None:
        """Become a member. Raises KeyError if the server refuses."""
        claimed = self.ask("POST", "/account", {"name": f"Foe {secrets.token_hex(6)}", "password": PASSWORD})
        self._token = claimed["token"]

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def again_and_again(act: Callable[[Account], None], port: int) -> None:
    """Run `act` with one new account after the other, endlessly."""
    while True:
        try:
            with closing(Account(port)) as account:
                act(account)
        except (OSError, http.client.HTTPException, ValueError, KeyError):
            time.sleep(0.01)


def name_push_services(account: Account) -> None:
    """Register `PUSH_SERVICES` push services for notifications, which accept a connection and never answer."""
    for silent in _silent_services():
        endpoint = f"https://localhost:{silent.getsockname()[1]}/{account.id}"
        device = {"endpoint": endpoint, "p256dh": _POINT, "auth": "A" * 22, "topics": ["day_opened"]}
        account.ask("PUT", "/account/notifications", device | {"time_zone": "Europe/Budapest"})


def have_mails_sent(account: Account) -> None:
    """Request mails to one mailbox under many addresses, and to many mailboxes of one domain."""
    account.claim_name()
    for number in range(20):
        for address in (f"victim+{next(_numbers)}@mail.example", f"victim{number}@a{next(_numbers)}.mail.example"):
            account.ask("PUT", "/account/mail", {"address": address, "language": "en"})


def report_one_player(account: Account) -> None:
    """Report the same player as many guests, as an owner and as the owner's bots; also create groups."""
    account.claim_name()
    for number in range(20):
        account.ask("POST", "/bots", {"name": f"Bot {secrets.token_hex(6)}"})
        account.ask("POST", "/groups", {"name": f"Group {number}"})
        account.ask("PUT", f"/reports/players/{_victim.setdefault('id', account.id)}", {"reason": "name"})


def guess_passwords(account: Account) -> None:
    """Try wrong passwords for one name after the other."""
    for _ in range(100):
        account.ask("POST", "/session", {"name": f"Name {next(_numbers) % 1000}", "password": "nine black knaves"})


def _silent_services() -> list[socket.socket]:
    """Listen, once, without accepting: the operating system accepts connections and buffers the data."""
    with _lock:
        while len(_services) < PUSH_SERVICES:
            _services.append(socket.create_server(("127.0.0.1", 0)))
    return _services


EVENING: tuple[Callable[[int], None], ...] = (
    *(
        partial(again_and_again, act)
        for act in (name_push_services, have_mails_sent, report_one_player, guess_passwords)
    ),
    *(partial(repeat, data, b"") for data in REQUESTS.values()),
    *(partial(repeat, data, _HANDSHAKE) for data in FRAMES.values()),
)


def spend_evening(port: int) -> None:
    """Run all attacks on the server at this port, endlessly, with processor time that the server does not use."""
    os.nice(19)  # a real attacker would use another machine
    threads = [threading.Thread(target=attack, args=(port,)) for attack in EVENING for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
