"""The command `cadogan`: serving, and the small jobs around it. Every setting is a flag of `serve`."""

import asyncio
import resource
from contextlib import suppress

import click
import structlog
import uvloop
from aiohttp import web

from server.app import make_app
from server.cli.backup import import_command, root_command
from server.cli.doctor import doctor_command
from server.cli.options import complaints, settings_flags
from server.cli.records import export_command, rebuild_command, recompute_command, verify_command
from server.cli.rules import games_command, solo_command, vectors_command
from server.config import Settings
from server.core import logs
from server.database.connections import opened
from server.http.websocket import share

BACKLOG = 4096
"""Connections that may wait to be accepted: a crowd that comes at once waits here, and not until it tries again."""

log = structlog.stdlib.get_logger("cadogan")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="cadogan")
def main() -> None:
    """A patience server that people host for themselves."""


@main.command("serve")
@settings_flags()
def serve_command(settings: Settings) -> None:
    """Serve pages, HTTP and WebSocket on one port."""
    logs.configure(settings.log_level, settings.log_format)
    allow_many_sockets()
    address = f"http://{settings.host}:{settings.port}"
    with complaints():
        web.run_app(
            make_app(settings),
            host=settings.host,
            port=settings.port,
            loop=uvloop.new_event_loop(),
            shutdown_timeout=share(settings.shutdown),
            access_log=None,
            backlog=BACKLOG,
            print=lambda *_: log.info("serving", address=address),
        )


def allow_many_sockets() -> None:
    """Let this process have as many sockets open as the system allows it at most, not only as many as it gives."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # macOS names a limit that it then refuses
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@main.command("migrate")
@settings_flags("database_url")
def migrate_command(settings: Settings) -> None:
    """Bring the database's tables up to date."""

    async def migrate() -> None:
        async with opened(settings.database_url) as database:
            await database.migrate()

    with complaints():
        asyncio.run(migrate())
    click.echo("the tables are up to date")


for command in (
    verify_command,
    export_command,
    import_command,
    doctor_command,
    root_command,
    rebuild_command,
    recompute_command,
    games_command,
    solo_command,
    vectors_command,
):
    main.add_command(command)
