"""The command `analyst`: analyses games until it is stopped. `serve` starts some, and restarts those that end."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable

import click
import structlog

from cadogan.server.analysis.analyst import Analyst
from cadogan.server.analysis.decided_positions import DecidedPositions
from cadogan.server.analysis.jobs import AnalysisJobs
from cadogan.server.cli.options import report_errors, settings_flags
from cadogan.server.cli.serving.processes import run_process
from cadogan.server.competitions.known_rules import known_rules
from cadogan.server.config import Settings
from cadogan.server.core import logs
from cadogan.server.core.clock import now
from cadogan.server.database.connections import open_database
from cadogan.server.database.revisions import require_current
from cadogan.server.fairness.sealed_deals import SealedDeals
from cadogan.server.games.game_reader import GameReader
from cadogan.server.storage.sql_store import SqlStore

MIN_PAUSE_SECONDS = 1.0
MAX_PAUSE_SECONDS = 60.0
"""The longest pause before an ended analyst is restarted; the pause doubles each time it ends early."""

log = structlog.stdlib.get_logger("cadogan")


@click.command("analyst")
@click.option("--with-input", is_flag=True, help="End when the standard input ends, and so with who started it.")
@settings_flags("database_url", "log_level", "log_format")
def analyst_command(settings: Settings, with_input: bool) -> None:
    """Analyse the games that players ask about, one after another, until a signal ends this process.

    A server runs one by itself, in a process of its own (CADOGAN_ANALYSTS). This command runs another one, on this
    machine or any other that reaches the same PostgreSQL. Its search yields to everything else on the machine. It can
    be stopped or killed at any time.
    """
    logs.configure(settings.log_level, settings.log_format)
    with report_errors(settings):
        asyncio.run(_analyse(settings, with_input))


async def _analyse(settings: Settings, with_input: bool) -> None:
    async with open_database(settings.database_url) as database:
        await require_current(database)
        store = SqlStore(database)
        reader = GameReader(store, SealedDeals(database), known_rules())
        analyst = Analyst(AnalysisJobs(database, now), DecidedPositions(database, now), reader)
        _call_at_end(analyst.stop, with_input)
        log.info("analysing")
        await analyst.work()
        await store.close()
    log.info("stopped")


def _call_at_end(stop: Callable[[], None], with_input: bool) -> None:
    """Call `stop` on a termination signal and, if `with_input` is set, when standard input ends."""
    loop = asyncio.get_running_loop()

    def end() -> None:
        loop.remove_reader(sys.stdin.fileno())
        stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    if with_input:
        loop.add_reader(sys.stdin.fileno(), end)


async def keep_analysing(settings: Settings) -> None:
    """Run the configured number of analysts, each in its own process, until this task is cancelled."""
    async with asyncio.TaskGroup() as analysts:
        for _ in range(settings.analysts):
            analysts.create_task(_keep_one_analysing(settings))


async def _keep_one_analysing(settings: Settings) -> None:
    environment = {
        **os.environ,
        "CADOGAN_DATABASE_URL": settings.database_url,
        "CADOGAN_LOG_LEVEL": settings.log_level,
        "CADOGAN_LOG_FORMAT": settings.log_format,
    }
    command = (sys.executable, "-m", "cadogan", "analyst", "--with-input")
    pause = MIN_PAUSE_SECONDS
    while True:
        started_at = time.monotonic()
        try:
            log.warning("analyst_ended", code=await run_process(command, environment))
        except OSError as error:
            log.warning("analyst_ended", reason=str(error))
        pause = MIN_PAUSE_SECONDS if time.monotonic() - started_at > MAX_PAUSE_SECONDS else pause
        await asyncio.sleep(pause)
        pause = min(2 * pause, MAX_PAUSE_SECONDS)
