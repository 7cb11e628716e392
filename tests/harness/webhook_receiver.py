"""A program that receives webhooks: a real HTTP server in this process, which answers as a test says."""

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
    """A request that has arrived."""

    method: str
    path: str
    headers: CIMultiDictProxy[str]
    body: bytes


@dataclass
class Receiver:
    """What has arrived, and the next answers: a status, or an address to redirect to. After the last one it is 204."""

    url: str = ""
    received: list[Received] = field(default_factory=list)
    answers: list[int | str] = field(default_factory=list)
    retry_after: str = ""
    _untaken: asyncio.Queue[Received] = field(default_factory=asyncio.Queue)

    async def next(self) -> Received:
        """The request that came first of those that nobody took, as soon as it is there."""
        return await asyncio.wait_for(self._untaken.get(), soon())

    async def answer(self, request: web.Request) -> web.Response:
        """Keep a request, and answer it."""
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
