"""The baseline of the load tests: a server that accepts sockets and sends an empty response to every message.

    python -m benchmarks.load_baseline_server      # CADOGAN_PORT as for `cadogan serve`

Its responses about guests, games and evenings hold only what the load generators need. `POST /write/{times}` with the
payload of a frame writes this frame to every open socket that many times, with `os.write`; the response has the seconds
of these writes.
"""

from __future__ import annotations

import asyncio
import os
import time
from functools import cache

import msgspec
import uvloop
from aiohttp import WSMsgType, web

from benchmarks.load_processes import raise_file_limit
from cadogan.server.core.live.connection import frame

ANSWERS = {
    "/api/v1/session/guest": {"token": "nobody"},
    "/api/v1/deals": {"deal": "none"},
    "/api/v1/games": {"game": {"id": "none"}},
}


@cache
def evening_body(crowd: int, rest: str) -> bytes:
    """Return what is answered at the end of the path of an evening in which so many have played."""
    answers = {"/games": {"game": "none"}, "/standing": {"shares": [{"how": "played"}] * crowd}}
    return msgspec.json.encode(answers.get(rest, {}))


def make_app() -> web.Application:
    """Build the server."""
    sockets: dict[web.WebSocketResponse, int] = {}
    bodies = {path: msgspec.json.encode(answer) for path, answer in ANSWERS.items()}

    async def answer(request: web.Request) -> web.Response:
        return web.Response(body=bodies.get(request.path, b"{}"), content_type="application/json")

    async def answer_evening(request: web.Request) -> web.Response:
        body = evening_body(int(request.match_info["crowd"]), request.match_info["rest"])
        return web.Response(body=body, content_type="application/json")

    async def accept_socket(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        assert request.transport is not None
        sockets[socket] = request.transport.get_extra_info("socket").fileno()
        try:
            async for received in socket:
                if received.type is WSMsgType.TEXT:
                    id = msgspec.json.decode(received.data)["id"]
                    await socket.send_str(f'{{"type":"done","id":"{id}"}}')
        finally:
            del sockets[socket]
        return socket

    async def write(request: web.Request) -> web.Response:
        framed = frame(await request.read())
        seconds = 0.0
        for _ in range(int(request.match_info["times"])):
            started = time.perf_counter()
            for descriptor in sockets.values():
                os.write(descriptor, framed)
            seconds += time.perf_counter() - started
            await asyncio.sleep(0.02)  # lets the clients read; a full socket would accept no data
        return web.json_response({"seconds": seconds})

    app = web.Application()
    app.add_routes([web.post(path, answer) for path in ANSWERS])
    app.add_routes([web.get("/readyz", answer), web.get("/ws/v1", accept_socket), web.post("/write/{times}", write)])
    app.add_routes([web.route("*", r"/api/v1/evenings/none-{crowd:\d+}{rest:.*}", answer_evening)])
    return app


if __name__ == "__main__":
    raise_file_limit()
    web.run_app(
        make_app(),
        host="127.0.0.1",
        port=int(os.environ["CADOGAN_PORT"]),
        loop=uvloop.new_event_loop(),
        access_log=None,
        print=None,
        backlog=4096,
    )
