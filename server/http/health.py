"""HTTP handlers: whether the process is alive, whether it can serve, and its metrics."""

import asyncio
from hmac import compare_digest

import structlog
from aiohttp import web

from server.core.errors import Unauthorized
from server.core.metrics import CONTENT_TYPE
from server.http.app_keys import ANALYSIS_JOBS, DATABASE, METRICS, SETTINGS
from server.http.requests import bearer_token

COUNT_SECONDS = 1.0
"""Seconds that the metrics wait for the queue of analyses to be counted; then they say what was counted before."""

log = structlog.stdlib.get_logger("cadogan.health")


async def healthz(_: web.Request) -> web.Response:
    """Answer that the process is alive."""
    return web.json_response({"status": "ok"})


async def readyz(request: web.Request) -> web.Response:
    """Answer that the server can serve, because its database answers; with status 503 while it does not."""
    try:
        await request.app[DATABASE].ping()
    except Exception as error:
        log.warning("not_ready", reason=type(error).__name__)
        return web.json_response({"status": "the database does not answer"}, status=503)
    return web.json_response({"status": "ok"})


async def metrics(request: web.Request) -> web.Response:
    """Answer with the metrics, in the text format of Prometheus. Raises Unauthorized without the host's own token."""
    wanted = request.app[SETTINGS].metrics_token
    given = bearer_token(request) or ""
    if not wanted or not compare_digest(wanted.encode(), given.encode(errors="surrogatepass")):
        raise Unauthorized("Metrics are for the host: send the token that CADOGAN_METRICS_TOKEN holds.")
    counting = asyncio.ensure_future(_count_analyses(request.app))
    await asyncio.wait((counting,), timeout=COUNT_SECONDS)  # not cancelled: SQLite would lose a connection
    return web.Response(body=request.app[METRICS].render(), headers={"Content-Type": CONTENT_TYPE})


async def _count_analyses(app: web.Application) -> None:
    try:
        queue = await app[ANALYSIS_JOBS].count()
    except Exception as error:
        log.warning("analyses_not_counted", reason=type(error).__name__)
        return
    app[METRICS].analyses_waiting.set(queue.waiting)
    app[METRICS].analyses_working.set(queue.working)
    app[METRICS].analyses_oldest_seconds.set(queue.oldest_waiting_seconds)
