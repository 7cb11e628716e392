"""HTTP: whether the process lives, whether it can serve, and its metrics."""

import structlog
from aiohttp import web

from server.core.metrics import CONTENT_TYPE
from server.http.app_keys import DATABASE, METRICS

log = structlog.stdlib.get_logger("cadogan.health")


async def healthz(_: web.Request) -> web.Response:
    """The process lives."""
    return web.json_response({"status": "ok"})


async def readyz(request: web.Request) -> web.Response:
    """The server can serve: its database answers. 503 while it does not."""
    try:
        await request.app[DATABASE].ping()
    except Exception as error:
        log.warning("not_ready", reason=type(error).__name__)
        return web.json_response({"status": "the database does not answer"}, status=503)
    return web.json_response({"status": "ok"})


async def metrics(request: web.Request) -> web.Response:
    """The figures, for Prometheus."""
    return web.Response(body=request.app[METRICS].render(), headers={"Content-Type": CONTENT_TYPE})
