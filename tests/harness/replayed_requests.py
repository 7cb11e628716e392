"""Records the requests to one server, and repeats them to another one. This is cheaper than a second shell run."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import aiohttp
from aiohttp import web
from aiohttp.typedefs import Handler
from msgspec import DecodeError, json
from yarl import URL

_WORD = re.compile(r"[\w-]{6,}")
_NOT_SENT_AGAIN = {"Host", "Content-Length"}


@dataclass
class Exchange:
    """A request, the server's time at its arrival, and the body of the response unless it was streamed."""

    at: int
    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    answer: bytes = b""


def record_requests(app: web.Application, now: Callable[[], int]) -> list[Exchange]:
    """Let an application that has not started yet record every request; return the list to which it adds them."""
    exchanges: list[Exchange] = []

    @web.middleware
    async def note(request: web.Request, handler: Handler) -> web.StreamResponse:
        headers = {name: value for name, value in request.headers.items() if name not in _NOT_SENT_AGAIN}
        exchange = Exchange(now(), request.method, request.path_qs, headers, await request.read())
        exchanges.append(exchange)
        response = await handler(request)
        if isinstance(response, web.Response) and isinstance(response.body, bytes):
            exchange.answer = response.body
        return response

    app.middlewares.insert(0, note)
    return exchanges


class Replay:
    """Sends recorded requests to another server, at their times, with its own ids and tokens."""

    def __init__(self, at: int) -> None:
        self.at = at
        """The time of the server, in milliseconds since 1970: that of the request which is being sent."""
        self._own: dict[str, str] = {}

    async def send(self, exchanges: list[Exchange], url: str) -> None:
        """Send these requests, one after another, to the server at this address."""
        async with aiohttp.ClientSession() as session:
            for one in exchanges:
                self.at = one.at
                headers = {name: self._translate(value) for name, value in one.headers.items()}
                body = self._translate(one.body.decode()).encode()
                address = URL(f"{url}{self._translate(one.path)}", encoded=True)
                async with session.request(one.method, address, headers=headers, data=body) as response:
                    is_endless = one.path.endswith("/stream")
                    self._learn(one.answer, await (response.content.readline() if is_endless else response.read()))

    def _translate(self, text: str) -> str:
        return _WORD.sub(lambda word: self._own.get(word[0], word[0]), text)

    def _learn(self, theirs: bytes, own: bytes) -> None:
        try:
            self._compare(json.decode(theirs), json.decode(own))
        except DecodeError:
            return

    def _compare(self, theirs: Any, own: Any) -> None:
        match theirs, own:
            case dict(), dict():
                for key in theirs.keys() & own.keys():
                    self._compare(theirs[key], own[key])
            case list(), list():
                for one, other in zip(theirs, own, strict=False):
                    self._compare(one, other)
            case str(), str():
                for one, other in zip(_WORD.findall(theirs), _WORD.findall(own), strict=False):
                    if one != other:
                        self._own.setdefault(one, other)
