"""The real server with a stopwatch in it: the server's side of `benchmarks/broadcast_latency.py`.

    python -m benchmarks.instrumented_server      # settings from the environment, as `cadogan serve`

`POST /stopwatch/{game}` with a frame's payload writes that frame to each socket that watches the game, by a bare
`os.write`, and answers how long that took and how long every move since the last time took to be told: milliseconds
from the moment its commit was known until the last spectator's socket had it, encoding included.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from typing import cast

import uvloop
from aiohttp import web

from server.app import make_app
from server.config import read_settings
from server.core import logs
from server.games.game_state import Step
from server.games.visibility import Sight
from server.http import app_keys
from server.realtime.connection import Channel, Viewer, frame
from server.realtime.hub import Hub


class Stopwatch:
    """Times a hub's publishing, from outside."""

    def __init__(self, hub: Hub) -> None:
        self.told: list[float] = []
        self._hub = hub
        self._publish = hub.publish
        vars(hub)["publish"] = self.publish

    def publish(self, steps: Sequence[Step], asker: Viewer | None = None) -> None:
        """Does what the hub does, and notes how long it takes until the last socket has it."""
        began = time.perf_counter()
        self._publish(steps, asker)
        pump = self.channel(steps[0].after.id)._pump if self._hub.followed(steps[0].after.id) else None
        if pump is not None:
            pump.add_done_callback(lambda _: self.told.append((time.perf_counter() - began) * 1000))

    def channel(self, game: str) -> Channel:
        """The spectators of a game. Raises KeyError if nobody follows it."""
        return self._hub._games[game].by_sight[Sight.BOARD]


def bare(channel: Channel, framed: bytes) -> float:
    """Milliseconds that the kernel alone needs for this frame to these sockets."""
    transports = [cast(asyncio.Transport, viewer._transport) for viewer in channel.viewers]
    sockets = [transport.get_extra_info("socket").fileno() for transport in transports]
    began = time.perf_counter()
    for socket in sockets:
        os.write(socket, framed)
    return (time.perf_counter() - began) * 1000


def main() -> None:
    """Serves until it is told to stop."""
    settings = read_settings()
    logs.configure("warning", "json")
    app = make_app(settings)
    stopwatch = Stopwatch(app[app_keys.HUB])

    async def answer(request: web.Request) -> web.Response:
        took = bare(stopwatch.channel(request.match_info["game"]), frame(await request.read()))
        told, stopwatch.told = stopwatch.told, []
        return web.json_response({"bare": took, "told": told})

    app.router.add_post("/stopwatch/{game}", answer)
    web.run_app(app, host=settings.host, port=settings.port, loop=uvloop.new_event_loop(), access_log=None, print=None)


if __name__ == "__main__":
    main()
