"""The real server with timing of broadcasts: the server side of `benchmarks/broadcast_latency.py`.

    python -m benchmarks.instrumented_server      # with the settings of `cadogan serve`, from the environment

`POST /broadcast-times/{game}` with the payload of a frame writes that frame to each socket that watches the game, with
`os.write`. The response has the milliseconds of these writes (`baseline`), and of each broadcast since the last request
(`broadcast`): from the end of the commit until the frame is written to the last spectator's socket.
"""

from __future__ import annotations

import asyncio
import os
import time
from typing import Any, cast

import uvloop
from aiohttp import web

from cadogan.server.app import Server
from cadogan.server.config_sources import read_settings
from cadogan.server.core import logs
from cadogan.server.core.eventlog.commits import Commit
from cadogan.server.core.games.game_cache import Committed
from cadogan.server.core.games.visibility import AccessLevel
from cadogan.server.core.live.connection import Channel, frame
from cadogan.server.core.live.hub import game_topic
from cadogan.server.web_app import make_web_app


class BroadcastTimer:
    """Measures the time of sending committed steps to all spectators."""

    def __init__(self, server: Server) -> None:
        self.milliseconds: list[float] = []
        self._hub = server.hub
        self._publish = server.commits.publish
        vars(server.commits)["publish"] = self.publish

    def publish(self, committed: Commit[Any]) -> None:
        """Publish as the server does, and record the time until the frame is written to the last socket."""
        started = time.perf_counter()
        self._publish(committed)
        if not isinstance(committed, Committed):
            return
        channel = self.channel(committed.state.id)
        if channel.sending is not None:
            channel.sending.add_done_callback(lambda _: self._record(started))
        elif channel.viewers:  # so few viewers that all their sockets already have the frame
            self._record(started)

    def channel(self, game: str) -> Channel:
        """Return the channel of a game's spectators."""
        return self._hub.subscribers(game_topic(game)).by_access_level[AccessLevel.BOARD]

    def _record(self, started: float) -> None:
        self.milliseconds.append((time.perf_counter() - started) * 1000)


def write_to_all(channel: Channel, framed: bytes) -> float:
    """Write a frame to all sockets of a channel with `os.write`; return the elapsed milliseconds."""
    transports = [cast(asyncio.Transport, viewer._transport) for viewer in channel.viewers]
    sockets = [transport.get_extra_info("socket").fileno() for transport in transports]
    started = time.perf_counter()
    for socket in sockets:
        os.write(socket, framed)
    return (time.perf_counter() - started) * 1000


def main() -> None:
    """Serve until a signal ends the process."""
    settings = read_settings()
    logs.configure("warning", "json")
    server = Server(settings)
    app = make_web_app(server)
    timer = BroadcastTimer(server)

    async def answer(request: web.Request) -> web.Response:
        baseline = write_to_all(timer.channel(request.match_info["game"]), frame(await request.read()))
        broadcast, timer.milliseconds = timer.milliseconds, []
        return web.json_response({"baseline": baseline, "broadcast": broadcast})

    app.router.add_post("/broadcast-times/{game}", answer)
    web.run_app(app, host=settings.host, port=settings.port, loop=uvloop.new_event_loop(), access_log=None, print=None)


if __name__ == "__main__":
    main()
