"""The commands that run a server: `serve` and `migrate`. Every setting is a flag of `serve`."""

import asyncio
import sys
from collections.abc import Coroutine
from contextlib import closing, suppress
from typing import Any

import click
import structlog
import uvloop

from cadogan.server.cli.options import report_errors, settings_flags
from cadogan.server.cli.output import Failure, say
from cadogan.server.cli.serving.processes import READY, STOPPING, Port, keep_watchdog, notify_service_manager
from cadogan.server.cli.serving.supervisor import StartFailed, Supervisor
from cadogan.server.cli.serving.web_server import (
    logging_end,
    name_address,
    raise_socket_limit,
    serve_app,
    stop_on_signals,
)
from cadogan.server.cli.serving.workers import keep_analysing, keep_certifying
from cadogan.server.config import Settings, process_count
from cadogan.server.config_sources import describe_unknown, unknown_variables
from cadogan.server.core import logs
from cadogan.server.core.addresses import url_host
from cadogan.server.core.database.connections import open_database
from cadogan.server.core.event_loop import count_cores

ONE_OF_SEVERAL = (sys.executable, "-m", "cadogan.server.cli.serving.one_of_several")
"""The command of one process of a server with several."""
STOP_SECONDS = 25.0
"""Grace period of a stopping process, which normally needs up to ten seconds, before it is killed."""

log = structlog.stdlib.get_logger("cadogan")


@click.command("serve")
@settings_flags()
def serve_command(settings: Settings) -> None:
    """Serve pages, HTTP and WebSocket on one port."""
    logs.configure(settings.log_level, settings.log_format)
    for name in unknown_variables():
        log.warning("unknown_setting", reason=describe_unknown(name))
    raise_socket_limit()
    processes = process_count(settings, count_cores())
    serving = _serve_alone(settings) if processes == 1 else _serve_together(settings, processes)
    with (
        logging_end(),
        report_errors(settings),
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        suppress(asyncio.CancelledError),
    ):
        runner.run(serving)


async def _serve_alone(settings: Settings) -> None:
    """Serve in this process until a signal ends it."""
    from cadogan.server.web_app import make_app  # imported here because the supervisor does not need it

    stop_on_signals(_announce_stop)
    async with serve_app(make_app(settings), settings):
        notify_service_manager(READY)
        async with asyncio.TaskGroup() as beside:
            for work in _beside(settings):
                beside.create_task(work)
            await asyncio.Event().wait()


async def _serve_together(settings: Settings, processes: int) -> None:
    """Serve in several processes until a signal ends this one. Raises Failure if they cannot serve."""
    stop_on_signals(_announce_stop)
    with name_address(settings):
        port = Port(settings.host, settings.port)
    with closing(port):
        supervisor = Supervisor(ONE_OF_SEVERAL, settings, processes, port, STOP_SECONDS)
        try:
            await supervisor.start()
            log.info("serving", address=f"http://{url_host(settings.host)}:{settings.port}", processes=processes)
            notify_service_manager(READY)
            async with asyncio.TaskGroup() as beside:
                tasks = [beside.create_task(work) for work in _beside(settings)]
                reason = await supervisor.wait()
                for task in tasks:
                    task.cancel()
        except StartFailed as failed:
            raise Failure(f"the first process has ended with {failed} before it served") from None
        finally:
            await supervisor.stop()
        raise Failure(f"{reason}: the lines of the log before this one say why")


def _beside(settings: Settings) -> list[Coroutine[Any, Any, None]]:
    """Return the coroutines that run next to a server, whatever its number of processes."""
    return [keep_watchdog(), keep_analysing(settings), *([keep_certifying(settings)] if settings.certify else [])]


def _announce_stop() -> None:
    notify_service_manager(STOPPING)


@click.command("migrate")
@click.option(
    "--to",
    "revision",
    metavar="REVISION",
    help="The revision of an older version, such as 0002, to go back to it. What only the newer tables hold is lost.",
)
@click.option("--distribute", is_flag=True, help="Then distribute the log over the workers of Citus.")
@settings_flags("database_url")
def migrate_command(settings: Settings, revision: str | None, distribute: bool) -> None:
    """Bring the database's tables up to date, or with --to back to those of an older version."""
    from cadogan.server.core.database.migrations import migrate
    from cadogan.server.core.storage.citus import extension as citus

    if distribute and revision:
        raise click.UsageError("--distribute is for the newest tables: leave out --to")

    async def run() -> int:
        async with open_database(settings.database_url) as database:
            if distribute:
                await citus.require_workers(database)
            await migrate(database, revision or "head")
            return await citus.distribute(database) if distribute else 0

    with report_errors(settings):
        workers = asyncio.run(run())
    say(f"the tables are at revision {revision}" if revision else "the tables are up to date")
    if distribute:
        say(f"the log is distributed by stream; Citus has {workers} workers")
