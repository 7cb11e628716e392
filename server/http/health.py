"""Whether the server lives, whether it can serve, and its figures."""

import structlog
from aiohttp import web
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from server.core.metrics import CONTENT_TYPE
from server.database.connections import Database, migration_config
from server.http.app_keys import DATABASE, METRICS

log = structlog.stdlib.get_logger("cadogan.health")


class DatabaseNotCurrent(Exception):
    """The database's tables are not those of this version. The message says what to do."""


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
    return web.Response(body=request.app[METRICS].page(), headers={"Content-Type": CONTENT_TYPE})


async def require_current(database: Database) -> None:
    """Raises DatabaseNotCurrent unless the database has the tables of this version."""
    wanted = ScriptDirectory.from_config(migration_config()).get_current_head()
    async with database.reading() as connection:
        found = await connection.run_sync(revision_of)
    if found != wanted:
        raise DatabaseNotCurrent(
            f"the database is at revision {found}, this version needs {wanted}: run `cadogan migrate`"
        )


def revision_of(connection: Connection) -> str | None:
    """The revision of a database's tables; None where there are none."""
    return MigrationContext.configure(connection).get_current_revision()
