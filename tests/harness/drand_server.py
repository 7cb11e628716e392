"""A drand server: a real HTTP server in this process, with its own chain and configurable answers."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer

from cadogan.server.core.fairness.commit_reveal import SCHEME, chain_hash
from cadogan.server.subjects.daily.beacon_days import BeaconAddress
from tests.harness.drand_chain import DrandChain

Answer = Callable[[dict[str, Any]], web.StreamResponse]
"""Builds the response from the content of a correct one."""


@dataclass
class DrandServer:
    """The received requests, and the response to send. `latest` is the last signed round; None for any round."""

    chain: DrandChain = field(default_factory=DrandChain)
    url: str = ""
    asked: list[str] = field(default_factory=list)
    answer: Answer = web.json_response
    latest: int | None = None
    is_silent: bool = False
    leaving: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def hash(self) -> str:
        """The hash of the chain."""
        return chain_hash(self.chain.chain)

    @property
    def setting(self) -> str:
        """The server as a value of CADOGAN_BEACON."""
        return f"drand:{self.hash}@{self.url}"

    @property
    def address(self) -> BeaconAddress:
        """The server's address for a beacon source."""
        return BeaconAddress.read(self.setting)

    async def info(self, request: web.Request) -> web.StreamResponse:
        """Respond with the chain info."""
        chain = self.chain.chain
        return await self._say(
            request,
            {
                "public_key": chain.public_key,
                "period": chain.period,
                "genesis_time": chain.genesis_time,
                "hash": self.hash,
                "groupHash": chain.genesis_seed,
                "schemeID": SCHEME,
                "metadata": {"beaconID": chain.beacon_id},
            },
        )

    async def public(self, request: web.Request) -> web.StreamResponse:
        """Respond with a round that is signed by now."""
        number = int(request.match_info["round"])
        if self.latest is not None and number > self.latest:
            return web.json_response({"error": "too early"}, status=425)
        return await self._say(request, {"round": number, "signature": self.chain.signature(number)})

    async def _say(self, request: web.Request, right: dict[str, Any]) -> web.StreamResponse:
        self.asked.append(request.path)
        if request.match_info["hash"] != self.hash:
            return web.json_response({"error": "no such chain"}, status=404)
        if self.is_silent:
            await self.leaving.wait()
        return self.answer(right)


@asynccontextmanager
async def drand_server(chain: DrandChain | None = None) -> AsyncIterator[DrandServer]:
    """Start the server, and stop it at the end."""
    made = DrandServer(chain or DrandChain())
    app = web.Application()
    app.router.add_get("/{hash}/info", made.info)
    app.router.add_get("/{hash}/public/{round}", made.public)
    async with TestServer(app) as server:
        made.url = str(server.make_url("/")).rstrip("/")
        try:
            yield made
        finally:
            made.leaving.set()
