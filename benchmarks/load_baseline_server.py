"""What sockets cost anyway: a server that upgrades, answers a subscription with nothing, and writes what it is told to.

    python -m benchmarks.load_baseline_server      # CADOGAN_PORT as for `cadogan serve`

It has guests and games only as far as the scenes of `benchmarks/load.py` ask for them, so that they can be played here.
`POST /write/{times}` with a frame's payload writes it to every open socket so often, and answers how many seconds the
bare `os.write` took.
"""

from __future__ import annotations

import asyncio
import os
import time

import uvloop
from aiohttp import WSMsgType, web

from benchmarks.load_processes import open_many_files
from server.realtime.connection import frame

ANSWERS = {
    "/api/v1/session/guest": {"token": "nobody"},
    "/api/v1/deals": {"deal": "none"},
    "/api/v1/games": {"game": {"id": "none"}},
}


def bare() -> web.Application:
    """The server."""
    sockets: dict[web.WebSocketResponse, int] = {}

    async def say(request: web.Request) -> web.Response:
        return web.json_response(ANSWERS.get(request.path, {}))

    async def talk(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        assert request.transport is not None
        sockets[socket] = request.transport.get_extra_info("socket").fileno()
        try:
            async for received in socket:
                if received.type is WSMsgType.TEXT:
                    await socket.send_str('{"type":"done","id":"subscribe"}')
        finally:
            del sockets[socket]
        return socket

    async def write(request: web.Request) -> web.Response:
        framed = frame(await request.read())
        seconds = 0.0
        for _ in range(int(request.match_info["times"])):
            began = time.perf_counter()
            for number in sockets.values():
                os.write(number, framed)
            seconds += time.perf_counter() - began
            await asyncio.sleep(0.02)  # until it is read: a full socket would take nothing
        return web.json_response({"seconds": seconds})

    app = web.Application()
    app.add_routes([web.post(path, say) for path in ANSWERS])
    app.add_routes([web.get("/readyz", say), web.get("/ws/v1", talk), web.post("/write/{times}", write)])
    return app


if __name__ == "__main__":
    open_many_files()
    web.run_app(
        bare(),
        host="127.0.0.1",
        port=int(os.environ["CADOGAN_PORT"]),
        loop=uvloop.new_event_loop(),
        access_log=None,
        print=None,
        backlog=4096,
    )
