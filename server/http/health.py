"""HTTP handlers: whether the process is alive, whether it can serve, and its metrics."""

from hmac import compare_digest

import structlog
from aiohttp import web

from server.core.errors import Unauthorized
from server.core.metrics import CONTENT_TYPE
from server.http.app_keys import DATABASE, METRICS, SETTINGS
from server.http.requests import bearer_token

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
    return web.Response(body=request.app[METRICS].render(), headers={"Content-Type": CONTENT_TYPE})
