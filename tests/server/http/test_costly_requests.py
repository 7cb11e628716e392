"""What a request or a message may take of the event loop: the worst of 64 KiB, sent to everything that there is."""

import asyncio
import socket
import time
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from math import inf

import msgspec
import pytest
from websockets.sync.client import connect

from cadogan.wire.codec import MAX_CLIENT_FRAME_BYTES, encode
from cadogan.wire.endpoint import Endpoint
from cadogan.wire.endpoints import ENDPOINTS
from cadogan.wire.examples import CLIENT_EXAMPLES, example
from tests.harness.costly_inputs import MAX_MILLISECONDS, TRIES, costly_json
from tests.harness.hosts import with_role
from tests.harness.patience import soon
from tests.harness.running_server import RunningServer

pytestmark = pytest.mark.slow

LINE = 8_000
"""Bytes of a request line, or of a header, that are read."""
TEXTS = {
    "letters": "a" * 60_000,
    "spaces": " " * 60_000,
    "marks": "e\u0301" * 20_000,
    "wide letters": "\ufdfa" * 20_000,
    "signs": "@.-_:/" * 10_000,
    "lines": "a\n" * 30_000,
}
"""Texts that take long to normalise, to compare or to match."""
HEADERS = {
    "cookies": {"Cookie": "a=;" * (LINE // 3)},
    "own cookies": {"Cookie": "cadogan_session=a;" * (LINE // 18)},
    "device marks": {"Cookie": f"cadogan_device={'a.' * (LINE // 2 - 10)}"},
    "a token": {"Authorization": f"Bearer {'a' * LINE}"},
    "schemes": {"Authorization": "a " * (LINE // 2)},
    "tags": {"If-None-Match": ",".join(['"a"'] * (LINE // 4))},
    "halves of tags": {"If-None-Match": 'W/"' * (LINE // 3)},
    "ranges": {"Range": f"bytes={'0-1,' * (LINE // 4)}"},
    "languages": {"Accept-Language": "a;q=0.1," * (LINE // 8)},
    "formats": {"Accept": "a/b;q=0.1," * (LINE // 10)},
    "codings": {"Accept-Encoding": "gzip;q=0," * (LINE // 9)},
    "proxies": {"X-Forwarded-For": "1.1.1.1," * (LINE // 8), "Forwarded": "for=a;" * (LINE // 6)},
    "a type": {"Content-Type": f"application/json{';a=b' * (LINE // 4 - 8)}"},
    "halves of types": {"Content-Type": f"a/b;{'a*0*=' * (LINE // 5 - 2)}"},
    "an origin": {"Origin": f"http://{'a.' * (LINE // 2 - 10)}", "Sec-Fetch-Site": "a" * LINE},
    "a browser": {"User-Agent": "(" * LINE},
    "a key": {"Idempotency-Key": "a" * LINE},
    "a last event": {"Last-Event-ID": "9" * LINE},
    "many headers": {f"X-{number}": "a" * 1_000 for number in range(55)},
    "an expectation": {"Expect": "a" * LINE},
}
PATHS = {
    "slashes": "/" * LINE,
    "parts": "/a" * (LINE // 2),
    "dots": "/.." * (LINE // 3),
    "escapes": "/%2f" * (LINE // 4),
    "bytes": "/" + "%ff" * (LINE // 3),
    "a secret": "/join/" + "A" * LINE,
    "many parts of a query": "/api/v1/shelf?" + "a&" * (LINE // 2),
    "a long query": "/api/v1/shelf?language=" + "%41" * (LINE // 3),
    "signs of a query": "/api/v1/shelf?" + "=" * LINE,
    "a page": "/games?" + "+" * LINE,
    "a tile": "/log/tile/0/" + "x000/" * 14 + "000",
}


class Costs:
    """What exchanges with a server take of its event loop, which is that of the test; the client is a thread."""

    def __init__(self) -> None:
        self._too_high: list[str] = []

    async def measure(self, name: str, exchange: Callable[..., object], plain: object, costly: object) -> None:
        """Measure an exchange with a costly input; it may take so much more than the one with a plain input."""
        more = 0.0
        for _ in range(TRIES):
            taken = await _least(exchange, costly, MAX_MILLISECONDS)
            if taken <= MAX_MILLISECONDS:
                return
            more = taken - await _least(exchange, plain, 0)
            if more <= MAX_MILLISECONDS:
                return
        self._too_high.append(f"{name}: {more:.1f} ms")

    def check(self) -> None:
        """Name all that took too long."""
        assert not self._too_high, "\n".join(self._too_high)


async def _least(exchange: Callable[..., object], given: object, enough: float) -> float:
    """The least milliseconds that a few exchanges take of the event loop, the first below `enough` being the last."""
    least = inf
    for _ in range(TRIES):
        started = time.thread_time()
        await asyncio.to_thread(exchange, given)
        least = min(least, (time.thread_time() - started) * 1000)
        if least <= enough:
            break
    return least


class RawHttp:
    """Sends requests as bytes, each over a connection of its own."""

    def __init__(self, server: RunningServer) -> None:
        host, _, port = server.url.removeprefix("http://").partition(":")
        self._address = (host, int(port))

    def ask(self, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> bytes:
        """Ask, and return the whole answer."""
        lines = [f"{method} {path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in {"Host": "127.0.0.1", "Connection": "close", **headers}.items()]
        if body:
            lines.append(f"Content-Length: {len(body)}")
        with socket.create_connection(self._address, timeout=soon()) as connection:
            connection.sendall("\r\n".join([*lines, "", ""]).encode() + body)
            return connection.makefile("rb").read()

    def ask_with(self, method: str, path: str, headers: dict[str, str], more: dict[str, str]) -> bytes:
        """Ask with more headers."""
        return self.ask(method, path, headers | more)

    def ask_for(self, method: str, headers: dict[str, str], path: str) -> bytes:
        """Ask for this path."""
        return self.ask(method, path, headers)


def shortened(headers: dict[str, str]) -> dict[str, str]:
    """These headers with short values, so that what they mean costs the same, and only their length differs."""
    return {name: value[:24] for name, value in headers.items()}


def path_of(one: Endpoint) -> str:
    """An address of this endpoint, of something that there is not."""
    values = {"day": "2026-11-20", "slot": 1, "version": 1, "board": "daily", "slug": "olga"}
    return one.path.format(**{name: values.get(name, "aaaaaaaaaaaaaaaa") for name in one.parameters})


def odd_bodies(kind: type[msgspec.Struct]) -> Iterator[tuple[str, bytes]]:
    """JSON of any kind, alone and in a key that is not known, and an example with each text replaced by a long one."""
    sample = msgspec.json.encode(example(kind))
    for name, text in costly_json(60_000).items():
        yield name, text.encode()
        yield f"{name} in a key", sample[:-1] + (b"," if len(sample) > 2 else b"") + b'"more":' + text.encode() + b"}"
    whole: dict[str, object] = msgspec.json.decode(sample)
    for key in whole:
        for name, text in TEXTS.items():
            yield f"{name} as {key}", msgspec.json.encode(whole | {key: text})
        yield f"numbers as {key}", sample[:-1] + f',"{key}":{costly_json(60_000)["large floats"]}}}'.encode()
        yield f"lists as {key}", sample[:-1] + f',"{key}":{costly_json(60_000)["lists"]}}}'.encode()


async def test_no_body_takes_long_wherever_it_is_sent(sqlite_server: RunningServer) -> None:
    host, http, costs = await with_role(sqlite_server, "Ann", "host"), RawHttp(sqlite_server), Costs()
    typed = {**host.headers, "Content-Type": "application/json"}
    for one in ENDPOINTS:
        if one.request:
            for name, body in odd_bodies(one.request):
                await costs.measure(
                    f"{one.name} {name}", partial(http.ask, one.method, path_of(one), typed), b"{}", body
                )
    costs.check()


async def test_no_head_takes_long_wherever_it_is_sent(sqlite_server: RunningServer) -> None:
    ann, http, costs = await sqlite_server.guest(), RawHttp(sqlite_server), Costs()
    for one in ENDPOINTS:
        ask = partial(http.ask_with, one.method, path_of(one), ann.headers if one.method == "GET" else {})
        for name, headers in HEADERS.items():
            await costs.measure(f"{one.name} {name}", ask, shortened(headers), headers)
    for name, path in PATHS.items():
        for method in ("GET", "POST", "OPTIONS"):
            await costs.measure(f"{method} {name}", partial(http.ask_for, method, ann.headers), "/api/v1/shelf", path)
    for path in ("/", "/games", "/js/main.js", "/embed/today", "/feeds/days.atom", "/oembed", "/metrics"):
        for name, headers in HEADERS.items():
            ask = partial(http.ask_with, "GET", path, {})
            await costs.measure(f"{path} {name}", ask, shortened(headers), headers)
    costs.check()


async def test_a_compressed_body_is_refused_before_it_is_read(sqlite_server: RunningServer) -> None:
    ann, http, costs = await sqlite_server.guest(), RawHttp(sqlite_server), Costs()
    for coding, bomb in (("deflate", zlib.compress(bytes(50 << 20))), ("br", b"x" * 48_000), ("gzip, gzip", b"x")):
        headers = {**ann.headers, "Content-Type": "application/json", "Content-Encoding": coding}
        ask = partial(http.ask, "POST", "/api/v1/games", headers)
        await costs.measure(coding, ask, b"{}", bomb)
        assert (await asyncio.to_thread(ask, bomb)).startswith(b"HTTP/1.1 415 ")
    costs.check()


async def test_no_message_takes_long(sqlite_server: RunningServer) -> None:
    ann, costs = await sqlite_server.guest(), Costs()
    room, plain = MAX_CLIENT_FRAME_BYTES - 400, '{"type":"ping","id":"1"}'
    odd = {name: msgspec.json.encode(text[: room // 3]).decode() for name, text in TEXTS.items()} | costly_json(room)

    def exchange(frame: str) -> None:
        conversation.send(frame)
        conversation.send('{"type":"ping","id":"last"}')
        while '"id":"last"' not in str(conversation.recv(soon())):
            pass

    address = sqlite_server.url.replace("http", "ws", 1) + "/ws/v1"
    conversation = await asyncio.to_thread(connect, address, additional_headers=ann.headers, proxy=None)
    for one in CLIENT_EXAMPLES:
        sample: dict[str, object] = msgspec.json.decode(encode(one))
        for key in [*sample, "more"]:
            for name, text in odd.items():
                rest = msgspec.json.encode(sample | {key: msgspec.Raw(text.encode())}).decode()
                await costs.measure(f"{type(one).__name__} {name} as {key}", exchange, plain, rest)
    await asyncio.to_thread(conversation.close)
    costs.check()
