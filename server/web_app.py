"""The web application of a server: its routes and background tasks."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import cache

import structlog
from aiohttp import web

from cadogan.server.app import CLOSE_TIMEOUT_SECONDS, Server, end_tasks, name_of, opened
from cadogan.server.config import Settings
from cadogan.server.core.clock import Clock, now
from cadogan.server.core.cluster.bus import Bus
from cadogan.server.core.event_loop import measure_loop_lag
from cadogan.server.core.logs import leave_out_unreadable_requests
from cadogan.server.core.web.requests import LINGERING_SECONDS, MAX_BODY_BYTES, MAX_HEADERS, SERVER
from cadogan.server.http.middleware import add_headers, end_turn, observe, refuse
from cadogan.server.http.routes import ROUTES
from cadogan.server.http.websocket import close_sockets
from cadogan.server.part import Part
from cadogan.server.subjects.games.game_routes import end_streams
from cadogan.server.subjects.transparency.host_key import KeyUnusable
from cadogan.server.subjects.transparency.sequencer import LogSetBack

CLOCK_INTERVAL_SECONDS = 30.0
"""The longest time between two calls of a part's clock function, which may request an earlier one."""

CLEAR_INTERVAL_SECONDS = 3600.0
"""How often expired data is deleted."""

log = structlog.stdlib.get_logger("cadogan")


def make_app(settings: Settings, now: Clock = now, bus: Bus | None = None) -> web.Application:
    """Return the web application for these settings; see `Server` and `make_web_app` for the parameters."""
    return make_web_app(Server(settings, now, bus))


def make_web_app(server: Server) -> web.Application:
    """Return the web application of a server; starting it opens the server, stopping it closes it."""
    leave_out_unreadable_requests()
    app = web.Application(
        middlewares=[observe, refuse],
        client_max_size=MAX_BODY_BYTES,
        handler_args={"auto_decompress": False, "max_headers": MAX_HEADERS, "lingering_time": LINGERING_SECONDS},
    )
    app[SERVER] = server
    for resource in _resources():
        app.router.register_resource(resource)
    for routes in server.parts.hooks(Part.routes):
        app.add_routes(routes())
    app.on_response_prepare.extend((add_headers, end_turn))
    app.on_shutdown.extend((close_sockets, end_streams))
    app.cleanup_ctx.append(_run)
    return app


@cache
def _resources() -> tuple[web.AbstractResource, ...]:
    """Return the table of routes as aiohttp stores it. It holds no server, so all servers of a process share it."""
    table = web.UrlDispatcher()
    table.add_routes(ROUTES)
    return tuple(table.resources())


async def _run(app: web.Application) -> AsyncIterator[None]:
    """Open the server, and run its background tasks until the application is stopped."""
    async with opened(app[SERVER]) as server:
        server.bus.start()
        server.presence.start()
        stopping, hooks = asyncio.Event(), server.parts.hooks

        async def clear_old() -> float:
            if not await server.clocks.agree():
                return CLOCK_INTERVAL_SECONDS
            await server.parts.call(Part.clear_old)
            return CLEAR_INTERVAL_SECONDS

        with suppress(KeyUnusable, LogSetBack):  # the sequencer logs this; a server that cannot sign still serves
            await server.sequencer.find_key()
        named = [*((run_due.__qualname__, run_due) for run_due in hooks(Part.run_due)), ("clear_old", clear_old)]
        until_stopped = [
            *(asyncio.create_task(_keep_time(task, run_due, stopping), name=task) for task, run_due in named),
            *(
                asyncio.create_task(run(stopping), name=name_of(run))
                for run in (*hooks(Part.run), server.database.watch_hosts)
            ),
        ]
        measuring = asyncio.create_task(measure_loop_lag(server.metrics.loop_lag_seconds.observe))
        await server.challenges.list_days(server.now())  # announces the coming days even if no client requests them
        yield
        measuring.cancel()
        stopping.set()  # if cancelled during a statement, a task can leave an SQLite connection open
        await end_tasks(until_stopped, CLOSE_TIMEOUT_SECONDS / 2)


async def _keep_time(task: str, run_due: Callable[[], Awaitable[float | None]], stopping: asyncio.Event) -> None:
    """Call a function every `CLOCK_INTERVAL_SECONDS`, or after the seconds that it returns, until stopping.

    An error is logged with the name `task`, and the function is called again.
    """
    pause: float | None = None
    while True:
        with suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), CLOCK_INTERVAL_SECONDS if pause is None else pause)
            return
        try:
            pause = await run_due()
        except Exception as error:
            log.warning("background_task_retried", task=task, reason=type(error).__name__)
            pause = None
