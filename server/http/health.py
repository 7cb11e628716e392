"""HTTP handlers: whether the process is alive, whether it can serve, and its metrics."""

import asyncio
import time
from hmac import compare_digest

import structlog
from aiohttp import web

from cadogan.server.app import Server
from cadogan.server.config import witness_keys
from cadogan.server.core.errors import Unauthorized
from cadogan.server.core.metrics import CONTENT_TYPE
from cadogan.server.core.web.requests import bearer_token, server_of
from cadogan.server.operations.upkeep import backup_age_seconds, database_file, free_bytes, wal_bytes
from cadogan.server.subjects.transparency.notes import VerifierKey
from cadogan.server.subjects.transparency.sequencer import SignedState, count_log

COUNT_SECONDS = 1.0
"""Seconds that the metrics wait for counting the queues; then they report the previous counts."""

log = structlog.stdlib.get_logger("cadogan.health")


async def healthz(_: web.Request) -> web.Response:
    """Answer that the process is alive."""
    return web.json_response({"status": "ok"})


async def readyz(request: web.Request) -> web.Response:
    """Answer that the server is ready, because its database accepts writes; with status 503 if it does not."""
    server = server_of(request)
    problem = await server.write_check.find_problem()
    if problem is None:
        return web.json_response({"status": "ok"})
    server.outages.log(problem)
    return web.json_response({"status": "the database does not take writes"}, status=503)


async def metrics(request: web.Request) -> web.Response:
    """Answer with the metrics in the text format of Prometheus. Raises Unauthorized without the token for metrics."""
    server = server_of(request)
    wanted = server.settings.metrics_token
    given = bearer_token(request) or ""
    if not wanted or not compare_digest(wanted.encode(), given.encode(errors="surrogatepass")):
        raise Unauthorized("Metrics are for the host: send the token that CADOGAN_METRICS_TOKEN holds.")
    counting = [asyncio.ensure_future(count(server)) for count in (_count_analyses, _count_log, _measure_upkeep)]
    await asyncio.wait(counting, timeout=COUNT_SECONDS)  # not cancelled: SQLite would lose a connection
    return web.Response(body=await server.render_metrics(), headers={"Content-Type": CONTENT_TYPE})


async def _count_analyses(server: Server) -> None:
    try:
        queue, stored = await server.analysis_jobs.count(), await server.decided_positions.count()
    except Exception as error:
        log.warning("analyses_not_counted", reason=type(error).__name__)
        return
    server.metrics.analysis_positions.set(stored)
    server.metrics.analyses_waiting.set(queue.waiting)
    server.metrics.analyses_working.set(queue.working)
    server.metrics.analyses_oldest_seconds.set(queue.oldest_waiting_seconds)


async def _count_log(server: Server) -> None:
    witnesses = [VerifierKey.read(text) for text in witness_keys(server.settings)]
    try:
        figures = await count_log(server.database, witnesses, server.now())
    except Exception as error:
        log.warning("log_not_counted", reason=type(error).__name__)
        return
    metrics, signed_at = server.metrics, SignedState(server.host_key.file).signed_at()
    metrics.log_entries.set(figures.size)
    metrics.log_waiting.set(figures.waiting)
    metrics.log_oldest_seconds.set(figures.oldest_waiting_seconds)
    metrics.log_checkpoint_seconds.set(0 if signed_at is None else max(0.0, time.time() - signed_at))
    metrics.log_witnesses_away.set(len(figures.away))
    metrics.log_refused.set(1 if server.sequencer.problem else 0)


async def _measure_upkeep(server: Server) -> None:
    metrics, database = server.metrics, server.database
    try:
        metrics.backup_age_seconds.set(await backup_age_seconds(database, server.now()))
        if (file := database_file(database)) is not None:
            metrics.disk_free_bytes.set(free_bytes(file.parent))
            metrics.wal_bytes.set(wal_bytes(file))
    except Exception as error:
        log.warning("upkeep_not_measured", reason=type(error).__name__)
