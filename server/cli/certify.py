"""The command `certify`: it searches the deals of the coming days for a win, and ends. `serve` runs it every hour."""

import asyncio
import os
import signal
import sys

import click
import structlog

from server.cli.options import report_errors, settings_flags
from server.cli.output import say
from server.cli.processes import run_process
from server.competitions.daily.certification import Certification
from server.config import Settings
from server.core.clock import now
from server.database.connections import open_database
from server.database.revisions import require_current
from server.fairness.sealed_deals import SealedDeals
from server.fairness.stored_certificates import StoredCertificates
from server.storage.sql_store import SqlStore

INTERVAL_SECONDS = 3600.0
"""Seconds between two runs of `certify`; a deal is announced a week before it is played."""

NICENESS = 19
"""The search yields to everything else on the machine."""

log = structlog.stdlib.get_logger("cadogan")


@click.command("certify")
@settings_flags("database_url")
def certify_command(settings: Settings) -> None:
    """Search the deals of the announced days for a win, store what was found, and end.

    For each deal that is to be certified, up to 50 candidates are tried. A server does this by itself, in a process of
    its own, unless CADOGAN_CERTIFY is false. It can be stopped at any time, and run beside servers.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C does not wait for the end of a search
    os.nice(NICENESS)
    with report_errors(settings):
        asyncio.run(_certify(settings))


async def _certify(settings: Settings) -> None:
    async with open_database(settings.database_url) as database:
        await require_current(database)
        store = SqlStore(database)
        certification = Certification(store, SealedDeals(database), StoredCertificates(database), now)
        count = 0
        async for deal, certified in certification.search_all():
            count += 1
            say(f"{deal.deal} ({deal.game}): {'can be won' if certified else 'no win was found'}")
        say(f"{count} deals searched")
        await store.close()


async def keep_certifying(settings: Settings) -> None:
    """Run `cadogan certify` again and again, each time in a new process, until this task is cancelled."""
    environment = {**os.environ, "CADOGAN_DATABASE_URL": settings.database_url}
    command = (sys.executable, "-m", "cadogan", "certify")
    while True:
        try:
            if code := await run_process(command, environment):
                log.warning("certify_failed", code=code)
        except OSError as error:
            log.warning("certify_failed", reason=str(error))
        await asyncio.sleep(INTERVAL_SECONDS)
