"""The commands that run a server: `serve` and `migrate`. Every setting is a flag of `serve`."""

import asyncio
import resource
from contextlib import suppress

import click
import structlog
import uvloop
from aiohttp import web

from server.app import make_app
from server.cli.options import report_errors, settings_flags
from server.cli.output import say
from server.config import Settings
from server.core import logs
from server.database.connections import open_database
from server.database.migrations import migrate
from server.http.websocket import closing_seconds

MAX_WAITING_CONNECTIONS = 4096
"""How many connections may wait to be accepted. A crowd that comes at once waits here and need not try again."""

log = structlog.stdlib.get_logger("cadogan")


@click.command("serve")
@settings_flags()
def serve_command(settings: Settings) -> None:
    """Serve pages, HTTP and WebSocket on one port."""
    logs.configure(settings.log_level, settings.log_format)
    raise_socket_limit()
    address = f"http://{settings.host}:{settings.port}"
    with report_errors():
        web.run_app(
            make_app(settings),
            host=settings.host,
            port=settings.port,
            loop=uvloop.new_event_loop(),
            shutdown_timeout=closing_seconds(settings.shutdown),
            access_log=None,
            backlog=MAX_WAITING_CONNECTIONS,
            print=lambda *_: log.info("serving", address=address),
        )


def raise_socket_limit() -> None:
    """Raise the number of sockets that this process may have open to the most that the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # macOS names a limit that it then refuses
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@click.command("migrate")
@settings_flags("database_url")
def migrate_command(settings: Settings) -> None:
    """Bring the database's tables up to date."""

    async def run() -> None:
        async with open_database(settings.database_url) as database:
            await migrate(database)

    with report_errors():
        asyncio.run(run())
    say("the tables are up to date")
