"""A program that receives webhooks: a real HTTP server in this process, with configurable responses."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web
from aiohttp.test_utils import TestServer
from multidict import CIMultiDictProxy

from tests.harness.patience import soon


@dataclass(frozen=True)
class Received:
    """A received request."""

    method: str
    path: str
    headers: CIMultiDictProxy[str]
    body: bytes


@dataclass
class Receiver:
    """The received requests, and the next responses: a status, or a redirect address. After the last one it is 204."""

    url: str = ""
    received: list[Received] = field(default_factory=list)
    answers: list[int | str] = field(default_factory=list)
    retry_after: str = ""
    _untaken: asyncio.Queue[Received] = field(default_factory=asyncio.Queue)

    async def next(self) -> Received:
        """Wait for the oldest request that was not returned yet, and return it."""
        return await asyncio.wait_for(self._untaken.get(), soon())

    async def answer(self, request: web.Request) -> web.Response:
        """Store a request, and respond."""
        self.received.append(Received(request.method, request.path, request.headers, await request.read()))
        self._untaken.put_nowait(self.received[-1])
        answer = self.answers.pop(0) if self.answers else 204
        if isinstance(answer, str):
            return web.Response(status=302, headers={"Location": answer})
        return web.Response(status=answer, headers={"Retry-After": self.retry_after} if self.retry_after else None)


@asynccontextmanager
async def receiver() -> AsyncIterator[Receiver]:
    """Start the program, and stop it at the end."""
    made = Receiver()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", made.answer)
    async with TestServer(app) as server:
        made.url = str(server.make_url("/news"))
        yield made
