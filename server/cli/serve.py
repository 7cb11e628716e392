"""The commands that run a server: `serve` and `migrate`. Every setting is a flag of `serve`."""

import asyncio
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import click
import structlog
import uvloop
from aiohttp import web

from server.cli.analyst import keep_analysing
from server.cli.certify import keep_certifying
from server.cli.options import report_errors, settings_flags
from server.cli.output import say
from server.config import Settings
from server.core import logs
from server.database.connections import open_database
from server.http.app_keys import ROLES
from server.http.guards.listener import Listener
from server.http.websocket import closing_seconds
from server.web_app import make_app

SILENT_SECONDS = 75.0
"""Seconds within which the headers of a request must arrive, and for which a connection is kept without one."""
MAX_HEADERS = 64
"""Headers of a request; each has at most 8,190 bytes."""
READ_BYTES = 16 * 1024
"""Bytes of a body that are read before somebody asks for them; twice as many may be kept."""
MAX_WAITING_CONNECTIONS = 4096
"""How many connections may wait to be accepted. A crowd that comes at once waits here and need not try again."""

log = structlog.stdlib.get_logger("cadogan")


@click.command("serve")
@settings_flags()
def serve_command(settings: Settings) -> None:
    """Serve pages, HTTP and WebSocket on one port."""
    logs.configure(settings.log_level, settings.log_format)
    raise_socket_limit()
    app = make_app(settings)
    with (
        report_errors(settings),
        _logging_end(),
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        suppress(asyncio.CancelledError),
    ):
        runner.run(_serve(app, settings))


async def _serve(app: web.Application, settings: Settings) -> None:
    """Serve until a signal ends this process."""
    _stop_on_signals()
    runner = web.AppRunner(
        app,
        access_log=None,
        keepalive_timeout=SILENT_SECONDS,
        max_headers=MAX_HEADERS,
        read_bufsize=READ_BYTES,
        shutdown_timeout=closing_seconds(settings.shutdown),
    )
    try:
        await runner.setup()
        if settings.log_format != "json" and (code := await app[ROLES].first_host_code()):
            say("This server has no host yet. Create an account on its page, then open this link to become the host:")
            say(f"    {first_origin(settings)}/house/claim/{code}")
        await Listener(runner, settings, MAX_WAITING_CONNECTIONS).start()
        log.info("serving", address=f"http://{settings.host}:{settings.port}")
        async with asyncio.TaskGroup() as beside:
            beside.create_task(keep_analysing(settings))
            if settings.certify:
                beside.create_task(keep_certifying(settings))
            await asyncio.Event().wait()
    finally:
        await runner.cleanup()


def first_origin(settings: Settings) -> str:
    """Return the first address that people type, or that on which the server listens."""
    if settings.origin:
        return settings.origin[0]
    return f"http://{'127.0.0.1' if settings.host == '0.0.0.0' else settings.host}:{settings.port}"


def _stop_on_signals() -> None:
    """Cancel the current task on the first signal that ends this process, and log it."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None

    def stop(number: signal.Signals) -> None:
        log.info("stopping", reason=number.name)
        for each in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(each)
        task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop, number)


@contextmanager
def _logging_end() -> Iterator[None]:
    """Log that the server has stopped, or the error that stopped it or kept it from starting."""
    try:
        yield
    except Exception as error:
        log.error("stopped", reason=str(error) or type(error).__name__)
        raise
    log.info("stopped")


def raise_socket_limit() -> None:
    """Raise the number of sockets that this process may have open to the most that the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # macOS names a limit that it then refuses
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@click.command("migrate")
@click.option(
    "--to",
    "revision",
    metavar="REVISION",
    help="The revision of an older version, such as 0002, to go back to it. What only the newer tables hold is lost.",
)
@settings_flags("database_url")
def migrate_command(settings: Settings, revision: str | None) -> None:
    """Bring the database's tables up to date, or with --to back to those of an older version."""
    from server.database.migrations import migrate

    async def run() -> None:
        async with open_database(settings.database_url) as database:
            await migrate(database, revision or "head")

    with report_errors(settings):
        asyncio.run(run())
    say(f"the tables are at revision {revision}" if revision else "the tables are up to date")
