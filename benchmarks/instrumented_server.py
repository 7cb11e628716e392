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
from typing import cast

import uvloop
from aiohttp import web

from server.app import Server, make_server, make_web_app
from server.config import read_settings
from server.core import logs
from server.games.commits import Committed
from server.games.visibility import Sight
from server.realtime.connection import Channel, frame
from server.realtime.topics import game_topic


class Stopwatch:
    """Times how long it takes to send committed steps to all spectators."""

    def __init__(self, server: Server) -> None:
        self.told: list[float] = []
        self._hub = server.hub
        self._publish = server.commits.publish
        vars(server.commits)["publish"] = self.publish

    def publish(self, committed: Committed) -> None:
        """Do what the publisher does, and note how long it takes until the last socket has been written to."""
        began = time.perf_counter()
        self._publish(committed)
        sending = self.channel(committed.game.id).sending
        if sending is not None:
            sending.add_done_callback(lambda _: self.told.append((time.perf_counter() - began) * 1000))

    def channel(self, game: str) -> Channel:
        """The spectators of a game. Raises KeyError if nobody follows it."""
        return self._hub.subscribers(game_topic(game)).by_sight[Sight.BOARD]


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
    server = make_server(settings)
    app = make_web_app(server)
    stopwatch = Stopwatch(server)

    async def answer(request: web.Request) -> web.Response:
        took = bare(stopwatch.channel(request.match_info["game"]), frame(await request.read()))
        told, stopwatch.told = stopwatch.told, []
        return web.json_response({"bare": took, "told": told})

    app.router.add_post("/stopwatch/{game}", answer)
    web.run_app(app, host=settings.host, port=settings.port, loop=uvloop.new_event_loop(), access_log=None, print=None)


if __name__ == "__main__":
    main()
