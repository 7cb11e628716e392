"""The command `doctor`: checks a deployment and prints advice."""

import asyncio
import logging
from collections.abc import Sequence

import click
import structlog

from cadogan.server.cli.options import found_settings_flags, report_errors
from cadogan.server.cli.output import say
from cadogan.server.config import SettingError, Settings
from cadogan.server.config_sources import GivenValue, make_settings
from cadogan.server.operations.doctor import Finding, Severity
from cadogan.server.operations.doctor_probes import diagnose, probe_settings_file

_SIGNS = {Severity.OK: "ok", Severity.WARNING: "??", Severity.ERROR: "!!"}


@click.command("doctor")
@click.option("--whole", is_flag=True, help="Look at every event and every row, which takes minutes on a large log.")
@found_settings_flags()
def doctor_command(found: Sequence[GivenValue], whole: bool) -> None:
    """Check a deployment with the settings of its server. Exits 1 if anything is wrong.

    Checks the settings, tables, clock, durability, connections, secrets, the hash chains of a sample of streams, the
    bus, the servers for mails and sign-in, and who may read the files. Says what to do about everything that is not
    well.

    With --whole, checks the hash chain and the times of every stream, that every stream is as the transparency log
    says, and that leaderboards and lists follow from the log. Servers may go on meanwhile.
    """
    try:
        settings = make_settings(found)
    except SettingError as wrong:
        raise click.UsageError(str(wrong)) from None
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with report_errors(settings):
        severities = asyncio.run(_print(settings, found, whole))
    if Severity.ERROR in severities:
        raise SystemExit(1)


async def _print(settings: Settings, found: Sequence[GivenValue], whole: bool) -> set[Severity]:
    severities = set()
    if (of_file := probe_settings_file(found)) is not None:
        severities.add(of_file.severity)
        print_finding(of_file)
    async for finding in diagnose(settings, whole):
        severities.add(finding.severity)
        print_finding(finding)
    return severities


def print_finding(finding: Finding) -> None:
    """Print a finding in one line, and its advice, if any, in another one."""
    say(f"{_SIGNS[finding.severity]}  {finding.check:<11}  {finding.message}")
    if finding.advice:
        say(f"{'':17}{finding.advice}")
