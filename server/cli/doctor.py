"""The command `doctor`: checks a deployment and says what to do."""

import asyncio
import logging

import click
import structlog

from server.cli.options import report_errors, settings_flags
from server.cli.output import say
from server.config import Settings
from server.operations.doctor import Severity
from server.operations.doctor_probes import diagnose

_SIGNS = {Severity.OK: "ok", Severity.WARNING: "??", Severity.ERROR: "!!"}


@click.command("doctor")
@settings_flags()
def doctor_command(settings: Settings) -> None:
    """Check a deployment with the settings of its server. Exits 1 if anything is wrong.

    Checks the settings, tables, clock, durability, connections, secrets, the hash chains of a sample of streams, and
    the bus. Says what to do about everything that is not well.
    """
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with report_errors(settings):
        severities = asyncio.run(_print(settings))
    if Severity.ERROR in severities:
        raise SystemExit(1)


async def _print(settings: Settings) -> set[Severity]:
    severities = set()
    async for finding in diagnose(settings):
        severities.add(finding.severity)
        say(f"{_SIGNS[finding.severity]}  {finding.check:<11}  {finding.message}")
        if finding.advice:
            say(f"{'':17}{finding.advice}")
    return severities
